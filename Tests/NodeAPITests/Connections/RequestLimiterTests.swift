import Concurrency
import Synchronization
import Testing

@testable import NodeAPI

@Suite(.timeLimit(.minutes(1)))
struct RequestLimiterTests {
    @Test func `requests from one network take turns and delay no other network`() async throws {
        let limiter = RequestLimiter()
        let begun = Begun()
        // Requests end when it is closed.
        let gate = AsyncSemaphore(unitsMax: 1)
        let taken = try await gate.wait()
        defer { withExtendedLifetime(taken) {} }
        try await withThrowingTaskGroup { group in
            for _ in 0..<RequestLimiter.networkMax + 3 {
                group.addTask {
                    try await limiter.limited("a") {
                        begun.count.withLock { $0 += 1 }
                        _ = try? await gate.wait()
                    }
                }
            }
            while begun.now < RequestLimiter.networkMax || limiter.waitingCount(of: "a") < 3 {
                await Task.yield()
            }
            try await limiter.limited("b") {}
            #expect(begun.now == RequestLimiter.networkMax)
            gate.close()
            try await group.waitForAll()
        }
        #expect(begun.now == RequestLimiter.networkMax + 3)
        #expect(limiter.networkCount == 0)
    }

    @Test func `a request cancelled while it waits leaves nothing behind`() async throws {
        let limiter = RequestLimiter()
        let waiting = try await limiter.filled("a") {
            let request = Task { try await limiter.limited("a") {} }
            while limiter.waitingCount(of: "a") == 0 { await Task.yield() }
            request.cancel()
            return request
        }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(limiter.networkCount == 0)
    }
}

extension RequestLimiter {
    /// Runs `body` while as many requests of the network are processed as can be.
    fileprivate func filled<Answer: Sendable>(
        _ network: String,
        _ depth: Int = 0,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        guard depth < Self.networkMax else { return try await body() }
        return try await limited(network) { try await filled(network, depth + 1, body) }
    }
}

/// How many requests have begun.
private final class Begun: Sendable {
    let count = Mutex(0)

    var now: Int { count.withLock { $0 } }
}
