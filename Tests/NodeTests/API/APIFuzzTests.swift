import Client
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing

/// Every call of the API's document, asked as nobody should: the node answers each with a problem
/// in words that is the caller's own, and goes on.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct APIFuzzTests {
    private static let oddIDs = [
        "none", "0", "%00", "%FF", "%20", "..%2F..%2Fnode", "%2E%2E", "%C3%BC%F0%9F%92%A5",
        "0x" + String(repeating: "0", count: 64), "0x" + String(repeating: "f", count: 64),
        String(repeating: "a", count: 8_000),
    ]

    private static let oddQueries = [
        "", "-1", "0", "101", "abc", "99999999999999999999999", "%00", "%FF", "%22%2A", "NEAR%28",
        "a%20OR%20%28", "%E2%80%AE", "0x", String(repeating: "x", count: 8_000),
    ]

    private static let partCount = 4

    /// The calls are dealt out to several cases, each of which takes its share of the time.
    ///
    /// - From people: any body, path or query: wrong types, null, huge and negative numbers, long
    ///   or broken texts → the call's own 4xx, never a failure of the node
    @Test(arguments: 0..<partCount)
    func `no body, path or query causes an internal error`(
        part: Int
    ) async throws {
        try await MarketNode.run { market in
            let (node, token) = (market.node, market.bo.token)
            let (listing, sale) = try await market.list()
            let calls = try await DescribedCall.all(of: node)
                .filter { $0.path != "sessions/current" }
            for (index, call) in calls.enumerated() where index % Self.partCount == part {
                for (path, body) in Self.attempts(at: call, ids: [listing, sale]) {
                    try await Self.ask(node, token, call, path, body)
                }
            }
            #expect(calls.count > 100)
        }
    }

    /// A long body is read alike for every call that takes JSON, secrets or a file, or nothing.
    @Test(
        arguments: [
            (.GET, "node"), (.POST, "accounts"), (.POST, "listings"), (.POST, "media"),
            (.PUT, "address"), (.PUT, "favourites/{id}"),
        ] as [(HTTPMethod, String)]
    )
    func `a long body is the caller's fault`(method: HTTPMethod, path: String) async throws {
        try await Self.away { node, token in
            let calls = try await DescribedCall.all(of: node)
            let call = try #require(calls.first { $0.method == method && $0.path == path })
            for body in JSONText.longBodies {
                try await Self.ask(node, token, call, call.path(with: "none"), body)
            }
        }
    }

    /// - From people: a body with some bytes changed → malformed_json, malformed_value, …, or it is
    ///   valid
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `accepts or refuses a body with some bytes changed`(seed: UInt64) async throws {
        try await Self.away { node, token in
            var random = SeededRandom(seed: seed)
            let calls = try await DescribedCall.all(of: node).filter { $0.example != nil }
            for _ in 0..<200 {
                guard let call = calls.randomElement(using: &random), let example = call.example
                else { continue }
                var body = Array(example.text.utf8)
                random.spoil(&body)
                try await Self.ask(node, token, call, call.path(with: "none"), body)
            }
        }
    }

    /// - From people: a body whose Content-Type is not JSON → unsupported_media_type
    /// - From people: a writing call without Idempotency-Key → idempotency_key_needed
    @Test func `refuses a call without a valid token, key or method`() async throws {
        try await Self.away { node, token in
            let operatorToken = try DataFolder(path: node.folder).operatorToken()
            for call in try await DescribedCall.all(of: node) {
                let path = call.path(with: "none")
                for authorization in ["Basic YTpi", "Bearer", "Bearer  ", "x", ""] {
                    let answer = try await node.call(
                        call.method,
                        path,
                        headers: ["authorization": authorization]
                    )
                    #expect(answer.code == "sign_in_needed", "\(call) '\(authorization)'")
                }
                if call.needsToken {
                    let answer = try await node.call(call.method, path)
                    let code = call.access == "operator" ? "operator_needed" : "sign_in_needed"
                    #expect(answer.code == code, "\(call)")
                }
                // The rest is asked by one who may.
                let token = call.access == "operator" ? operatorToken : token
                if call.needsKey {
                    for key in [nil, "", String(repeating: "k", count: 65)] {
                        let answer = try await node.call(
                            call.method,
                            path,
                            body: call.example?.text,
                            token: token,
                            headers: key.map { ["idempotency-key": $0] } ?? [:]
                        )
                        #expect(answer.code == "idempotency_key_needed", "\(call)")
                    }
                }
                if call.example != nil {
                    let answer = try await node.call(
                        call.method,
                        path,
                        body: "name: ana",
                        token: token,
                        headers: ["content-type": "text/yaml", "idempotency-key": "k"]
                    )
                    #expect(answer.code == "unsupported_media_type", "\(call)")
                }
            }
        }
    }

    /// - From people: a method that the path does not take → method_not_allowed, with `Allow`
    @Test func `names a path's methods in answer to any other`() async throws {
        try await Self.away { node, token in
            let calls = try await DescribedCall.all(of: node)
            let methods: [HTTPMethod] = [.GET, .PUT, .POST, .DELETE, .PATCH, .OPTIONS, .TRACE]
            for path in Set(calls.map(\.path)) {
                let known = calls.filter { $0.path == path }.map(\.method)
                for method in methods where !known.contains(method) {
                    // An id that is the name of another path would make it that path.
                    let concrete = path.replacing("{id}", with: "none")
                    let answer = try await node.call(method, concrete)
                    #expect(answer.status == 405 && answer.code == "method_not_allowed")
                    #expect(
                        answer.headers.first(name: "allow")
                            == Self.allowed(known).joined(separator: ", ")
                    )
                }
            }
        }
    }

    /// Whatever takes GET takes HEAD.
    private static func allowed(_ methods: [HTTPMethod]) -> [String] {
        (methods + (methods.contains(.GET) ? [.HEAD] : [])).map(\.rawValue).sorted()
    }

    /// - From people: events requested without a WebSocket → upgrade_needed
    @Test func `says how to request events over a WebSocket`() async throws {
        try await Self.away { node, token in
            let answer = try await node.call(.GET, "events", token: token)
            #expect(answer.status == 426 && answer.code == "upgrade_needed")
            #expect(answer.headers.first(name: "upgrade") == "websocket")
        }
    }

    @Test func `bytes that are not HTTP end only their connection`() async throws {
        try await Self.away { node, token in
            let address = try NodeAddress(text: node.running.api)
            let long = String(repeating: "x", count: 100_000)
            let garbage = [
                "\0\0\0\0", "GET\r\n\r\n", "FOO /v1/node HTTP/1.1\r\nhost: localhost\r\n\r\n",
                "GET /v1/node HTTP/9.9\r\n\r\n", "GET /\(long) HTTP/1.1\r\n\r\n",
                "GET /v1/node HTTP/1.1\r\nhost: localhost\r\nx: \(long)\r\n\r\n",
                "GET /v1/node HTTP/1.1\r\nconnection: close\r\n\r\n",
                "POST /v1/accounts HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
                "POST /v1/accounts HTTP/1.1\r\nhost: localhost\r\n"
                    + "transfer-encoding: chunked\r\n\r\nzz\r\n",
            ]
            for text in garbage {
                try await RawSocket.send(text.utf8, host: address.host, port: address.port)
            }
            #expect(try await node.call(.GET, "node").status == 200)
        }
    }

    private static func attempts(
        at call: DescribedCall,
        ids: [String]
    ) -> [(path: String, body: [UInt8]?)] {
        var attempts: [(String, [UInt8]?)] = []
        let hasID = call.path.contains("{id}")
        for id in hasID ? ids + oddIDs : ["none"] {
            attempts.append((call.path(with: id), call.example.map { Array($0.text.utf8) }))
        }
        for name in call.query {
            attempts += oddQueries.map { (call.path(with: ids[0]) + "?\(name)=\($0)", nil) }
        }
        attempts += JSONText.oddBodies.map { (call.path(with: ids[0]), $0) }
        guard let example = call.example?.filled else { return attempts }
        for id in hasID ? ids : ["none"] {
            attempts += example.variants.map { (call.path(with: id), Array($0.text.utf8)) }
        }
        return attempts
    }

    /// Asks in Bo's name, and holds the answer against what the caller may be told.
    private static func ask(
        _ node: TestNode,
        _ token: String,
        _ call: DescribedCall,
        _ path: String,
        _ body: [UInt8]?
    ) async throws {
        let answer = try await node.send(
            call.method,
            path,
            body,
            token: token,
            headers: ["idempotency-key": "fuzz"]
        )
        if (200..<300).contains(answer.status) { return }
        let problem = try? answer.read(Problem.self)
        let code = problem.flatMap { ProblemCode(rawValue: $0.code) }
        let isReported =
            answer.headers.first(name: "content-type") == "application/problem+json"
            && code?.status == answer.status && problem?.status == answer.status
            && problem?.detail.isEmpty == false && problem?.detail.count ?? 0 < 600
        // A chain that is away is the node's own trouble; here it is by intention.
        let isCallers = (400..<500).contains(answer.status) || code == .chainAway
        let shown = String(decoding: answer.body.prefix(700), as: UTF8.self)
        let sent = String(decoding: (body ?? []).prefix(300), as: UTF8.self)
        #expect(
            isReported && isCallers,
            "\(call.method) \(path.prefix(90)) \(sent): \(answer.status) \(shown)"
        )
    }

    /// Runs a node whose chain does not answer, with Bo signed in.
    private static func away(
        _ body: @escaping @Sendable (_ node: TestNode, _ token: String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let flags = try folder.flagsOfAnAwayChain()
        try await TestNode.run(in: folder.path, flags: flags) { node in
            try await body(node, try await node.signIn("bo").token)
        }
    }
}
