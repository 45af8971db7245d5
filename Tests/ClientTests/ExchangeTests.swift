import Foundation
import Support
import Testing

@testable import Client

@Suite(.timeLimit(.minutes(5)))
struct ExchangeTests {
    private let operation = """
        {"id":"7","kind":"buy","state":"done","account":"0x1","phases":[],\
        "createdAt":"2026-01-31T12:00:00.000Z"}
        """

    @Test func `sends the token and returns the answer`() async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, "[]") }) { node, server in
            try await StoaClient.scoped(node, token: "abc") { client in
                let accounts = try await client.accounts()
                #expect(accounts.isEmpty)
            }
            #expect(server.requests.first?.token == "Bearer abc")
            #expect(server.requests.first?.uri == "/v1/accounts")
        }
    }

    @Test func `throws the node's own problem without a second try`() async throws {
        let problem = Problem(
            type: "urn:stoa:problem:own_listing",
            title: "Own listing",
            status: 422,
            detail: "This listing is your own.",
            code: "own_listing"
        )
        let text = String(decoding: try WireCoding.encoder().encode(problem), as: UTF8.self)
        try await ScriptedServer.scoped(answer: { _, _ in .json(422, text) }) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                _ = await #expect(throws: problem) {
                    try await client.buy(Purchase(listing: "x"))
                }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `repeats a call that costs money with the same key until it is answered`()
        async throws
    {
        let operation = operation
        try await ScriptedServer.scoped(
            answer: { _, index in index < 2 ? .hangUp : .json(202, operation) }
        ) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                let begun = try await client.buy(Purchase(listing: "x"))
                #expect(begun.id == "7")
            }
            let keys = server.requests.map(\.key)
            #expect(keys.count == 3)
            #expect(Set(keys).count == 1)
            #expect(keys.first??.isEmpty == false)
        }
    }

    /// - From commands: a port that accepts connections and does not answer within 20 seconds →
    ///   exit 7
    @Test func `distinguishes a silent port from a slow node`() async throws {
        var limits = quick
        limits.silence = .milliseconds(200)
        // Longer than the test may take.
        limits.answerTimeout = .seconds(600)
        try await ScriptedServer.scoped(answer: { _, _ in .nothing }) { [limits] node, _ in
            try await StoaClient.scoped(node, limits: limits) { client in
                _ = await #expect(throws: ClientError.silent(node)) { try await client.accounts() }
            }
            #expect("\(ClientError.silent(node))".contains("its log says why"))
        }
        // The longest that the answer of a person's command can take, until it is told.
        #expect(ClientLimits().silence * 2 < .seconds(30))
        limits.answerTimeout = .seconds(1)
        try await ScriptedServer.scoped(answer: { request, _ in
            request.uri == "/v1/node" ? .json(401, "{}") : .nothing
        }) { [limits] node, _ in
            try await StoaClient.scoped(node, limits: limits) { client in
                _ = await #expect(throws: ClientError.timedOut(node)) {
                    try await client.accounts()
                }
            }
        }
    }

    @Test func `an upload has as long as the node gives it`() {
        let limits = ClientLimits()
        #expect(limits.answerTimeout(afterBytes: 0) == limits.answerTimeout)
        #expect(limits.answerTimeout(afterBytes: 15 << 20) > .seconds(960))
    }

    @Test func `repeats a message with the same key until it is answered`() async throws {
        let message = #"""
            {"id":"1-1","conversation":"1","sender":"a","kind":"text","text":"hello",\#
            "sentAt":"2026-01-01T00:00:00.000Z",\#
            "arrivedAt":"2026-01-01T00:00:00.000Z","state":"queued","heldBy":0}
            """#
        try await ScriptedServer.scoped(
            answer: { _, index in index < 2 ? .hangUp : .json(201, message) }
        ) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                let sent = try await client.send(MessageDraft(text: "hello"), to: "1")
                #expect(sent.id == "1-1")
                _ = try await client.send(MessageDraft(text: "hello"), to: "1")
            }
            let keys = server.requests.map(\.key)
            #expect(keys.count == 4)
            #expect(Set(keys[..<3]).count == 1)
            #expect(keys[3] != keys[0])
        }
    }

    @Test func `uses a new key for each call`() async throws {
        let operation = operation
        try await ScriptedServer.scoped(
            answer: { _, _ in .json(202, operation) }
        ) { node, server in
            try await StoaClient.scoped(node) { client in
                _ = try await client.collect()
                _ = try await client.collect()
            }
            #expect(Set(server.requests.map(\.key)).count == 2)
        }
    }

    @Test func `does not repeat a call that would take effect twice`() async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .hangUp }) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                _ = await #expect(throws: ClientError.self) {
                    try await client.speedUp(operation: "1")
                }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func `gives up after the allowed number of tries`() async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .hangUp }) { node, server in
            try await StoaClient.scoped(node, limits: quick) { client in
                _ = await #expect(throws: ClientError.self) { try await client.accounts() }
            }
            #expect(server.requests.count == quick.tries)
        }
    }

    @Test func `reports a local port without a listener at once`() async throws {
        // The server's port is free again once it has ended.
        var free: NodeAddress?
        try await ScriptedServer.scoped(answer: { _, _ in .hangUp }) { node, _ in free = node }
        let node = try #require(free)
        var patient = ClientLimits()
        // Longer than the test may take.
        (patient.backOff, patient.backOffMax) = (.seconds(600), .seconds(600))
        try await StoaClient.scoped(node, limits: patient) { client in
            let error = await #expect(throws: ClientError.self) { try await client.accounts() }
            let words = try #require(error).description
            #expect(words.contains("(Connection refused)"))
        }
    }

    @Test func `refuses an answer above the size limit`() async throws {
        let long = "[" + String(repeating: " ", count: 100) + "]"
        var limits = quick
        limits.answerBytesMax = 50
        let tight = limits
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, long) }) { node, _ in
            try await StoaClient.scoped(node, limits: tight) { client in
                _ = await #expect(throws: ClientError.oversized(node, bytesMax: 50)) {
                    try await client.accounts()
                }
            }
        }
    }

    @Test(arguments: [(200, "{}"), (200, "<html>"), (500, "oops")])
    func `reports an answer from another program`(status: Int, text: String) async throws {
        try await ScriptedServer.scoped(answer: { _, _ in .json(status, text) }) { node, _ in
            try await StoaClient.scoped(node, limits: quick) { client in
                let error = await #expect(throws: ClientError.self) { try await client.accounts() }
                guard case .unexpected(node, status, _) = error else {
                    Issue.record("\(error.debugDescription)")
                    return
                }
            }
        }
    }

    @Test func `sends the words of a search unchanged`() async throws {
        let page = #"{"items":[],"isLast":true}"#
        try await ScriptedServer.scoped(answer: { _, _ in .json(200, page) }) { node, server in
            try await StoaClient.scoped(node) { client in
                _ = try await client.listings(ListingSearch(text: "c++ & ü", limit: 5))
                var search = ListingSearch()
                (search.currency, search.priceMax, search.includesOver) = ("native", "7", true)
                _ = try await client.listings(search)
            }
            let uri = server.requests.first?.uri
            #expect(uri == "/v1/listings?search=c%2B%2B%20%26%20%C3%BC&limit=5")
            let second = server.requests.last?.uri
            #expect(second == "/v1/listings?currency=native&priceMax=7&over=true&limit=20")
        }
    }

    @Test func `follows an operation and reports each of its states once`() async throws {
        let running = operation.replacing(#""done""#, with: #""running""#)
        let done = operation
        try await ScriptedServer.scoped(
            answer: { _, index in index < 2 ? .json(200, running) : .json(200, done) },
            events: { _ in ScriptedServer.Script(texts: [Self.event, Self.event], closes: false) }
        ) { node, _ in
            var limits = quick
            limits.operationLook = .milliseconds(5)
            try await StoaClient.scoped(node, limits: limits) { client in
                let begun = try await client.operation("7")
                var states: [Client.Operation.State] = []
                let ended = try await client.follow(begun) { states.append($0.state) }
                #expect(ended.state == .done)
                #expect(states == [.running, .done])
            }
        }
    }

    private static let event = """
        {"id":1,"time":"2026-01-31T12:00:00.000Z","type":"operation","subject":"7","data":{}}
        """
}

/// Short waits, so that a test of repeats is over soon.
var quick: ClientLimits {
    var limits = ClientLimits()
    limits.backOff = .milliseconds(1)
    limits.backOffMax = .milliseconds(4)
    return limits
}
