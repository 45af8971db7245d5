import Client
import Contracts
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing
import Trade

@Suite(.timeLimit(.minutes(5)))
struct APITests {
    /// - From people: a missing, expired or wrong token → sign_in_needed
    @Test func `creates an account, signs in and out`() async throws {
        try await TestNode.run { node in
            let made = try await node.call(
                .POST,
                "accounts",
                body: #"{"name":"ana","password":"correct horse"}"#
            )
            #expect(made.status == 201)
            let created: CreatedAccount = try made.read()
            #expect(created.phrase?.split(separator: " ").count ?? 0 >= 12)

            let session: Session = try await node.call(
                .POST,
                "sessions",
                body: #"{"account":"\#(created.account.address)","password":"correct horse"}"#
            ).read()
            let current: CurrentSession = try await node.call(
                .GET,
                "sessions/current",
                token: session.token
            ).read()
            #expect(current.account?.name == "ana" && current.account?.isUnlocked == true)

            let out = try await node.call(.DELETE, "sessions/current", token: session.token)
            #expect(out.status == 204)
            let stale = try await node.call(.GET, "sessions/current", token: session.token)
            #expect(stale.status == 401 && stale.code == "sign_in_needed")
        }
    }

    @Test func `restores an account by its recovery phrase`() async throws {
        try await TestNode.run { node in
            let created: CreatedAccount = try await node.call(
                .POST,
                "accounts",
                body: #"{"name":"ana","password":"correct horse"}"#
            ).read()
            let phrase = try #require(created.phrase)
            try await TestNode.run { other in
                let recovered: CreatedAccount = try await other.call(
                    .POST,
                    "accounts",
                    body: #"{"name":"ana","password":"other horse","phrase":"\#(phrase)"}"#
                ).read()
                #expect(recovered.account.address == created.account.address)
                #expect(recovered.phrase == nil)
            }
        }
    }

    /// - From people: a name that is missing, too long, not text, begins with '-' or 0x, or has
    ///   spaces or control characters → malformed_value
    /// - From people: a name of invisible characters, or with one of them or a variation selector
    ///   that changes nothing → malformed_value
    /// - From people: a password of fewer than 8 characters → weak_password
    /// - From people: a text that is not a recovery phrase → bad_phrase
    /// - From people: an account whose name (ignoring case, or a name that looks like
    ///   it) or key is already on this node → name_taken
    /// - From people: malformed JSON → malformed_json
    @Test func `refuses each invalid account with its own message`() async throws {
        try await TestNode.run { node in
            for (body, status, code) in [
                (#"{"name":"ana","password":"short"}"#, 422, "weak_password"),
                (#"{"name":"","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"a b","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"-x","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"0Xab","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":1,"password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"ana","password":"correct horse","phrase":"no"}"#, 400, "bad_phrase"),
                (#"{"name":"a\u001b[1m","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"a\u202e","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"\u3164","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"\u2800","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"ana\uffa0","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"ana\ufe0f","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"a\ufe01na","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"an\udb40\udd00a","password":"correct horse"}"#, 400, "malformed_value"),
                (#"{"name":"ana","password":"correct\u200bhorse"}"#, 400, "malformed_value"),
                ("{", 400, "malformed_json"), ("", 400, "malformed_json"),
            ] {
                let answer = try await node.call(.POST, "accounts", body: body)
                #expect(answer.status == status && answer.code == code, "\(body)")
            }
            _ = try await node.signIn("ana")
            for name in ["ana", "ANA", "\u{430}na", "ａｎａ", "än\u{251}"] {
                let again = try await node.call(
                    .POST,
                    "accounts",
                    body: #"{"name":"\#(name)","password":"correct horse"}"#
                )
                #expect(again.status == 409 && again.code == "name_taken")
            }
        }
    }

    /// - From people: too many wrong passwords by one caller → too_many_tries
    @Test func `slows down password guesses`() async throws {
        try await TestNode.run { node in
            _ = try await node.signIn("ana")
            let guess = #"{"account":"ana","password":"wrong horse"}"#
            var answers: [TestNode.Answer] = []
            // Each time is twice as long, so that one of them is longer than a try takes.
            repeat {
                answers.append(try await node.call(.POST, "sessions", body: guess))
            } while answers.last?.status == 401 && answers.count < 20
            let (wrong, last) = (answers.dropLast(), try #require(answers.last))
            #expect(wrong.count >= 5 && wrong.allSatisfy { $0.code == "wrong_password" })
            #expect(last.status == 429 && last.code == "too_many_tries")
            let wait = last.headers.first(name: "retry-after").flatMap { Int($0) }
            #expect(try #require(wait) >= 1)
        }
    }

    /// - From people: a wrong password, or an unknown account → wrong_password
    @Test func `a guess at an unknown account counts like any other`() async throws {
        try await TestNode.run { node in
            let guess = #"{"account":"nobody","password":"wrong horse"}"#
            for _ in 0..<5 {
                let answer = try await node.call(.POST, "sessions", body: guess)
                #expect(answer.status == 401 && answer.code == "wrong_password")
            }
            let last = try await node.call(.POST, "sessions", body: guess)
            #expect(last.status == 429 && last.code == "too_many_tries")
        }
    }

    /// - From people: guesses of an account's password sent at once instead of one after another
    ///   → too_many_tries
    @Test func `concurrent guesses are as slow as guesses one by one`() async throws {
        try await TestNode.run { node in
            _ = try await node.signIn("ana")
            let guess = #"{"account":"ana","password":"wrong horse"}"#
            let clock = ContinuousClock()
            let start = clock.now
            let codes = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<40 {
                    group.addTask { try await node.call(.POST, "sessions", body: guess).code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let seconds = Double(start.duration(to: clock.now).components.seconds + 1)
            let tried = codes.count { $0 == "wrong_password" }
            // Five, and one more after a second, after two more, four more and so on.
            #expect(tried <= 5 + Int(log2(seconds + 1)))
            #expect(codes.count { $0 == "too_many_tries" } == 40 - tried)
        }
    }

    @Test func `treats names that differ only in case as one`() async throws {
        try await TestNode.run { node in
            _ = try await node.signIn("ana")
            let again = try await node.call(
                .POST,
                "accounts",
                body: #"{"name":"Ana","password":"correct horse"}"#
            )
            #expect(again.status == 409 && again.code == "name_taken")
        }
    }

    @Test func `events end when the session signs out`() async throws {
        try await TestNode.run { node in
            let session = try await node.signIn("ana")
            let address = try NodeAddress(text: node.running.api)
            try await StoaClient.scoped(address, token: session.token) { client in
                var events = client.events().makeAsyncIterator()
                try await events.connect()
                try await client.signOut()
                // The connection ends, and another one is refused.
                do {
                    let event = try await events.next()
                    Issue.record("heard \(event?.type ?? "nothing")")
                } catch let problem as Problem {
                    #expect(problem.code == "sign_in_needed")
                }
            }
        }
    }

    @Test func `answers a request for an unavailable upgrade`() async throws {
        try await TestNode.run { node in
            let asking = ["upgrade": "h2c", "connection": "Upgrade"]
            #expect(try await node.call(.GET, "node", headers: asking).status == 200)
            let body = #"{"name":"ana","password":"correct horse"}"#
            let made = try await node.call(.POST, "accounts", body: body, headers: asking)
            #expect(made.status == 201)
            let events = try await node.call(
                .GET,
                "events",
                token: "none",
                headers: ["upgrade": "websocket", "connection": "Upgrade"]
            )
            #expect(events.status == 401 && events.code == "sign_in_needed")
        }
    }

    @Test func `tells a waiting client to send the body of a valid request`() async throws {
        try await TestNode.run { node in
            let address = try NodeAddress(text: node.running.api)
            let body = #"{"name":"ana","password":"correct horse"}"#
            func say(_ path: String, length: Int) async throws -> String {
                let head =
                    "POST /v1/\(path) HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
                    + "content-type: application/json\r\ncontent-length: \(length)\r\n"
                    + "connection: close\r\n\r\n"
                return try await RawSocket.send(
                    Array((head + body).utf8),
                    host: address.host,
                    port: address.port
                )
            }
            let made = try await say("accounts", length: body.utf8.count)
            #expect(made.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 "), "\(made)")
            // What is refused by its head is not asked for.
            for (path, length) in [("accounts", 1 << 20), ("media", 9), ("nothing", 9)] {
                let refused = try await say(path, length: length)
                #expect(refused.hasPrefix("HTTP/1.1 4"), "\(path): \(refused)")
            }
            // A request without a body has nothing to wait for.
            let asking = "GET /v1/node HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n"
            let heard = try await RawSocket.send(
                Array((asking + "connection: close\r\n\r\n").utf8),
                host: address.host,
                port: address.port
            )
            #expect(heard.contains("HTTP/1.1 200 "), "\(heard)")
        }
    }

    /// - From people: a Host that is not allowed → strange_host
    /// - From people: an Origin that is not allowed; also another port of this machine, or a page's
    ///   request without an Origin → strange_origin
    @Test func `answers neither a rebound name nor a foreign page`() async throws {
        try await TestNode.run { node in
            let host = try await node.call(.GET, "node", headers: ["host": "evil.example"])
            #expect(host.status == 403 && host.code == "strange_host")
            let origin = try await node.call(
                .GET,
                "node",
                headers: ["origin": "https://evil.example"]
            )
            #expect(origin.status == 403 && origin.code == "strange_origin")
            let own = try await node.call(.GET, "node", headers: ["origin": node.running.api])
            #expect(own.status == 200)
            let name = node.running.api.split(separator: ":").dropLast().joined(separator: ":")
            for origin in ["\(name):1", name, "https" + node.running.api.dropFirst(4), "null"] {
                let page = try await node.call(.GET, "node", headers: ["origin": origin])
                #expect(page.status == 403 && page.code == "strange_origin", "\(origin)")
            }
            let image = try await node.call(.GET, "node", headers: ["sec-fetch-site": "same-site"])
            #expect(image.status == 403 && image.code == "strange_origin")
            #expect(own.headers.first(name: "content-security-policy") != nil)
        }
    }

    /// - From people: a body over 256 KiB → body_too_large
    /// - From people: an unknown path → not_found
    @Test func `limits a body and reports missing paths`() async throws {
        try await TestNode.run { node in
            let large = String(repeating: "x", count: 300 * 1024)
            let tooLarge = try await node.call(.POST, "accounts", body: #"{"name":"\#(large)"}"#)
            #expect(tooLarge.status == 413 && tooLarge.code == "body_too_large")
            let nowhere = try await node.call(.GET, "nowhere")
            #expect(nowhere.status == 404 && nowhere.code == "not_found")
        }
    }

    /// - From people: a wrong operator token → sign_in_needed
    @Test func `admits the operator by the token in the data folder`() async throws {
        try await TestNode.run { node in
            let token = try DataFolder(path: node.folder).operatorToken()
            #expect(try await node.call(.GET, "peers", token: token).status == 200)
            let stranger = try await node.call(.GET, "peers")
            #expect(stranger.status == 403 && stranger.code == "operator_needed")
            let guess = try await node.call(.GET, "peers", token: String(token.reversed()))
            #expect(guess.status == 401)
        }
    }

    @Test func `serves each call in its document`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let answer = try await node.call(.GET, "openapi.json")
            let document = try #require(
                try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
            )
            #expect(document["openapi"] as? String == "3.1.0")
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            var calls = 0
            for (path, methods) in paths {
                for method in methods.keys where path != "/v1/events" {
                    let concrete = String(path.dropFirst(4)).replacing(/\{\w+\}/, with: "none")
                    let reached = try await node.call(
                        .init(rawValue: method.uppercased()),
                        concrete
                    )
                    // An answer without a body is no problem; one with a field is of a call that knows
                    // no such account.
                    let problem = try? reached.read(Problem.self)
                    let isUnknown =
                        problem?.code == "not_found" && problem?.field == nil
                        || reached.status == 405
                    #expect(!isUnknown, "\(method) \(path)")
                    calls += 1
                }
            }
            #expect(calls >= 8)
        }
    }

    @Test func `answers match the schemas of its document`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let session = try await node.signIn("ana")
            let document = try await node.call(.GET, "openapi.json").object()
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            let components = try #require(document["components"] as? [String: Any])
            let schemas = try #require(components["schemas"] as? [String: [String: Any]])
            var checked = 0
            for (path, methods) in paths where !path.contains("{") && path != "/v1/events" {
                guard let described = methods["get"], path != "/v1/openapi.json" else { continue }
                let answer = try await node.call(
                    .GET,
                    String(path.dropFirst(4)),
                    token: session.token
                )
                let responses = try #require(described["responses"] as? [String: Any])
                #expect(responses["\(answer.status)"] != nil, "\(path): \(answer.status)")
                let form = Form("\(answer.status)", of: responses, schemas: schemas)
                let found = try JSONSerialization.jsonObject(with: answer.body)
                #expect(form.faults(in: found) == [], "\(path)")
                checked += answer.status == 200 ? 1 : 0
            }
            #expect(checked >= 7)
            let problem = try #require(schemas["Problem"]?["properties"] as? [String: Any])
            let codes = (problem["code"] as? [String: Any])?["enum"] as? [String]
            #expect(codes == ProblemCode.allCases.map(\.rawValue))
        }
    }

    /// - From people: an RPC endpoint that does not answer → chain_away
    @Test func `reports that the chain is away, and why`() async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let session = try await node.signIn("ana")
            let wallet = try await node.call(.GET, "wallet", token: session.token)
            #expect(wallet.status == 503 && wallet.code == "chain_away")
            let sale = try await node.call(.GET, "sales/0x00", token: session.token)
            #expect(sale.status == 404 && sale.code == "unknown_sale")
        }
    }

    @Test func `keeps accounts over a restart, but no sessions`() async throws {
        let folder = try TemporaryFolder()
        let token = try await TestNode.session(in: folder.path)
        try await TestNode.run(in: folder.path) { node in
            let accounts: [Account] = try await node.call(.GET, "accounts").read()
            #expect(accounts.map(\.name) == ["ana"])
            #expect(accounts.allSatisfy { !$0.isUnlocked })
            #expect(try await node.call(.GET, "wallet", token: token).status == 401)
        }
    }
}

extension TemporaryFolder {
    /// Settings of a node whose chain's endpoint does not answer.
    func flagsOfAnAwayChain() throws -> [String: String] {
        let deployment = Data(try DeployedMarket.proven().json)
        try deployment.write(to: url.appending(path: "deployment.json"))
        return [
            "chain.id": "31337", "chain.rpc": "http://127.0.0.1:1",
            "chain.deployment": path("deployment.json"),
        ]
    }
}

extension TestNode {
    /// Signs in to a node that then stops.
    fileprivate static func session(in folder: String) async throws -> String {
        let (tokens, entry) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        try await run(in: folder) { entry.yield(try await $0.signIn("ana").token) }
        entry.finish()
        for await token in tokens { return token }
        return ""
    }
}

extension TestNode.Answer {
    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }
}
