import Client
import Foundation
import Support
import Synchronization
import Testing

@testable import CLI

/// What each command prints if all goes well.
///
/// The node answers with the examples of the API's document, so what is looked for in the output is
/// a field that the command shows.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandAnswerTests {
    private static let answers =
        CommandAnswer.accounts + CommandAnswer.profiles + CommandAnswer.chat + CommandAnswer.node
        + CommandAnswer.moderation + CommandAnswer.moves + CommandAnswer.detailedMoves
        + CommandAnswer.sales + CommandAnswer.courses + CommandAnswer.operations
        + CommandAnswer.money + CommandAnswer.listings + CommandAnswer.files + CommandAnswer.drafts
        + CommandAnswer.saved + CommandAnswer.unattended

    /// Commands whose end other tests see.
    private static let elsewhere = [
        "init": "SystemTests", "node run": "SystemTests", "config show": "ExitCodeTests",
        "config check": "ExitCodeTests", "completion": "HelpTests", "store export": "BackupTests",
        "store import": "BackupTests", "account export": "ExitCodeTests",
        "media get": "FileCommandTests", "sale work": "FileCommandTests",
        "sale pictures": "SalePicturesTests",
        "events": "CommandAnswerTests", "chat watch": "CommandAnswerTests",
        "chain deploy": "TutorialTests", "chain descriptors": "TutorialTests",
        "cluster up": "TutorialTests", "cluster status": "TutorialTests",
        "cluster fund": "TutorialTests", "cluster start": "TutorialTests",
        "cluster stop": "TutorialTests", "cluster down": "TutorialTests",
    ]

    private let folder: TemporaryFolder
    private let document: DocumentAnswers

    init() throws {
        folder = try TemporaryFolder()
        document = try DocumentAnswers()
        try Data(DocumentAnswers.file).write(to: URL(filePath: folder.path("file")))
        let phrase = folder.path("phrase")
        try Data("one two three".utf8).write(to: URL(filePath: phrase))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: phrase)
    }

    @Test func `each command shows the answer to its call`() async throws {
        try await ScriptedServer.scoped(answer: document.good) { node, server in
            for answer in Self.answers {
                let stoa = try program(signedInAt: node)
                let before = server.requests.count
                let end = try stoa.run(all: answer.words, input: answer.input)
                #expect(end.code == 0, "\(answer.typed): \(end.words)")
                let missing = answer.prints.filter { !end.out.contains($0) }
                #expect(missing.isEmpty, "\(answer.typed): no \(missing) in \(end.out)")
                let calls = server.requests.dropFirst(before).filter {
                    "\($0.method) \($0.uri.prefix { $0 != "?" })"
                        == answer.call.replacing(" ", with: " /v1/")
                }
                let isSent = calls.contains { call in
                    answer.sends.allSatisfy { (call.uri + "\n" + call.body).contains($0) }
                }
                #expect(isSent, "\(answer.typed): \(server.requests.dropFirst(before))")

                if let name = answer.ownListing {
                    let lookup = server.requests.dropFirst(before).first {
                        $0.method == "GET" && $0.uri == "/v1/listings/\(name)?own=true"
                    }
                    #expect(lookup != nil, "\(answer.typed)")
                }

                let program = try program(signedInAt: node)
                let json = try program.run(all: answer.words + ["--json"], input: answer.input)
                #expect(json.code == 0, "\(answer.typed): \(json.words)")
                let fault = try answer.fault(in: json.out, document)
                #expect(fault == nil, "\(answer.typed): \(fault ?? "")")
            }
        }
    }

    @Test func `each command has a test in which it succeeds`() throws {
        let leaves = try CommandTree.whole.get().all().filter(\.command.isLeaf)
            .map { $0.name.dropFirst("stoa ".count) }
        #expect(leaves.count > 150)
        let tried = Self.answers.map { $0.words.joined(separator: " ") + " " }
        for name in leaves where Self.elsewhere[String(name)] == nil {
            #expect(tried.contains { $0.hasPrefix(name + " ") }, "\(name)")
        }
    }

    @Test(arguments: [false, true])
    func `prints events as they arrive`(isJSON: Bool) async throws {
        let event = try #require(document.body(of: "GET events"))
        try await ScriptedServer.scoped(
            answer: document.good,
            events: { _ in ScriptedServer.Script(texts: [event], closes: false) }
        ) { node, _ in
            let stoa = try program(signedInAt: node)
            let line = try stoa.firstLine(of: ["events"] + (isJSON ? ["--json"] : []))
            if isJSON {
                let answer = CommandAnswer("events", "GET events")
                #expect(try answer.fault(in: line, document) == nil, "\(line)")
            } else {
                #expect(line == "1  2026-01-01 00:00:00Z  'Red bicycle' is paid.")
            }
        }
    }

    @Test func `prints a message when its event arrives`() async throws {
        let document = document
        let event = try #require(document.body(of: "GET events"))
            .replacing(#""type":"sale""#, with: #""type":"message""#)
        let looks = Mutex(0)
        try await ScriptedServer.scoped(
            answer: { request, place in
                // At the first look nobody has written yet.
                guard request.uri.contains("/messages"),
                    looks.withLock({ looks in
                        looks += 1
                        return looks == 1
                    })
                else { return document.good(request, place) }
                return .json(200, #"{"items":[],"isLast":true}"#)
            },
            events: { _ in ScriptedServer.Script(texts: [event], closes: false) }
        ) { node, _ in
            let stoa = try program(signedInAt: node)
            let line = try stoa.firstLine(of: ["chat", "watch", "bob"])
            #expect(line == "2026-01-01 00:00:00Z  ana  Is it still there?  [sent: …]")
        }
    }

    /// Signs the account of the examples in.
    private func program(signedInAt node: NodeAddress) throws -> Program {
        let time = Date(timeIntervalSince1970: 1_000)
        let account = Account(
            name: "ana",
            address: DocumentAnswers.account,
            createdAt: time,
            isUnlocked: true
        )
        let session = Session(token: "token", account: account, idleUntil: time, expiresAt: time)
        try SessionFolder(data: folder.path("data")).keep(
            SessionFolder.Entry(node: node.description, session: session)
        )
        var stoa = Program(folder: folder.path("data"))
        stoa.environment["STOA_API_PORT"] = "\(node.port)"
        return stoa
    }
}

extension DocumentAnswers {
    /// Answers a request, and refuses what the document does not have.
    @Sendable func good(
        _ request: ScriptedServer.Request,
        _: Int
    ) -> ScriptedServer.Answer {
        answer(to: request) ?? .json(404, "{}")
    }
}
