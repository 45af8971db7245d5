import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Pictures and documents at the command line.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct MediaTextTests {
    @Test func `names a file without a name after its id and type`() {
        let id = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
        #expect(MediaText.fileName(id, type: "image/jpeg", size: nil) == "stoa-88df01642968.jpg")
        #expect(
            MediaText.fileName(id, type: "image/webp", size: 160) == "stoa-88df01642968-160.webp"
        )
        // What a node says is no path.
        #expect(MediaText.fileName("../../x", type: "text/html", size: nil) == "stoa-.bin")
    }

    @Test func `a listing shows its files`() {
        let media = [
            ListingMedia(id: "0x01", type: "image/jpeg", length: 7), ListingMedia(id: "0x02"),
        ]
        #expect(
            MediaText.lines(media) == [
                "media      0x01 (image/jpeg, 7 bytes)", "media      0x02 (?)",
            ]
        )
        #expect(MediaText.lines(nil) == [])
    }

    @Test func `does not send a missing or overlong file`() async throws {
        let folder = try TemporaryFolder()
        let long = folder.path("long.jpg")
        _ = FileManager.default.createFile(atPath: long, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: long))
        try file.truncate(atOffset: UInt64(StoaClient.mediaBytesMax) + 1)
        try file.close()
        try await ScriptedServer.scoped(answer: { _, _ in .json(404, "{}") }) { node, server in
            try await StoaClient.scoped(node) { client in
                for (path, code) in [
                    (folder.path("none.jpg"), ExitReport.Code.configuration), (long, .refused),
                    (folder.path, .configuration),
                ] {
                    let failure = await #expect(throws: Failure.self) {
                        try await MediaInput.media([path], of: client)
                    }
                    #expect(failure?.code == code, "\(path)")
                }
                // What has the form of an id is one.
                let id = "0x" + String(repeating: "0F", count: 32)
                let named = try await MediaInput.media([id], of: client)
                #expect(named == [ListingMedia(id: id.lowercased())])
            }
            #expect(server.requests.isEmpty)
        }
    }

    /// - From commands: writing a picture, document or bought work with `--force` in place of a
    ///   folder or a device → exit 4
    @Test func `saves a file under its name, and overwrites only with --force`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.jpg")
        try LocalFile.write([1], to: path, isForced: false)
        #expect(throws: Failure.self) { try LocalFile.write([2], to: path, isForced: false) }
        #expect(FileManager.default.contents(atPath: path) == Data([1]))
        try LocalFile.write([3], to: path, isForced: true)
        #expect(FileManager.default.contents(atPath: path) == Data([3]))
        // What is no file is never replaced.
        #expect(throws: Failure.self) { try LocalFile.write([4], to: folder.path, isForced: true) }
        #expect(try Program.plain(["media", "get", "0x01", "--size", "7"]).code == 2)
        let seven = Array(repeating: ["--media", "x"], count: 7).flatMap(\.self)
        let listing = [
            "listing", "create", "x", "--price", "1", "--category", "a", "--tag", "a",
            "--description", "a", "--identifier", "a",
        ]
        #expect(try Program.plain(listing + seven).words.contains("at most six times"))
    }

    @Test(arguments: [
        (".bash_login", "bash_login"), ("-rf", "rf"), ("..-~/x", "x"), ("../.ssh/.rc", "rc"),
        ("~.-", "work"), ("", "work"), ("song.flac", "song.flac"), ("my-song.flac", "my-song.flac"),
    ])
    func `a seller cannot name a hidden file or an option`(name: String, file: String) {
        #expect(SaleWork.fileName(name) == file)
    }
}
