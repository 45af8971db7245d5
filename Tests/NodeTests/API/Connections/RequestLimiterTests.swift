import Synchronization
import Testing

@testable import Node

@Suite(.timeLimit(.minutes(1)))
struct RequestLimiterTests {
    @Test func `one network's requests take turns, and no other waits for them`() async {
        let turns = RequestLimiter()
        for _ in 0..<RequestLimiter.networkMax { await turns.enter("a") }
        let begun = Begun()
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await turns.enter("a")
                    begun.count.withLock { $0 += 1 }
                }
            }
            await turns.enter("b")
            for _ in 0..<100 { await Task.yield() }
            #expect(begun.now == 0)
            for _ in 0..<3 { turns.leave("a") }
            await group.waitForAll()
        }
        #expect(begun.now == 3)
        for _ in 0..<RequestLimiter.networkMax { turns.leave("a") }
        for _ in 0..<RequestLimiter.networkMax { await turns.enter("a") }
    }
}

/// How many turns have begun.
private final class Begun: Sendable {
    let count = Mutex(0)

    var now: Int { count.withLock { $0 } }
}
