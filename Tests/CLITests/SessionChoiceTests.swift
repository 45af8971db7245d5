import Client
import Foundation
import Support
import Testing

@testable import CLI

/// Which account a command acts as.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionChoiceTests {
    private let folder: TemporaryFolder
    private let document: DocumentAnswers

    init() throws {
        folder = try TemporaryFolder()
        document = try DocumentAnswers()
    }

    private func keep(_ name: String, at node: NodeAddress) throws {
        let time = Date(timeIntervalSince1970: 1_000)
        let account = Account(name: name, address: "0x" + name, createdAt: time, isUnlocked: true)
        let session = Session(token: name, account: account, idleUntil: time, expiresAt: time)
        try SessionFolder(data: folder.path("data")).keep(
            SessionFolder.Entry(node: node.description, session: session)
        )
    }

    /// Runs `body` with ana and bo signed in at a node that knows only the sessions in `live`.
    private func withNode(
        live: Set<String>,
        _ body: (Program, ScriptedServer) throws -> Void
    ) async throws {
        let answers = document
        let refusal = """
            {"type":"urn:stoa:problem:sign_in_needed","title":"Sign in needed","status":401,\
            "code":"sign_in_needed","detail":"Sign in."}
            """
        try await ScriptedServer.scoped(
            answer: { request, place in
                let token = request.token.map { String($0.dropFirst("Bearer ".count)) }
                guard token.map({ live.contains($0) || $0 == "0f…" }) ?? true else {
                    return .json(401, refusal)
                }
                return answers.good(request, place)
            }
        ) { node, server in
            for name in ["ana", "bo"] { try keep(name, at: node) }
            var stoa = Program(folder: folder.path("data"))
            stoa.environment["STOA_API_PORT"] = "\(node.port)"
            try body(stoa, server)
        }
    }

    private static func token(of server: ScriptedServer) -> String? {
        server.requests.last { $0.uri.hasPrefix("/v1/wallet") }?.token
    }

    @Test func `says as which of several accounts a command acts`() async throws {
        try await withNode(live: ["ana", "bo"]) { stoa, server in
            _ = try stoa.run("account", "use", "ana")
            let shown = try stoa.run("sale", "buy", "bicycle", "--dry-run")
            #expect(shown.out.hasPrefix("As ana (0xana):\n"), "\(shown)")
            let send = ["chat", "send", "bob", "Hello"]
            let refused = try stoa.run(typing: "n\n", send)
            #expect(refused.code == 2 && refused.words.contains("Send it as ana (0xana)?"))
            #expect(!server.requests.contains { $0.method == "POST" && $0.body.contains("Hello") })
            let named = try stoa.run(typing: "", send + ["--as", "bo"])
            #expect(named.code == 0 && !named.words.contains("Send it as"), "\(named.words)")
        }
    }

    /// - From commands: several accounts are signed in, and none is named or chosen → exit 2
    @Test func `asks for an account only while several sessions are live`() async throws {
        try await withNode(live: ["ana", "bo"]) { stoa, _ in
            let open = try stoa.run("wallet", "balance")
            #expect(
                open.code == 2 && open.words.contains("'stoa account use': ana, bo."),
                "\(open)"
            )
        }
        try await withNode(live: ["bo"]) { stoa, server in
            let only = try stoa.run("wallet", "balance")
            #expect(only.code == 0, "\(only.words)")
            #expect(Self.token(of: server) == "Bearer bo")
            #expect(try SessionFolder(data: folder.path("data")).all().count == 1)
        }
    }

    /// - From commands: the chosen account is not signed in → exit 9
    @Test func `acts as the named account, else as the chosen one`() async throws {
        try await withNode(live: ["ana", "bo"]) { stoa, server in
            #expect(try stoa.run("account", "use", "cy").code == 10)
            #expect(try stoa.run("account", "use").code == 2)
            #expect(try stoa.run("account", "use", "ana").code == 0)
            #expect(try stoa.run("wallet", "balance").code == 0)
            #expect(Self.token(of: server) == "Bearer ana")
            var other = stoa
            other.environment["STOA_ACCOUNT"] = "bo"
            #expect(try other.run("wallet", "balance").code == 0)
            #expect(Self.token(of: server) == "Bearer bo")
            #expect(try other.run("wallet", "balance", "--as", "ana").code == 0)
            #expect(Self.token(of: server) == "Bearer ana")
            SessionFolder(data: folder.path("data")).forget("ana")
            let gone = try stoa.run("wallet", "balance")
            #expect(gone.code == 9 && gone.words.contains("'stoa account use', is not signed in"))
            #expect(try stoa.run("account", "use", "--none").code == 0)
            #expect(try stoa.run("wallet", "balance").code == 0)
            #expect(Self.token(of: server) == "Bearer bo")
        }
    }

    /// - From commands: a sale in which several signed-in accounts have a part, and none is named or
    ///   chosen → exit 2
    @Test func `shows a sale as the signed-in account that has a part in it`() async throws {
        try await withSales { stoa, server in
            let last = { server.requests.last { $0.uri == "/v1/sales/lamp" }?.token }
            let only = try stoa.run("sale", "show", "lamp")
            #expect(only.code == 0 && only.out.hasPrefix("as         bo\n"), "\(only)")
            #expect(only.out.contains("buyer      0xbo, you") && last() == "Bearer bo")
            let both = try stoa.run("sale", "show", "boat")
            #expect(both.code == 2 && both.words.contains("with --as: ana, bo."), "\(both)")
            #expect(try stoa.run("sale", "show", "boat", "--as", "bo").code == 0)
            #expect(try stoa.run("account", "use", "ana").code == 0)
            let chosen = try stoa.run("sale", "show", "boat")
            #expect(chosen.code == 0 && !chosen.out.contains("as         "), "\(chosen)")
            #expect(chosen.out.contains("seller     0xana, you"), "\(chosen)")
            #expect(try stoa.run("sale", "show", "lamp").out.contains("as         bo"))
            let json = try stoa.run("sale", "show", "lamp", "--json")
            #expect(json.code == 0 && json.out.hasPrefix("{"), "\(json)")
            #expect(try stoa.run("sale", "show", "none").code == 10)
        }
    }

    /// Runs `body` with ana, who sells a boat, and bo, who buys it and a lamp, signed in.
    private func withSales(_ body: (Program, ScriptedServer) throws -> Void) async throws {
        let answers = document
        var sale = NextStepTests.sale("paid")
        (sale.seller, sale.buyer) = ("0xana", "0xbo")
        sale.own = "buyer"
        let boat = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        sale.seller = "0xcy"
        let lamp = String(decoding: try WireCoding.encoder().encode(sale), as: UTF8.self)
        let none = """
            {"type":"urn:stoa:problem:unknown_sale","title":"Unknown sale","status":404,\
            "code":"unknown_sale","detail":"No sale."}
            """
        try await ScriptedServer.scoped(
            answer: { request, place in
                guard request.uri.hasPrefix("/v1/sales/") else {
                    return answers.good(request, place)
                }
                return switch (request.uri, request.token) {
                case ("/v1/sales/boat", "Bearer ana"), ("/v1/sales/boat", "Bearer bo"):
                    .json(200, boat)
                case ("/v1/sales/lamp", "Bearer bo"): .json(200, lamp)
                default: .json(404, none)
                }
            }
        ) { node, server in
            for name in ["ana", "bo"] { try keep(name, at: node) }
            var stoa = Program(folder: folder.path("data"))
            stoa.environment["STOA_API_PORT"] = "\(node.port)"
            try body(stoa, server)
        }
    }

    @Test func `signing in again ends the account's earlier session`() async throws {
        try await withNode(live: ["ana", "bo"]) { stoa, server in
            let word = "correct horse\n"
            let ended = { server.requests.filter { $0.method == "DELETE" }.map(\.token) }
            let first = try stoa.run("account", "sign-in", "ana", "--password-stdin", input: word)
            #expect(first.code == 0, "\(first.words)")
            // The answer's session is of the account that the kept one has another address than.
            #expect(ended() == [])
            _ = try stoa.run("account", "sign-in", "ana", "--password-stdin", input: word)
            #expect(ended() == ["Bearer 0f…"])
        }
    }

    @Test func `signing out says that another session keeps the key unlocked`() async throws {
        try await withNode(live: ["ana", "bo"]) { stoa, _ in
            let word = "correct horse\n"
            _ = try stoa.run("account", "sign-in", "ana", "--password-stdin", input: word)
            let out = try stoa.run("account", "sign-out", "--as", "ana")
            #expect(out.out.contains("ana is signed out.\nThe node still has its key unlocked"))
            let bo = try stoa.run("account", "sign-out", "--as", "bo")
            #expect(bo.out == "bo is signed out.\n", "\(bo.words)")
        }
    }

    @Test func `signs out the named account, or with --all each one`() async throws {
        try await withNode(live: ["ana", "bo", "cy"]) { stoa, server in
            let ended = { server.requests.filter { $0.method == "DELETE" } }
            let named = try stoa.run("account", "sign-out", "BO")
            #expect(named.code == 0 && named.out == "bo is signed out.\n", "\(named)")
            #expect(ended().map(\.token) == ["Bearer bo"])
            #expect(try stoa.run("account", "sign-out", "bo").code == 9)
            #expect(try stoa.run("account", "sign-out", "ana", "--as", "ana").code == 2)
            let issuer = try SessionFolder(data: folder.path("data")).session(of: "ana").node
            try keep("cy", at: try NodeAddress(text: issuer))
            try keep("bad", at: NodeAddress(host: "127.0.0.1", port: 1))
            let every = try stoa.run("account", "sign-out", "--all")
            // The sessions after one that cannot be ended are ended too.
            #expect(every.code == 9 && every.words.contains("bad was signed in at"), "\(every)")
            let line = " is signed out, and has no session on this node.\n"
            #expect(every.out == "ana" + line + "cy" + line)
            #expect(ended().dropFirst().map(\.token) == ["Bearer ana", "Bearer cy"])
            #expect(ended().last?.uri == "/v1/sessions/current?everySession=true")
        }
    }

    /// - From commands: ending all sessions of an account with one that has ended → exit 9
    @Test func `signing out everywhere needs a session that is live`() async throws {
        try await withNode(live: ["ana"]) { stoa, server in
            let out = try stoa.run("account", "sign-out", "--all", "--as", "ana")
            #expect(out.out == "ana is signed out, and has no session on this node.\n")
            let ended = server.requests.last { $0.method == "DELETE" }
            #expect(ended?.uri == "/v1/sessions/current?everySession=true")
            // The node says that the key of this address is unlocked.
            let folder = SessionFolder(data: folder.path("data"))
            let kept = try folder.session(of: "bo")
            var account = kept.session.account
            account.address = DocumentAnswers.account
            let time = kept.session.expiresAt
            let dead = Session(token: "dead", account: account, idleUntil: time, expiresAt: time)
            try folder.keep(SessionFolder.Entry(node: kept.node, session: dead))
            let bo = try stoa.run("account", "sign-out", "--all", "--as", "bo")
            #expect(bo.code == 9 && bo.words.contains("Sign in again"), "\(bo.words)")
        }
    }
}
