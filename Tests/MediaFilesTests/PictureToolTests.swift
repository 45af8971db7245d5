import Foundation
import Logging
import Market
import Support
import Testing

@testable import MediaFiles

/// Pictures through the tool that a node uses; it is the real one.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PictureToolTests {
    private typealias Samples = MediaSamples

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func tool(
        isolation: PictureTool.Isolation? = nil,
        _ change: (inout LimitedProcess.Allowance) -> Void = { _ in }
    ) -> PictureTool {
        var allowance = LimitedProcess.Allowance()
        change(&allowance)
        return PictureTool(
            allowance: allowance,
            isolation: isolation,
            logger: Logger(label: "test")
        )
    }

    /// What the tool makes of a file, and which files are left of its work.
    private func render(
        _ bytes: [UInt8],
        as form: Market.Media.Form,
        by tool: PictureTool? = nil
    ) async throws -> RenderedPicture {
        let work = folder.path("work")
        defer {
            let left = try? FileManager.default.contentsOfDirectory(atPath: work)
            #expect(left == [])
        }
        let place = try PrivateFolder(in: work)
        try Data(bytes).write(to: URL(filePath: place.file("in")))
        let tool = tool ?? self.tool()
        let turn = try await tool.turn(for: PictureOwner(caller: .thisMachine))
        return try await tool.render(form, in: place, during: turn)
    }

    /// Runs libvips to make a file for a test, and returns it.
    @discardableResult
    private func vips(_ arguments: String..., makes name: String? = nil) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/vips")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        let said = Pipe()
        process.standardOutput = said
        try process.run()
        let text = try said.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(arguments)")
        guard let name else { return [UInt8](text) }
        return try contents(name)
    }

    private func contents(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.url.appending(path: name)))
    }

    /// The colour of a picture at a point, from 0 to 255.
    private func colour(_ picture: [UInt8], at x: Int, _ y: Int) throws -> [Double] {
        try Data(picture).write(to: folder.url.appending(path: "look"))
        let said = try vips("getpoint", "look", "\(x)", "\(y)")
        return String(decoding: said, as: UTF8.self).split(separator: " ")
            .compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    private func isRed(_ colour: [Double]) -> Bool {
        colour.count >= 3 && colour[0] > 150 && colour[1] < 90 && colour[2] < 90
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: folder.url.appending(path: name))
    }

    @Test func `shrinks a large picture and makes two thumbnails`() async throws {
        try write(Samples.png(300, 200), "red.png")
        let large = try vips("resize", "red.png", "large.jpg", "10", makes: "large.jpg")
        let picture = try await render(large, as: .jpeg)
        #expect(picture.form == .jpeg)
        #expect(picture.size == PictureSize(width: 2_560, height: 1_707))
        #expect(try InspectedMedia(picture.bytes).size == picture.size)
        #expect(isRed(try colour(picture.bytes, at: 1_000, 1_000)))
        #expect(Set(picture.thumbnails.keys) == [160, 640])
        for (side, bytes) in picture.thumbnails {
            let small = try InspectedMedia(bytes)
            #expect(small.form == .webp && small.size?.longSide == side)
            #expect(isRed(try colour(bytes, at: 10, 10)))
        }
    }

    @Test func `removes the location and all metadata, and turns pictures upright`() async throws {
        try write(Samples.png(300, 200), "red.png")
        let jpeg = try vips("copy", "red.png", "plain.jpg", makes: "plain.jpg")
        let told = Array(jpeg.prefix(2)) + Samples.cameraSegments + jpeg.dropFirst(2)
        try write(told, "told.jpg")
        let files: [([UInt8], Market.Media.Form)] = [
            (told, .jpeg),
            (try vips("copy", "told.jpg", "told.webp", makes: "told.webp"), .webp),
            (try vips("copy", "told.jpg", "told.png", makes: "told.png"), .png),
        ]
        for (file, form) in files {
            #expect(file.holds("secret-place"), "\(form)")
            let picture = try await render(file, as: form)
            #expect(picture.size == PictureSize(width: 200, height: 300), "\(form)")
            for bytes in [picture.bytes] + picture.thumbnails.values {
                #expect(!bytes.holds("secret-place"), "\(form)")
                #expect(!bytes.holds("Exif") && !bytes.holds("EXIF"), "\(form)")
            }
        }
    }

    @Test func `converts other colour spaces to sRGB`() async throws {
        try write(Samples.png(64, 48), "red.png")
        let print = try vips("icc_transform", "red.png", "print.jpg", "cmyk", makes: "print.jpg")
        let deep = try vips("colourspace", "red.png", "deep.png", "rgb16", makes: "deep.png")
        for (file, form) in [(print, Market.Media.Form.jpeg), (deep, .png)] {
            let picture = try await render(file, as: form)
            #expect(isRed(try colour(picture.bytes, at: 30, 20)), "\(form)")
        }
        try vips("colourspace", "red.png", "grey.png", "b-w")
        let seen = try await render(try contents("grey.png"), as: .png)
        #expect(seen.form == .webp)
    }

    @Test func `decodes a grey picture with a colour profile`() async throws {
        try write(Samples.png(64, 48, red: 90, green: 90, blue: 90), "even.png")
        try vips("icc_transform", "even.png", "profile.jpg", "srgb")
        // Its one profile, in front of a grey picture.
        let profiled = try contents("profile.jpg")
        let start = try #require(Data(profiled).range(of: Data("ICC_PROFILE\0".utf8))?.lowerBound)
        let length = Int(profiled[start - 2]) << 8 | Int(profiled[start - 1])
        let segment = profiled[start - 4..<start - 2 + length]
        let grey = try vips("colourspace", "even.png", "grey.jpg", "b-w", makes: "grey.jpg")
        let file = Array(grey.prefix(2)) + segment + grey.dropFirst(2)
        let picture = try await render(try InspectedMedia(file).content, as: .jpeg)
        let colour = try colour(picture.bytes, at: 30, 20)
        #expect(colour.allSatisfy { abs($0 - 90) < 8 }, "\(colour)")
    }

    @Test func `keeps transparent pixels transparent`() async throws {
        try write(Samples.png(64, 48), "red.png")
        let clear = try vips("bandjoin_const", "red.png", "clear.png", "0", makes: "clear.png")
        let picture = try await render(clear, as: .png)
        #expect(picture.form == .webp)
        #expect(try colour(picture.bytes, at: 10, 10).last == 0)
    }

    @Test func `accepts the smallest picture unchanged`() async throws {
        let picture = try await render(Samples.png(1, 1), as: .png)
        #expect(picture.size == PictureSize(width: 1, height: 1))
        #expect(picture.thumbnails.count == 2)
        let line = try await render(Samples.png(3_000, 1), as: .png)
        #expect(line.size == PictureSize(width: 2_560, height: 1))
    }

    @Test func `refuses a corrupt picture and leaves no file behind`() async throws {
        try write(Samples.png(300, 200), "red.png")
        let jpeg = try vips("copy", "red.png", "red.jpg", makes: "red.jpg")
        var damaged = Samples.png(300, 200)
        damaged[damaged.count / 2] ^= 0xFF
        for (file, form) in [
            (Samples.jpeg(300, 200), Market.Media.Form.jpeg),
            (Array(jpeg.prefix(jpeg.count / 2)), .jpeg),
            (Samples.bomb(9_000, 5_000), .png), (damaged, .png),
            (Samples.webp([("VP8 ", Samples.webpPixels(300, 200))]), .webp),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), .png), (Samples.pdf(), .jpeg),
        ] {
            await #expect(throws: PictureTool.Failure.self, "\(form)") {
                try await render(file, as: form)
            }
        }
    }

    @Test func `refuses a PNG picture with far more pixels than it says`() async throws {
        let header: [UInt8] = Samples.big(8, 4) + Samples.big(8, 4) + [8, 2, 0, 0, 0]
        let file =
            Samples.pngStart + Samples.chunk("IHDR", header)
            + Samples.chunk("IDAT", Samples.packedZeros(runs: 20_000)) + Samples.chunk("IEND", [])
        await #expect(throws: MediaFault.malformed(.png)) { try await render(file, as: .png) }
    }

    /// - From people: a picture that takes too much time or memory to decode → bad_media
    @Test func `gives up on a picture that needs too much time or memory`() async throws {
        let bomb = try vips("black", "bomb.png", "7000", "7000", makes: "bomb.png")
        #expect(bomb.count < 200_000)
        let hasty = tool { $0.time = .milliseconds(50) }
        await #expect(throws: PictureTool.Failure.tooCostly) {
            try await render(bomb, as: .png, by: hasty)
        }
        let small = tool { $0.addressBytes = 190 << 20 }
        await #expect(throws: (any Error).self) {
            try await render(bomb, as: .png, by: small)
        }
        // Within the limits of a node it is a picture like others.
        let picture = try await render(bomb, as: .png)
        #expect(picture.size == PictureSize(width: 2_560, height: 2_560))
    }

    @Test func `works without namespaces, with only resource limits`() async throws {
        let picture = try await render(
            Samples.png(30, 20),
            as: .png,
            by: tool(isolation: .limitsAlone)
        )
        #expect(picture.size == PictureSize(width: 30, height: 20))
    }
}

extension [UInt8] {
    fileprivate func holds(_ text: String) -> Bool {
        Data(self).range(of: Data(text.utf8)) != nil
    }
}
