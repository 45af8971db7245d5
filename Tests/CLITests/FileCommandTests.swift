import Client
import Foundation
import Support
import Synchronization
import Testing

@testable import CLI

/// Commands that send files to a node and write files that come from one.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct FileCommandTests {
    private static let work =
        #"{"identifier":"0f","isHere":true,"length":3,"name":"a.flac"}"#
    /// The node says which bytes came.
    private static let media = """
        {"id":"0x01","length":3,"received":\
        "0x039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81","type":"image/png"}
        """
    private static let problem = """
        {"code":"media_no_room","detail":"The file was not stored.","status":507,"title":"No room",\
        "type":"urn:stoa:problem:media_no_room"}
        """

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file, and returns its path.
    private func file(_ name: String, _ bytes: [UInt8] = [1, 2, 3]) throws -> String {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Runs `body` with the program, signed in at a node that takes only the first of what it is sent.
    private func run(_ body: (Program, ScriptedServer) throws -> Void) async throws {
        let taken = Mutex(0)
        try await ScriptedServer.scoped(answer: { request, _ in
            guard request.method == "POST" else { return .json(200, "[]") }
            let isFirst = taken.withLock { taken in
                taken += 1
                return taken == 1
            }
            guard isFirst else { return .json(507, Self.problem) }
            return .json(201, request.uri.hasPrefix("/v1/works") ? Self.work : Self.media)
        }) { node, server in
            let data = folder.path("data")
            try SessionFolder(data: data).keepSession(at: node)
            try body(Program(folder: data), server)
        }
    }

    /// - From commands: one of several files that cannot be added → the exit code of its error,
    ///   after the answer for the files added before it
    @Test(arguments: ["work", "media"])
    func `reports files added before one that fails`(_ command: String) async throws {
        try await run { stoa, server in
            let (first, second) = (try file("a"), try file("b"))
            let some = try stoa.run(command, "add", first, second, "--json")
            #expect(some.code == 1, "\(some.words)")
            #expect(some.words.contains("media_no_room") && some.words.contains("'\(second)'"))
            let added = try JSONSerialization.jsonObject(with: Data(some.out.utf8)) as? [Any]
            #expect(added?.count == 1, "\(some.out)")
            // Nothing was added: there is nothing but the error.
            let none = try stoa.run(command, "add", second, first, "--json")
            #expect(none.code == 1 && none.out.isEmpty)
            let text = try stoa.run(command, "add", folder.path("missing"), first)
            #expect(text.code == 4 && text.out.isEmpty)
            #expect(server.requests.count { $0.method == "POST" } == 3)
        }
    }

    /// - From commands: `sale work --force` without `--out` → exit 2
    @Test func `a file name chosen by the seller replaces no existing file`() throws {
        let program = Program(folder: try TemporaryFolder().path)
        let refused = try program.run("sale", "work", "7", "--force")
        #expect(refused.code == 2 && refused.words.contains("give --out"), "\(refused.words)")
    }

    /// - From commands: writing a picture, document or bought work to a file that exists → exit 4
    /// - From commands: an empty file name, or a folder instead of a file → exit 2, 4
    @Test(arguments: [["sale", "work", "0x01"], ["media", "get", "0x01"]])
    func `replaces an existing file only with --force`(_ command: [String]) async throws {
        try await run { stoa, server in
            let path = try file("kept", [7])
            let refused = try stoa.run(all: command + ["--out", path])
            #expect(refused.code == 4, "\(refused.words)")
            #expect(refused.words.contains("exists. Name another file with --out"))
            #expect(refused.words.contains("--force"))
            let folder = try stoa.run(all: command + ["--out", self.folder.path])
            #expect(
                folder.code == 4 && folder.words.contains("is a folder. Name a file with --out.")
            )
            let unnamed = try stoa.run(all: command + ["--out", ""])
            #expect(unnamed.code == 2 && unnamed.words.contains("--out is empty. Name a file."))
            #expect(server.requests.isEmpty)
            let forced = try stoa.run(all: command + ["--out", path, "--force"])
            #expect(forced.code == 0, "\(forced.words)")
            #expect(FileManager.default.contents(atPath: path) == Data("[]".utf8))
        }
    }

    /// - From commands: a profile photo that is not a picture → exit 10
    @Test func `sends a profile photo only if it begins like a picture`() async throws {
        try await run { stoa, server in
            let path = try file("x.pdf", Array("%PDF-1.7".utf8))
            let refused = try stoa.run("account", "profile", "set", "--photo", path)
            #expect(refused.code == 10, "\(refused.words)")
            #expect(refused.words.contains("is not a JPEG, PNG or WebP picture"))
            #expect(!server.requests.contains { $0.method == "POST" })
            let picture = try file("x.png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            _ = try stoa.run("account", "profile", "set", "--photo", picture)
            #expect(server.requests.contains { $0.uri == "/v1/media" })
        }
    }

    @Test func `waits for the key of a work that was sold just now`() async throws {
        var sale = NextStepTests.sale("sold", stage: "over", isLate: true)
        sale.since = sale.asOf
        let sold = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        let missing = Self.problem.replacing("media_no_room", with: "not_found")
            .replacing("507", with: "404")
        let asked = Mutex(0)
        try await ScriptedServer.scoped(answer: { request, _ in
            guard request.uri.hasSuffix("/work") else {
                return .json(200, request.uri == "/v1/sales/lamp" ? sold : "[]")
            }
            let isFirst = asked.withLock { asked in
                asked += 1
                return asked == 1
            }
            return isFirst ? .json(404, missing) : .json(200, "[]")
        }) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let end = try stoa.run("sale", "work", "lamp", "--out", folder.path("song"))
            #expect(end.code == 0, "\(end.words)")
            #expect(end.out.contains("Waiting for the key from the seller's node."))
        }
        #expect(asked.withLock { $0 } == 2)
    }

    @Test func `marks a work as incomplete if its key arrived without its file`() {
        let works = [true, false].map {
            Work(identifier: "0f", name: $0 ? "a" : "b", length: 3, isHere: $0)
        }
        let lines = WorkText.table(works).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].contains("here") && !lines[1].contains("not yet"))
        #expect(lines[2].contains("key here, file not yet"))
    }

    /// - From commands: a work of more than 15 MiB less 28 bytes; another file of more than 15 MiB
    ///   → exit 10
    @Test func `reports the size limit for an overlong file in readable units`() throws {
        let path = folder.path("long")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.truncate(atOffset: UInt64(StoaClient.workBytesMax) + 1)
        try file.close()
        #expect(StoaClient.workBytesMax == 15_728_612)
        let failure = #expect(throws: Failure.self) {
            try LocalFile.contents(
                of: path,
                byteCountMax: StoaClient.workBytesMax,
                limit: WorkInput.limit
            )
        }
        #expect(failure?.code == .refused)
        #expect(failure?.message.contains("15 MiB less 28 bytes (15728612 bytes)") == true)
        // A picture or document may have the whole 15 MiB.
        #expect(try LocalFile.contents(of: path).count == StoaClient.workBytesMax + 1)
    }
}

extension SessionFolder {
    /// Keeps a session of Ana's at a node.
    fileprivate func keepSession(at node: NodeAddress) throws {
        let time = Date(timeIntervalSince1970: 1_000)
        let account = Account(name: "ana", address: "0x1", createdAt: time, isUnlocked: true)
        let session = Session(token: "secret", account: account, idleUntil: time, expiresAt: time)
        try keep(SessionFolder.Entry(node: node.description, session: session))
    }
}
