import Concurrency
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Synchronization
import Testing

/// What becomes of mail while the store is full.
@Suite(.timeLimit(.minutes(5)))
struct ChatFullStoreTests {
    /// A store that is full while a test says so, and how many commits it has refused.
    private final class Fullness: Sendable {
        let isFull = Mutex(false)
        let refusedCount = Mutex(0)

        @Sendable func hook(count: Int) -> StoreFault? {
            guard isFull.withLock({ $0 }) else { return nil }
            refusedCount.withLock { $0 += 1 }
            return .failure(.mapFull(.commit))
        }
    }

    @Test func `a full store keeps no loop of mail busy`() async throws {
        let fullness = Fullness()
        try await ChatHarness.pair(fault: { fullness.hook(count: $0) }) {
            harness,
            one,
            two,
            ana,
            bo in
            await harness.disconnect(one, two)
            for number in 0..<8 { try await one.write("\(number)", to: bo, by: ana) }
            fullness.isFull.withLock { $0 = true }
            try await withThrowingTaskGroup { group in
                group.addTask { try await one.chat.run() }
                try await waitUntil { fullness.refusedCount.withLock { $0 } > 0 }
                try await SystemMonotonicClock().wait(.seconds(2))
                group.cancelAll()
            }
            // Each message once, and what other loops write once.
            #expect(fullness.refusedCount.withLock { $0 } < 40)
            fullness.isFull.withLock { $0 = false }
            harness.reconnect(one, two)
            await harness.runAll(times: 60)
            #expect(try await two.messages(of: bo).count == 8)
        }
    }

    /// - From peers: mail for a home whose store is full → unable; the sender tries again later
    @Test func `a full home takes mail once it has room`() async throws {
        let fullness = Fullness()
        try await ChatHarness.pair(fault: { fullness.hook(count: $0) }) {
            harness,
            one,
            two,
            ana,
            bo in
            fullness.isFull.withLock { $0 = true }
            try await two.write("hello", to: ana, by: bo)
            await two.chat.runOnce()
            #expect(fullness.refusedCount.withLock { $0 } > 0)
            fullness.isFull.withLock { $0 = false }
            #expect(try await one.messages(of: ana).isEmpty)
            await harness.runAll(times: 60)
            #expect(try await one.messages(of: ana).count == 1)
        }
    }
}
