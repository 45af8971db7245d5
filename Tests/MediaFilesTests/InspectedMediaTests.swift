import Market
import Support
import Testing

@testable import MediaFiles

/// What a file is, by its content alone.
struct InspectedMediaTests {
    private typealias Samples = MediaSamples

    private func fault(_ bytes: [UInt8]) -> MediaFault? {
        do {
            _ = try InspectedMedia(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `recognises each type by its content, and the size of pictures`() throws {
        let jpeg = try InspectedMedia(Samples.jpeg(300, 200, segments: Samples.cameraSegments))
        #expect(jpeg.form == .jpeg && jpeg.size == PictureSize(width: 300, height: 200))
        let png = try InspectedMedia(Samples.png(3, 2))
        #expect(png.form == .png && png.size == PictureSize(width: 3, height: 2))
        for chunks in [
            [("VP8 ", Samples.webpPixels(300, 200))],
            [("VP8L", [0x2F] + Samples.little(299 | 199 << 14, 4))],
            [
                ("VP8X", Samples.webpHeader(0x10, 300, 200)), ("ALPH", [1]),
                ("VP8 ", Samples.webpPixels(300, 200)),
            ],
        ] {
            let webp = try InspectedMedia(Samples.webp(chunks))
            #expect(webp.form == .webp && webp.size == PictureSize(width: 300, height: 200))
        }
        let pdf = try InspectedMedia(Samples.pdf())
        #expect(pdf.form == .pdf && pdf.size == nil)
    }

    @Test func `names any other type, whatever the file's name`() {
        for (bytes, name) in [
            (Array("GIF89a".utf8), "media.gif"), ([0x49, 0x49, 0x2A, 0], "media.tiff"),
            (Array("\0\0\0\u{18}ftypheic".utf8), "media.heic"),
            (Array("\0\0\0\u{18}ftypisom".utf8), "media.film"),
            (Array("PK\u{3}\u{4}".utf8), "media.zip"),
            (Array(" \n<svg onload='alert(1)'>".utf8), "media.page"),
            (Array("hello".utf8), nil), ([0xFF, 0xD8], nil),
        ] as [([UInt8], String?)] {
            #expect(fault(bytes) == .otherType(found: name))
        }
        #expect(fault([]) == .empty)
    }

    @Test func `refuses a file cut off anywhere`() {
        let files = [
            Samples.jpeg(300, 200, segments: Samples.cameraSegments), Samples.png(3, 2),
            Samples.webp([
                ("VP8X", Samples.webpHeader(0, 300, 200)),
                ("VP8 ", Samples.webpPixels(300, 200)),
            ]),
            Samples.pdf(),
        ]
        for file in files {
            // The line end after a document is not a part of it.
            for count in 1..<file.count - 1 {
                #expect(fault(Array(file.prefix(count))) != nil, "\(count) of \(file.count)")
            }
        }
        #expect(fault(Array(Samples.png(3, 2).dropLast(4))) == .cutOff(.png))
        #expect(fault(Array(Samples.jpeg(3, 2).dropLast(2))) == .cutOff(.jpeg))
    }

    @Test func `drops extra bytes after a picture and refuses them after a document`() throws {
        let film = Array("\0\0\0\u{18}ftypisom".utf8) + [0xFF, 0xD8, 0xFF, 0xD9]
        let pictures = [
            Samples.jpeg(300, 200), Samples.png(300, 200),
            Samples.webp([("VP8 ", Samples.webpPixels(300, 200))]),
        ]
        for more in [Samples.page, Samples.archive, film, [0, 0, 1, 0x0A], [0x0A], [0, 0, 0]] {
            for picture in pictures {
                let found = try InspectedMedia(picture + more)
                #expect(found.size == PictureSize(width: 300, height: 200))
                #expect(found.content == picture)
            }
        }
        let ending = fault(Samples.pdf() + Samples.page)
        #expect(ending == .continued(byteCount: Samples.page.count + 1))
        // Phones add smaller pictures, such as a map of brightness, which may not be whole.
        let several = Samples.jpeg(300, 200) + Samples.jpeg(30, 20).dropLast()
        #expect(try InspectedMedia(several).content == Samples.jpeg(300, 200))
    }

    @Test func `drops bytes between the segments of a JPEG picture`() throws {
        let plain = Samples.jpeg(300, 200, segments: Samples.cameraSegments)
        for more in [
            [0], [0, 0], [0xFF, 0, 0], [0xFF, 0xFF], [0x0D, 0x0A], [0x50, 0x4B, 3, 4],
        ] as [[UInt8]] {
            let file =
                Array(plain.prefix(2)) + Samples.segment(0xE0, [1]) + more + plain.dropFirst(2)
            let found = try InspectedMedia(file)
            #expect(found.size == PictureSize(width: 300, height: 200), "\(more)")
            let turn = Samples.segment(0xE1, CameraData.prefix + Samples.turnedData)
            let segments = Samples.segment(0xE0, [1]) + turn
            let tidy = Samples.jpeg(300, 200, segments: segments)
            #expect(found.content == tidy, "\(more)")
        }
    }

    @Test func `passes a PNG picture to the decoder without texts and the like`() throws {
        let long = [UInt8](repeating: 1, count: (64 << 10) + 1)
        let plain = Samples.png(3, 2)
        for (name, content) in [
            ("tEXt", [1]), ("zTXt", [1]), ("iTXt", [1]), ("sPLT", [1]), ("prIv", [1]),
            ("iCCP", long), ("eXIf", long), ("gAMA", [1, 2, 3, 4, 5]),
        ] as [(String, [UInt8])] {
            let file = Samples.png(3, 2, chunks: [(name, content), (name, content)])
            #expect(try InspectedMedia(file).content == plain, "\(name)")
            let end = Samples.chunk("IEND", [])
            let later = plain.dropLast(end.count) + Samples.chunk(name, content) + end
            #expect(try InspectedMedia(Array(later)).content == plain, "\(name)")
        }
        // Those that change the picture stay, each once, and so do all that a decoder must know.
        for (name, content) in [
            ("gAMA", [1, 2, 3, 4]), ("tRNS", [0, 0, 0, 0, 0, 0]),
            ("iCCP", Samples.packedProfile(Samples.profile(more: 60_000))),
            ("eXIf", Samples.turnedData),
        ] as [(String, [UInt8])] {
            let once = Samples.png(3, 2, chunks: [(name, content)])
            let twice = Samples.png(3, 2, chunks: [(name, content), (name, content)])
            #expect(try InspectedMedia(once).content == once, "\(name)")
            #expect(try InspectedMedia(twice).content == once, "\(name)")
        }
        let other = Samples.png(3, 2, chunks: [("ABCD", [1]), ("ABCD", [1])])
        #expect(try InspectedMedia(other).content == other)
    }

    /// - From people: camera data whose directories lead to each other → only the turn is read
    @Test func `passes only how the picture is turned from camera data`() throws {
        let (full, turned) = (Samples.cameraData, Samples.turnedData)
        #expect(CameraData.orientation(in: full[...]) == turned)
        #expect(CameraData.orientation(in: (CameraData.prefix + full)[...]) == turned)
        let loops = (0..<5_000).flatMap { _ in
            [0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] as [UInt8]
        }
        let head = Array("II*\0".utf8) + [8, 0, 0, 0, 0x88, 0x13]
        #expect(CameraData.orientation(in: (head + loops)[...]) == nil)
        let big: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        #expect(CameraData.orientation(in: big[...]) == turned)
        for bytes in [[], Array("II*\0".utf8), head, Array(big.dropLast(3))] as [[UInt8]] {
            #expect(CameraData.orientation(in: bytes[...]) == nil)
        }
        let jpeg = Samples.jpeg(300, 200, segments: Samples.exifSegment + Samples.exifSegment)
        let segment = Samples.segment(0xE1, CameraData.prefix + turned)
        #expect(try InspectedMedia(jpeg).content == Samples.jpeg(300, 200, segments: segment))
        let png = Samples.png(3, 2, chunks: [("eXIf", full)])
        #expect(
            try InspectedMedia(png).content == Samples.png(3, 2, chunks: [("eXIf", turned)])
        )
        func webp(_ data: [UInt8]) -> [UInt8] {
            Samples.webp([
                ("VP8X", Samples.webpHeader(0x08, 300, 200)),
                ("VP8 ", Samples.webpPixels(300, 200)), ("EXIF", data),
            ])
        }
        #expect(try InspectedMedia(webp(full)).content == webp(turned))
    }

    /// - From people: a PNG picture with far more bytes than its pixels need → bad_media
    @Test func `refuses more compressed bytes than a picture's pixels need`() throws {
        let end = Samples.chunk("IEND", [])
        let more = Samples.chunk("IDAT", [UInt8](repeating: 0, count: 70_000))
        #expect(fault(Samples.png(3, 2).dropLast(end.count) + more + end) == .malformed(.png))
    }

    @Test func `refuses a picture with more segments than a camera writes`() throws {
        // Parts of a profile without its first one, which has the header.
        let part = Samples.segment(0xE2, Array("ICC_PROFILE\0\u{2}".utf8) + [0])
        func file(_ count: Int) -> [UInt8] {
            let parts = [[UInt8]](repeating: part, count: count)
            return Samples.jpeg(300, 200, segments: Array(parts.joined()))
        }
        // The picture has four others: its start, frame, scan and end.
        let most = JPEGFile.segmentsMax - 4
        #expect(try InspectedMedia(file(most)).content == Samples.jpeg(300, 200))
        #expect(fault(file(most + 1)) == .malformed(.jpeg))
        #expect(fault(file(10_000)) == .malformed(.jpeg))
    }

    /// - From people: a JPEG picture with more than 100 scans, or more than 1.5 billion pixels in all
    ///   of them → bad_media
    @Test func `refuses a JPEG picture with more scans than its size allows`() {
        let scan = Samples.segment(0xDA, [1, 1, 0, 1, 63, 0]) + [0x12]
        func file(_ side: Int, _ count: Int) -> [UInt8] {
            let scans = [[UInt8]](repeating: scan, count: count - 1).joined()
            return Samples.jpeg(side, side).dropLast(2) + scans + [0xFF, 0xD9]
        }
        #expect(fault(file(300, 100)) == nil && fault(file(300, 101)) == .tooManyScans(101))
        #expect(fault(file(7_000, 30)) == nil && fault(file(7_000, 31)) == .tooManyScans(31))
    }

    /// - From people: a document that is also an archive → bad_media
    @Test func `refuses a document that is also an archive`() {
        let end = "\n%%EOF\n"
        let comment = "startxref\n9\n" + end
        let directory = [UInt8](repeating: 0, count: 16)
        var file = Array("%PDF-1.4\nxref\n".utf8) + Array("PK\u{5}\u{6}".utf8) + directory
        file += Samples.little(comment.utf8.count, 2) + Array(comment.utf8)
        #expect(fault(file) == .alsoArchive)
    }

    /// - From people: a picture that takes more than 200 MB when decoded, such as one with 16 bits
    ///   per colour → bad_media
    @Test func `limits a picture by its decoded size, not its length`() {
        func png(_ width: Int, _ height: Int, depth: UInt8, type: UInt8) -> [UInt8] {
            let header: [UInt8] = Samples.big(width, 4) + Samples.big(height, 4)
            return Samples.pngStart + Samples.chunk("IHDR", header + [depth, type, 0, 0, 0])
                + Samples.chunk("IDAT", [1]) + Samples.chunk("IEND", [])
        }
        func jpeg(_ marker: UInt8, components: UInt8, inFirstScan: UInt8) -> [UInt8] {
            Self.jpeg(50_000, 1_000, marker, components: components, inFirstScan: inFirstScan)
        }
        let size = PictureSize(width: 50_000, height: 1_000)
        // 200 MB, and twice that.
        #expect(fault(png(50_000, 1_000, depth: 8, type: 6)) == nil)
        #expect(fault(png(50_000, 1_000, depth: 16, type: 6)) == .tooDeep(size))
        #expect(fault(png(50_000, 500, depth: 16, type: 6)) == nil)
        #expect(fault(png(50_000, 1_000, depth: 16, type: 0)) == nil)
        #expect(fault(jpeg(0xC0, components: 3, inFirstScan: 3)) == nil)
        #expect(fault(jpeg(0xC2, components: 3, inFirstScan: 3)) == .tooDeep(size))
        // The decoder keeps what comes first until the colours that are missing have come.
        #expect(fault(jpeg(0xC0, components: 3, inFirstScan: 1)) == .tooDeep(size))
        #expect(fault(jpeg(0xC0, components: 0, inFirstScan: 0)) == .malformed(.jpeg))
    }

    /// The segments of a picture with a frame of a kind.
    private static func jpeg(
        _ width: Int,
        _ height: Int,
        _ marker: UInt8,
        components: UInt8,
        inFirstScan: UInt8
    ) -> [UInt8] {
        let parts = (0..<components).flatMap { [$0 + 1, 0x11, 0] as [UInt8] }
        let frame: [UInt8] = [8] + Samples.big(height, 2) + Samples.big(width, 2)
        let scan = (0..<inFirstScan).flatMap { [$0 + 1, 0] as [UInt8] }
        return [0xFF, 0xD8] + Samples.segment(marker, frame + [components] + parts)
            + Samples.segment(0xDA, [inFirstScan] + scan + [0, 63, 0]) + [0x12, 0xFF, 0xD9]
    }

    @Test(arguments: [0x00, 0x01] as [UInt8])
    func `does not mistake a frame in a comment for the picture's frame`(_ marker: UInt8) {
        // Who takes the mark's next bytes for a length goes on within the comment.
        let mark: [UInt8] = [0xFF, marker, 0, 8]
        for components in [0, 1] as [UInt8] {
            let other: [UInt8] = [0xFF, 0xC0, 0, 0x11, 8, 0, 1, 0, 1, components]
            let comment = Samples.segment(0xFE, [0, 0] + other + [0, 0])
            let deep = Self.jpeg(50_000, 1_000, 0xC2, components: 3, inFirstScan: 3)
            let size = PictureSize(width: 50_000, height: 1_000)
            #expect(fault([0xFF, 0xD8] + mark + comment + deep.dropFirst(2)) == .tooDeep(size))
            let flat = Self.jpeg(300, 200, 0xC0, components: 3, inFirstScan: 3)
            #expect(fault([0xFF, 0xD8] + mark + comment + flat.dropFirst(2)) == nil)
        }
    }

    @Test func `refuses a picture with too many pixels after reading its header`() {
        for (width, height) in [(65_535, 65_535), (50_001, 1_000), (1, 50_000_001)] {
            let size = PictureSize(width: width, height: height)
            #expect(fault(Samples.bomb(width, height)) == .tooManyPixels(size))
        }
        let jpeg = PictureSize(width: 65_535, height: 65_535)
        #expect(fault(Samples.jpeg(65_535, 65_535)) == .tooManyPixels(jpeg))
        #expect(fault(Samples.bomb(50_000, 1_000)) == nil)
        #expect(fault(Samples.bomb(0, 7)) == .malformed(.png))
        #expect(fault(Samples.jpeg(7, 0)) == .malformed(.jpeg))
        #expect(fault(Samples.webp([("VP8 ", Samples.webpPixels(0, 7))])) == .malformed(.webp))
    }

    @Test func `refuses an animated picture`() {
        #expect(
            fault(Samples.png(3, 2, chunks: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])]))
                == .animated(.png)
        )
        let frames: [(String, [UInt8])] = [
            ("VP8X", Samples.webpHeader(0x02, 30, 20)), ("ANIM", [0, 0, 0, 0, 0, 0]),
            ("ANMF", [0, 0]),
        ]
        #expect(fault(Samples.webp(frames)) == .animated(.webp))
    }

    @Test func `refuses a picture with contradictory content`() {
        let other: [(String, [UInt8])] = [
            ("VP8X", Samples.webpHeader(0, 300, 200)), ("VP8 ", Samples.webpPixels(301, 200)),
        ]
        #expect(fault(Samples.webp(other)) == .malformed(.webp))
        #expect(fault(Samples.webp([("EXIF", [0, 0])])) == .malformed(.webp))
        let twoFrames = Samples.segment(0xC2, [8, 0, 1, 0, 1, 1, 1, 0x11, 0])
        #expect(fault(Samples.jpeg(3, 2, segments: twoFrames)) == .malformed(.jpeg))
        let noPixels =
            MediaSamples.pngStart
            + Samples.chunk("IHDR", Samples.big(1, 4) + Samples.big(1, 4) + [8, 2, 0, 0, 0])
            + Samples.chunk("IEND", [])
        #expect(fault(noPixels) == .malformed(.png))
        #expect(fault(Array("%PDF-1.4\nhello\n%%EOF\n".utf8)) == .malformed(.pdf))
        #expect(fault(Array("%PDF-x\nxref\nstartxref\n8\n%%EOF".utf8)) == .malformed(.pdf))
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `refuses arbitrary bytes and never crashes`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let files = [
            Samples.jpeg(300, 200, segments: Samples.cameraSegments), Samples.png(3, 2),
            Samples.webp([
                ("VP8X", Samples.webpHeader(0x2C, 300, 200)),
                ("VP8 ", Samples.webpPixels(300, 200)), ("EXIF", Samples.cameraData),
            ]),
            Samples.pdf(),
        ]
        for _ in 0..<2_000 {
            var bytes = files.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                    in: 0...255,
                    using: &random
                )
            }
            // It returns or throws, and reads nothing beyond the end.
            _ = fault(bytes)
        }
    }

    @Test func `removes only metadata`() throws {
        let plain = Samples.jpeg(300, 200, segments: Samples.segment(0xE0, [1]))
        let told = Samples.jpeg(
            300,
            200,
            segments: Samples.segment(0xE0, [1]) + Samples.cameraSegments
        )
        #expect(try JPEGFile(FileBytes(bytes: told)).withoutMetadata() == plain)
        #expect(try JPEGFile(FileBytes(bytes: plain)).withoutMetadata() == plain)

        let pixels = ("VP8 ", Samples.webpPixels(300, 200))
        let clean = Samples.webp([
            ("VP8X", Samples.webpHeader(0x10, 300, 200)), ("ALPH", [1]), pixels,
        ])
        let dirty = Samples.webp([
            ("VP8X", Samples.webpHeader(0x3C, 300, 200)), ("ICCP", [1, 2, 3]), ("ALPH", [1]),
            pixels,
            ("EXIF", Samples.cameraData), ("XMP ", [1]),
        ])
        #expect(try WebPFile(FileBytes(bytes: dirty)).withoutMetadata() == clean)
        #expect(try WebPFile(FileBytes(bytes: clean)).withoutMetadata() == clean)
    }
}
