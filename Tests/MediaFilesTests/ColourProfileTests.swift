import Support
import Testing

@testable import MediaFiles

/// The profiles of colours that a decoder gets with a picture.
struct ColourProfileTests {
    private typealias Samples = MediaSamples

    private func jpeg(_ profile: [UInt8]?) -> [UInt8] {
        let segments = profile.map { Samples.profileSegments($0) } ?? []
        return Samples.jpeg(300, 200, components: 3, segments: segments)
    }

    private func png(_ profile: [UInt8]?) -> [UInt8] {
        Samples.png(3, 2, chunks: profile.map { [("iCCP", Samples.packedProfile($0))] } ?? [])
    }

    private func webp(_ profile: [UInt8]?) -> [UInt8] {
        let header = ("VP8X", Samples.webpHeader(profile == nil ? 0 : 0x20, 300, 200))
        let chunks = profile.map { [("ICCP", $0)] } ?? []
        return Samples.webp([header] + chunks + [("VP8 ", Samples.webpPixels(300, 200))])
    }

    /// Whether pictures of each type keep a profile.
    private func isKept(_ profile: [UInt8]) throws -> Bool {
        let found = try [jpeg, png, webp].map { picture in
            let content = try InspectedMedia(picture(profile)).content
            #expect(content == picture(profile) || content == picture(nil))
            return content == picture(profile)
        }
        #expect(Set(found).count == 1)
        return found[0]
    }

    @Test func `keeps profiles of cameras, scanners, displays and printers`() throws {
        for tags in [
            [("rTRC", "curv"), ("gTRC", "para"), ("bTRC", "curv"), ("rXYZ", "XYZ ")],
            [("A2B0", "mft1"), ("A2B1", "mft2"), ("A2B2", "mAB "), ("B2A0", "mBA ")],
            [("desc", "mluc"), ("chad", "sf32"), ("vcgt", "vcgt"), ("kTRC", "curv")], [],
        ] as [[(String, String)]] {
            for kind in ["scnr", "mntr", "prtr", "spac"] {
                #expect(try isKept(Samples.profile(kind: kind, tags: tags)))
            }
        }
    }

    /// - From people: a profile of colours with a program in it → left out
    @Test func `drops a profile that holds a program or another type of table`() throws {
        for tag in [
            ("D2B0", "mpet"), ("D2B1", "mft2"), ("B2D0", "mpet"), ("A2B0", "mpet"),
            ("A2B1", "clut"), ("B2A0", "mpet"), ("rTRC", "mpet"), ("abcd", "mpet"),
        ] {
            #expect(try !isKept(Samples.profile(tags: [("wtpt", "XYZ "), tag])), "\(tag)")
        }
        for kind in ["link", "abst", "nmcl"] {
            #expect(try !isKept(Samples.profile(kind: kind)), "\(kind)")
        }
    }

    @Test func `drops a profile whose parts are outside it or too many`() throws {
        let profile = Samples.profile()
        var outside = profile
        // The length of the second part.
        outside.replaceSubrange(152..<156, with: Samples.big(13, 4))
        #expect(try !isKept(outside))
        var unmarked = profile
        unmarked[36] = 0
        #expect(try !isKept(unmarked))
        let part = ("abcd", "text")
        #expect(try isKept(Samples.profile(tags: Array(repeating: part, count: 100))))
        #expect(try !isKept(Samples.profile(tags: Array(repeating: part, count: 101))))
        for count in [40, 131, 140] { #expect(try !isKept(Array(profile.prefix(count)))) }
    }

    @Test func `drops a profile of a JPEG picture without all its parts in order`() throws {
        func pictureOf(_ segments: [UInt8]) -> [UInt8] {
            Samples.jpeg(300, 200, components: 3, segments: segments)
        }
        let plain = jpeg(nil)
        let (first, second) = (
            Samples.profileSegments(Samples.profile(more: 400), partBytes: 300),
            Samples.profileSegments(Samples.profile())
        )
        #expect(try InspectedMedia(pictureOf(first)).content != plain)
        let length = 4 + 14 + 300
        for parts in [
            Array(first[length...] + first[..<length]), Array(first[..<length]), second + second,
            Samples.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1]),
        ] {
            #expect(try InspectedMedia(pictureOf(parts)).content == plain)
        }
    }

    @Test func `keeps only a profile for grey in a grey picture`() throws {
        let plain = Samples.jpeg(300, 200)
        for (space, isKept) in [("GRAY", true), ("RGB ", false), ("CMYK", false)] {
            let segments = Samples.profileSegments(Samples.profile(space), partBytes: 100)
            let picture = Samples.jpeg(300, 200, segments: segments)
            #expect(try InspectedMedia(picture).content == (isKept ? picture : plain), "\(space)")
        }
    }

    @Test func `drops a long profile, also one that only unpacks to many bytes`() throws {
        let empty = Samples.profile().count
        let longest = Samples.profile(more: MetadataLimits.profileBytesMax - empty)
        for picture in [jpeg, webp] {
            #expect(try InspectedMedia(picture(longest)).content == picture(longest))
            #expect(try InspectedMedia(picture(longest + [0])).content == picture(nil))
        }
        // About five million zeros.
        let chunk = Array("name\0\0".utf8) + Samples.packedZeros(runs: 20_000)
        #expect(chunk.count < MetadataLimits.packedProfileBytesMax)
        let bomb = Samples.png(3, 2, chunks: [("iCCP", chunk)])
        #expect(try InspectedMedia(bomb).content == png(nil))
        // Its length is another than the header's, or the stream is cut off.
        for packed in [
            Samples.packedProfile(Samples.profile() + [0])[...],
            Samples.packedProfile(Samples.profile()).dropLast(5),
        ] {
            let picture = Samples.png(3, 2, chunks: [("iCCP", Array(packed))])
            #expect(try InspectedMedia(picture).content == png(nil))
        }
    }
}
