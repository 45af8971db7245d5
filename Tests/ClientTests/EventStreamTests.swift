import Client
import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(5)))
struct EventStreamTests {
    @Test func `resumes after the last event when the connection breaks`() async throws {
        try await ScriptedServer.scoped(
            answer: { _, _ in .json(404, "{}") },
            events: { uri in
                switch uri {
                case "/v1/events?after=4": .init(texts: [event(5), event(6)], closes: true)
                case "/v1/events?after=6": .init(texts: [event(7)], closes: false)
                default: nil
                }
            }
        ) { node, server in
            try await StoaClient.scoped(node, token: "abc", limits: quick) { client in
                var seen: [UInt64] = []
                for try await event in client.events(after: 4) {
                    seen.append(event.id)
                    if seen.count == 3 { break }
                }
                #expect(seen == [5, 6, 7])
            }
            #expect(server.requests.allSatisfy { $0.token == "Bearer abc" })
        }
    }

    @Test func `throws the node's reason if it refuses the stream`() async throws {
        let problem = Problem(
            type: "urn:stoa:problem:sign_in_needed",
            title: "Sign in needed",
            status: 401,
            detail: "This session has ended. Sign in again.",
            code: "sign_in_needed"
        )
        let text = String(decoding: try WireCoding.encoder().encode(problem), as: UTF8.self)
        try await ScriptedServer.scoped(answer: { _, _ in .json(401, text) }) { node, _ in
            try await StoaClient.scoped(node, token: "old", limits: quick) { client in
                _ = await #expect(throws: problem) {
                    for try await _ in client.events() {}
                }
            }
        }
    }

    @Test func `a slow reader misses no event`() async throws {
        try await ScriptedServer.scoped(
            answer: { _, _ in .json(404, "{}") },
            events: { uri in
                let after = uri.split(separator: "=").last.flatMap { UInt64($0) } ?? 0
                let rest = (after + 1..<41).map { event($0) }
                return .init(texts: rest, closes: false)
            }
        ) { node, server in
            var limits = quick
            limits.eventsWaitingMax = 8
            try await StoaClient.scoped(node, limits: limits) { client in
                var seen: [UInt64] = []
                for try await event in client.events(after: 0) {
                    seen.append(event.id)
                    // Slower than the stream: reads on when the client has given it up.
                    if seen.count == 1 { await server.waitForHangUp() }
                    if event.id == 40 { break }
                }
                #expect(seen == Array(1...40))
            }
            #expect(server.requests.count > 1)
        }
    }

    @Test func `a malformed event ends the stream with an error`() async throws {
        try await ScriptedServer.scoped(
            answer: { _, _ in .json(404, "{}") },
            events: { _ in .init(texts: ["[]"], closes: false) }
        ) { node, _ in
            try await StoaClient.scoped(node, limits: quick) { client in
                _ = await #expect(
                    throws: ClientError.unexpected(node, status: 101, reason: "no event")
                ) {
                    for try await _ in client.events(after: 0) {}
                }
            }
        }
    }
}

private func event(_ id: UInt64) -> String {
    #"{"id":\#(id),"time":"2026-01-31T12:00:00.000Z","type":"sale","subject":"1","data":{}}"#
}
