import Market
import Support
import Testing

@testable import Node

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

    @Test func `each type is known by its content, with the size of pictures`() throws {
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

    @Test func `another type is named, whatever the file is called`() {
        for (bytes, name) in [
            (Array("GIF89a".utf8), "a GIF picture"), ([0x49, 0x49, 0x2A, 0], "a TIFF picture"),
            (Array("\0\0\0\u{18}ftypheic".utf8), "a HEIC or AVIF picture"),
            (Array("\0\0\0\u{18}ftypisom".utf8), "a film"),
            (Array("PK\u{3}\u{4}".utf8), "a ZIP archive or an office document"),
            (Array(" \n<svg onload='alert(1)'>".utf8), "an SVG picture or a page of the web"),
            (Array("hello".utf8), nil), ([0xFF, 0xD8], nil),
        ] as [([UInt8], String?)] {
            #expect(fault(bytes) == .otherType(found: name))
        }
        #expect(fault([]) == .empty)
    }

    @Test func `a file that is cut off anywhere is refused`() {
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

    @Test func `what goes on after its end is refused, because others could read it as a program`()
    {
        let page = Array("<script>alert(1)</script>".utf8)
        let archive = Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18)
        let pixels = [("VP8 ", Samples.webpPixels(300, 200))]
        for more in [page, archive] {
            let count = more.count
            #expect(
                fault(Samples.jpeg(3, 2) + more) == .continued(.jpeg, byteCount: count)
            )
            #expect(fault(Samples.png(3, 2) + more) == .continued(.png, byteCount: count))
            #expect(fault(Samples.webp(pixels) + more) == .continued(.webp, byteCount: count))
        }
        let ending = fault(Samples.pdf() + page)
        #expect(ending == .continued(.pdf, byteCount: page.count + 1))
    }

    @Test func `further pictures and zeros after a photograph are its camera's, and are taken`()
        throws
    {
        let photograph = Samples.jpeg(300, 200) + Samples.jpeg(30, 20) + [0, 0, 0]
        let found = try InspectedMedia(photograph)
        #expect(found.size == PictureSize(width: 300, height: 200))
        #expect(fault(Samples.jpeg(3, 2) + Samples.jpeg(3, 2).dropLast()) == .cutOff(.jpeg))
    }

    @Test func `a document that is an archive too is refused`() {
        let end = "\n%%EOF\n"
        let comment = "startxref\n9\n" + end
        let directory = [UInt8](repeating: 0, count: 16)
        var file = Array("%PDF-1.4\nxref\n".utf8) + Array("PK\u{5}\u{6}".utf8) + directory
        file += Samples.little(comment.utf8.count, 2) + Array(comment.utf8)
        #expect(fault(file) == .alsoArchive)
    }

    @Test func `a picture with more pixels than are decoded is refused by its header`() {
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

    @Test func `an animated picture is refused`() {
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

    @Test func `a picture that contradicts itself is refused`() {
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
    func `no bytes make it fail otherwise than by a refusal`(seed: UInt64) {
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

    @Test func `metadata is taken out, and nothing else`() throws {
        let plain = Samples.jpeg(300, 200, segments: Samples.segment(0xE0, [1]))
        let told = Samples.jpeg(
            300,
            200,
            segments: Samples.segment(0xE0, [1]) + Samples.cameraSegments
        )
        #expect(try JPEGFile.withoutMetadata(told) == plain)
        #expect(try JPEGFile.withoutMetadata(plain) == plain)

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
