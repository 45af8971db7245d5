import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Pictures of notes at the command line.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SalePicturesTests {
    private static let ids = [
        "0x" + String(repeating: "1", count: 64), "0x" + String(repeating: "2", count: 64),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the program, signed in at a node with a dispute that has two pictures.
    ///
    /// The node cannot get one of them.
    private func run(
        without missing: String? = nil,
        _ body: (Program, ScriptedServer) throws -> Void
    ) async throws {
        let document = try DocumentAnswers()
        var sale = NextStepTests.sale("disputed")
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        sale.history = [
            Sale.Step(move: "list", by: "0x1", at: time, transaction: "0xfe"),
            Sale.Step(
                move: "dispute",
                by: "0x2",
                at: time,
                transaction: "0xff",
                note: "Broken",
                pictures: Self.ids
            ),
        ]
        let text = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        try await ScriptedServer.scoped(
            answer: { request, place in
                let path = request.uri.prefix { $0 != "?" }
                if path == "/v1/sales/lamp" { return .json(200, text) }
                guard path.hasSuffix("/picture") else { return document.good(request, place) }
                guard let missing, request.uri.contains(missing) else { return .json(200, "[]") }
                return .json(404, Self.unavailable)
            }
        ) { node, server in
            try body(try Program.signedIn(at: node, in: folder.path("data")), server)
        }
    }

    @Test func `lists the pictures of a sale, and saves them`() async throws {
        try await run { stoa, server in
            let listed = try stoa.run("sale", "pictures", "lamp")
            #expect(listed.code == 0, "\(listed.words)")
            for id in Self.ids { #expect(listed.out.contains(id)) }
            #expect(listed.out.contains("dispute") && listed.out.contains("2027-01-15 08:00:00Z"))
            #expect(!server.requests.contains { $0.uri.contains("/picture?") })

            let saved = try stoa.run("sale", "pictures", "lamp", "--out", folder.path, "--json")
            #expect(saved.code == 0, "\(saved.words)")
            let answer = try JSONSerialization.jsonObject(with: Data(saved.out.utf8))
            let files = (answer as? [[String: Any]] ?? []).compactMap { $0["file"] as? String }
            #expect(
                files
                    == ["1", "2"].map { digit in
                        folder.path("stoa-" + String(repeating: digit, count: 12) + ".bin")
                    }
            )
            for file in files {
                #expect(FileManager.default.contents(atPath: file) == Data("[]".utf8))
            }
            let asked = server.requests.filter { $0.uri.contains("/picture?picture=0x") }
            #expect(asked.count == 2)
        }
    }

    private static let unavailable =
        #"{"type":"","title":"","status":404,"code":"unknown_media","detail":"No peer has it."}"#

    /// - From commands: saving a sale's pictures of which one is not available → exit 10, with the
    ///   others saved
    /// - From commands: a picture that the sale has not → exit 10
    @Test func `a picture that cannot be saved keeps back no others`() async throws {
        try await run(without: Self.ids[0]) { stoa, server in
            let command = ["sale", "pictures", "lamp", "--out", folder.path("evidence")]
            let saved = try stoa.run(all: command)
            #expect(saved.code == 10, "\(saved.words)")
            #expect(saved.out.contains("not saved: 11111111: No peer has it."), "\(saved.out)")
            #expect(saved.words.contains("Of 2 pictures, 1 could not be saved."), "\(saved.words)")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("evidence"))
            #expect(files == ["stoa-" + String(repeating: "2", count: 12) + ".bin"])
            let before = server.requests.count
            let one = try stoa.run(all: command + ["--only", "2222"])
            #expect(one.code == 0, "\(one.words)")
            let asked = server.requests.dropFirst(before).filter { $0.uri.contains("/picture?") }
            #expect(asked.count == 1)
            let none = try stoa.run(all: command + ["--only", "3333"])
            #expect(none.code == 10 && none.words.contains("begins with '3333'"), "\(none.words)")
        }
    }

    /// - From commands: saving a sale's pictures over other existing files, or into no folder → exit
    ///   4, 2
    @Test func `replaces another file only with --force`() async throws {
        try await run { stoa, _ in
            let command = ["sale", "pictures", "lamp", "--out"]
            #expect(try stoa.run(all: command + [folder.path]).code == 0)
            #expect(try stoa.run(all: command + [folder.path]).code == 0)
            let file = folder.path("stoa-" + String(repeating: "1", count: 12) + ".bin")
            try Data("other".utf8).write(to: URL(filePath: file))
            let again = try stoa.run(all: command + [folder.path])
            #expect(again.code == 4 && again.words.contains("--force"), "\(again.words)")
            #expect(try stoa.run(all: command + [folder.path, "--force"]).code == 0)
            let unnamed = try stoa.run(all: command + [""])
            #expect(unnamed.code == 2 && unnamed.words.contains("--out is empty. Name a folder."))
        }
    }

    /// - From commands: saving a sale's pictures into a folder that cannot be created → exit 4
    @Test func `creates the folder for the pictures if it is missing`() async throws {
        try await run { stoa, _ in
            let command = ["sale", "pictures", "lamp", "--out"]
            let evidence = folder.path("evidence")
            let saved = try stoa.run(all: command + [evidence])
            #expect(saved.code == 0, "\(saved.words)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: evidence).count == 2)
            let mode = try FileManager.default.attributesOfItem(atPath: evidence)[.posixPermissions]
            #expect(mode as? Int == 0o700)

            let file = folder.path("file")
            try Data().write(to: URL(filePath: file))
            let refused = try stoa.run(all: command + [file])
            #expect(refused.code == 4, "\(refused.words)")
            #expect(refused.words.contains("/file' cannot be created:"), "\(refused.words)")
            #expect(refused.words.contains("Name another folder with --out."), "\(refused.words)")
        }
    }

    /// - From commands: a note with more than six pictures, or pictures without a note → exit 2
    @Test func `a dispute takes up to six pictures with its reason`() async throws {
        try await run { stoa, server in
            let file = folder.path("frame.png")
            try Data(DocumentAnswers.file).write(to: URL(filePath: file))
            func dispute(_ count: Int, _ more: [String]) throws -> Program.Outcome {
                let pictures = (0..<count).flatMap { ["--media", Self.ids[$0 % 2]] }
                return try stoa.run(all: ["sale", "dispute", "lamp", "--yes"] + pictures + more)
            }
            let seven = try dispute(7, ["--reason", "Broken"])
            #expect(seven.code == 2, "\(seven.words)")
            #expect(seven.words.contains("At most 6 pictures go with a note; these are 7."))
            let alone = try dispute(1, [])
            #expect(
                alone.code == 2
                    && alone.words.contains("say with --note or --reason what they show")
            )
            let text = try dispute(0, ["--reason", "Broken", "--media", file])
            #expect(text.code == 10, "no picture, \(text.words)")
            #expect(server.requests.allSatisfy { $0.method == "GET" })

            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            try Data(png).write(to: URL(filePath: file))
            for move in ["dispute", "propose --share 50%", "take", "rule --share 50%"] {
                let words = ["sale"] + move.split(separator: " ").map(String.init)
                let options = ["lamp", "--yes", "--note", "See it", "--media", Self.ids[1]]
                let end = try stoa.run(all: words + options)
                #expect(end.code == 0, "\(move): \(end.words)")
                let body = server.requests.last { $0.uri.contains("/moves?") }?.body ?? ""
                #expect(body.contains(#""pictures":["\#(Self.ids[1])"]"#), "\(body)")
            }
        }
    }
}
