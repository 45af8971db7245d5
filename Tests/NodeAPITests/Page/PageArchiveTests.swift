import NIOCore
import Testing

@testable import NodeAPI

/// Which files a path finds is no part of what NodeAPI offers, hence the testable import.
struct PageArchiveTests {
    private static let files: [(path: String, isGzip: Bool, content: String)] = [
        ("index.html", true, "packed"), ("assets/app-1A2B.js", false, "let a = 1"),
        ("icon.svg", false, ""),
    ]

    private static func archive(_ files: [(path: String, isGzip: Bool, content: String)])
        -> ByteBuffer
    {
        var bytes = ByteBuffer(string: "STOAPAGE")
        bytes.writeInteger(UInt32(files.count))
        for file in files {
            bytes.writeInteger(UInt16(file.path.utf8.count))
            bytes.writeString(file.path)
            bytes.writeInteger(UInt8(file.isGzip ? 1 : 0))
            bytes.writeInteger(UInt32(file.content.utf8.count))
            bytes.writeString(file.content)
        }
        return bytes
    }

    @Test func `finds the page at each of its routes, and files by their names`() throws {
        let page = PageFiles(try PageArchive(Self.archive(Self.files)))
        for path in [
            "/", "", "/sell", "/listings/0x12.34ab", "/%EC%A3%BC", "/index.html", "/sell/.x",
            "/categories/x.y",
        ] {
            #expect(page.file(at: path) != nil && PageFiles.isRoute(path), "\(path)")
        }
        for path in ["/assets/app-1A2B.js", "//icon.svg"] {
            #expect(page.file(at: path) != nil && !PageFiles.isRoute(path), "\(path)")
        }
        for path in [
            "/v1", "/v1/node", "//v1/node", "/metrics", "/readyz", "/assets/app.js", "/assets",
            "/.git", "/assets/../icon.svg", "/icon.svg.gz",
        ] {
            #expect(page.file(at: path) == nil && !PageFiles.isRoute(path), "\(path)")
        }
    }

    @Test func `refuses an archive that is cut off, longer, or of another form`() throws {
        let whole = Self.archive(Self.files)
        for length in 0..<whole.readableBytes {
            let part = whole.getSlice(at: 0, length: length) ?? ByteBuffer()
            #expect(throws: DamagedPageArchive.self) { try PageArchive(part) }
        }
        var longer = whole
        longer.writeInteger(UInt8(0))
        #expect(throws: DamagedPageArchive.self) { try PageArchive(longer) }
        var other = whole
        other.setString("stoapage", at: 0)
        #expect(throws: DamagedPageArchive.self) { try PageArchive(other) }
    }

    @Test func `the program has a page`() throws {
        #expect(try PageFiles(folder: "").file(at: "/") != nil)
    }
}
