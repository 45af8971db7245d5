import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

/// Every call of the API, asked by everybody: what each may is in one table.
@Suite(.timeLimit(.minutes(5)))
struct AccessTests {
    /// Who asks, and which kinds of calls are answered then.
    private static let callers: [(name: String, headers: [String: String], may: Set<String>)] = [
        ("program of this machine", [:], ["anyone", "local", "newcomer", "localOrReader"]),
        ("page of the node", ["origin": "OWN"], ["anyone", "local", "newcomer", "localOrReader"]),
        ("page of another port", ["origin": "http://127.0.0.1:1"], []),
        ("page elsewhere", ["origin": "https://evil.example"], []),
        ("page elsewhere, with the token", ["origin": "https://evil.example", operators: ""], []),
        ("page that is allowed", ["origin": "https://shop.example"], ["anyone"]),
        (
            "page that is allowed, with the token",
            ["origin": "https://shop.example", operators: ""],
            ["anyone", "local", "newcomer", "operator", "reader", "localOrReader"]
        ),
        ("another machine", ["x-forwarded-for": "192.0.2.7"], ["anyone"]),
        ("another machine by a name", ["host": "shop.example", "via": "1.1 x"], ["anyone"]),
        (
            "another machine, with the token", ["x-forwarded-for": "192.0.2.7", operators: ""],
            ["anyone", "local", "newcomer", "operator", "reader", "localOrReader"]
        ),
        (
            "another machine, signed in", ["forwarded": "for=192.0.2.7", accounts: ""],
            ["anyone", "reader", "localOrReader", "account", "session"]
        ),
        (
            "this machine, with the token", [operators: ""],
            ["anyone", "local", "newcomer", "operator", "reader", "localOrReader"]
        ),
        (
            "this machine, signed in", [accounts: ""],
            ["anyone", "local", "newcomer", "reader", "localOrReader", "account", "session"]
        ),
    ]
    private static let operators = "operator's token"
    private static let accounts = "session's token"

    /// What tells of the node, its accounts and its peers; all else is of the market or one's own.
    private static let kinds: [String: String] = [
        "POST accounts": "newcomer", "GET accounts": "local", "POST sessions": "anyone",
        "POST sessions/codes": "operator", "POST sessions/operator": "anyone",
        "POST accounts/import": "local", "POST accounts/{id}/password": "local",
        "PUT accounts/{id}/unattended": "local", "GET accounts/{id}/unattended": "local",
        "DELETE accounts/{id}/unattended": "reader",
        "POST accounts/{id}/keystore": "local", "POST accounts/{id}/key": "local",
        "POST external-accounts": "local", "POST external-accounts/statement": "local",
        "POST accounts/{id}/remove": "anyone", "GET node": "localOrReader",
        "GET chains": "localOrReader", "GET sessions/current": "session",
        "DELETE sessions/current": "session",
        "GET peers": "operator", "POST peers": "operator", "GET openapi.json": "anyone",
        "GET listings": "localOrReader", "GET listings/{id}": "localOrReader",
        "GET sales/{id}": "reader", "GET sales/{id}/students": "reader",
        "GET reviews": "localOrReader", "GET reputation": "localOrReader",
        "GET profiles/{id}": "localOrReader",
        "GET identifiers": "localOrReader",
        "GET items": "reader",
        "GET names": "reader",
        "GET currencies": "localOrReader", "GET categories": "localOrReader",
        "GET rows": "localOrReader", "GET places": "localOrReader",
        "GET listings/suggestions": "localOrReader",
        "GET media/{id}": "localOrReader", "GET curations": "reader",
        "GET curations/{id}": "reader",
    ]

    /// - From people: a call about the node, its accounts or its peers, from another machine or a
    ///   page of another origin, without the operator's token → operator_needed
    @Test func `each call answers only permitted callers`() async throws {
        let folder = try TemporaryFolder()
        var flags = try folder.flagsOfAnAwayChain()
        flags["api.origins"] = "https://shop.example"
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let token = try DataFolder(path: node.folder).operatorToken()
            let session = try await node.signIn("ana").token
            for call in try await DescribedCall.all(of: node) {
                #expect(call.access == Self.kinds["\(call)"] ?? "account", "\(call)")
                for caller in Self.callers {
                    // It would end the session that the others use.
                    if call.method == .DELETE, caller.may.contains(call.access) { continue }
                    var headers = caller.headers
                    if headers.removeValue(forKey: Self.operators) != nil {
                        headers["authorization"] = "Bearer \(token)"
                    }
                    if headers.removeValue(forKey: Self.accounts) != nil {
                        headers["authorization"] = "Bearer \(session)"
                    }
                    if headers["origin"] == "OWN" { headers["origin"] = node.running.api }
                    let path = call.path(with: "none")
                    let answer = try await node.call(call.method, path, headers: headers)
                    let refusals = ["operator_needed", "sign_in_needed", "strange_origin"]
                    let isAnswered = !refusals.contains(answer.code ?? "")
                    #expect(
                        isAnswered == caller.may.contains(call.access),
                        "\(call), \(caller.name): \(answer.status) \(answer.code ?? "")"
                    )
                    #expect(answer.status != 500)
                }
            }
        }
    }

    @Test func `another spelling of a path grants no access`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            for path in ["peers/", "/peers", "%70eers", "peers?x", "peers%2F", "./peers", "PEERS"] {
                let answer = try await node.call(.GET, path)
                #expect(answer.status == 403 || answer.status == 404, "\(path)")
            }
        }
    }

    /// - From people: a new account from another machine without the operator's token →
    ///   operator_needed
    /// - From people: more new accounts in an hour than the operator allows → too_many_tries
    @Test func `remote callers share a few new accounts an hour if allowed`() async throws {
        let folder = try TemporaryFolder()
        let flags = ["api.openAccountsPerHour": "8"]
        try await TestNode.run(in: folder.path, flags: flags) { node in
            try await Self.open([201, 201, 429, 429, 429], on: node, from: "192.0.2.7")
            // Its subnet has had a quarter.
            try await Self.open([429], on: node, from: "192.0.2.8")
            try await Self.open([201, 201, 429], on: node, from: "198.51.100.8")
        }
        // Neither a restart nor removing them gives any back.
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let body = #"{"password":"correct horse"}"#
            let gone = try await node.call(.POST, "accounts/a0-192.0.2.7/remove", body: body)
            #expect(gone.status == 204)
            try await Self.open([429], on: node, from: "192.0.2.7")
            for network in ["2001:db8:1::1", "2001:db8:2::1"] {
                try await Self.open([201, 201, 429], on: node, from: network)
            }
            // Eight in all; those of this machine count for nobody.
            try await Self.open([429], on: node, from: "203.0.113.9")
            _ = try await node.signIn("ana")
        }
        try await TestNode.run(in: folder.path) { node in
            try await Self.open([403], on: node, from: "192.0.2.10")
        }
    }

    /// - From people: too many attempts in an hour with taken names → too_many_tries
    @Test func `limits remote callers' tries for names that are taken`() async throws {
        let folder = try TemporaryFolder()
        let flags = ["api.openAccountsPerHour": "4"]
        try await TestNode.run(in: folder.path, flags: flags) { node in
            _ = try await node.signIn("ana")
            let body = #"{"name":"ana","password":"correct horse"}"#
            let headers = ["x-forwarded-for": "192.0.2.7"]
            var codes: [String?] = []
            while codes.last != "too_many_tries", codes.count < 20 {
                let answer = try await node.call(.POST, "accounts", body: body, headers: headers)
                codes.append(answer.code)
            }
            #expect(codes.dropLast().allSatisfy { $0 == "name_taken" })
            #expect(codes.count == 9)
            try await Self.open([201], on: node, from: "198.51.100.8")
        }
    }

    /// - From people: too many wrong passwords by a caller on another machine; the owner on this
    ///   one can still sign in → too_many_tries
    @Test func `remote guesses slow the guesser, never the owner on this machine`() async throws {
        let folder = try TemporaryFolder()
        try await TestNode.run(in: folder.path) { node in
            _ = try await node.signIn("ana")
            let guess = #"{"account":"ana","password":"wrong horse"}"#
            let good = #"{"account":"ana","password":"correct horse"}"#
            let elsewhere = ["x-forwarded-for": "203.0.113.1, 192.0.2.7"]
            var codes: [String?] = []
            while codes.last != "too_many_tries", codes.count < 20 {
                let answer = try await node.call(.POST, "sessions", body: guess, headers: elsewhere)
                codes.append(answer.code)
            }
            #expect(codes.count >= 6 && codes.last == "too_many_tries")
            // Whatever address comes first, the proxy's own word is the last.
            let other = ["x-forwarded-for": "203.0.113.2, 192.0.2.7"]
            let again = try await node.call(.POST, "sessions", body: good, headers: other)
            #expect(again.code == "too_many_tries")
            #expect(try await node.call(.POST, "sessions", body: good).status == 201)
            let next = ["x-forwarded-for": "192.0.2.8"]
            #expect(try await node.call(.POST, "sessions", body: good, headers: next).status == 201)
            // A program of this machine that guesses delays itself, and not the operator.
            codes = []
            while codes.last != "too_many_tries", codes.count < 20 {
                codes.append(try await node.call(.POST, "sessions", body: guess).code)
            }
            let token = try DataFolder(path: node.folder).operatorToken()
            let owner = try await node.call(.POST, "sessions", body: good, token: token)
            #expect(owner.status == 201)
        }
    }

    /// - From people: metrics, and the reasons why a node is not ready, requested from another
    ///   machine
    ///   → HTTP 403; 503 without the reason
    @Test func `only this machine and the operator see metrics and obstacles`()
        async throws
    {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            let token = try DataFolder(path: node.folder).operatorToken()
            let elsewhere = ["x-forwarded-for": "192.0.2.7"]
            let refused = try await node.get("metrics", elsewhere)
            #expect(refused.status == 403)
            #expect(try await node.get("metrics").body.contains("stoa_peers"))
            let bearer = elsewhere.merging(["authorization": "Bearer \(token)"]) { $1 }
            #expect(try await node.get("metrics", bearer).status == 200)
            let page = try await node.get("metrics", ["origin": "https://evil.example"])
            #expect(page.status == 403)
            let told = try await node.get("readyz")
            #expect(told.status == 503 && told.body != "not ready\n")
            let ready = try await node.get("readyz", elsewhere)
            #expect(ready.status == 503 && ready.body == "not ready\n")
            #expect(try await node.get("livez", elsewhere).status == 200)
            // Refused calls are counted by reason.
            _ = try await node.call(.GET, "peers")
            let text = try await node.get("metrics").body
            #expect(text.contains("stoa_api_refused{reason=\"operator_needed\"}"))
        }
    }

    /// Makes accounts from elsewhere, and holds what each try is answered against `statuses`.
    private static func open(
        _ statuses: [Int],
        on node: TestNode,
        from network: String
    ) async throws {
        for (number, status) in statuses.enumerated() {
            let answer = try await node.call(
                .POST,
                "accounts",
                body: #"{"name":"a\#(number)-\#(network)","password":"correct horse"}"#,
                headers: ["x-forwarded-for": network]
            )
            #expect(answer.status == status, "\(number) from \(network)")
        }
    }
}
