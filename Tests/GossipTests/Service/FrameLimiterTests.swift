import Testing

@testable import Gossip

@Suite(.timeLimit(.minutes(2)))
struct FrameLimiterTests {
    @Test func `one more frame is read when one was dealt with`() async throws {
        let turns = FrameLimiter(countMax: 2)
        var held: [FrameLimiter.Permit] = []
        for _ in 0..<2 { held.append(try await turns.take()) }
        let taken = BoundedQueue<Void>(elementsMax: 2)
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    let turn = try await turns.take()
                    await taken.send(())
                    withExtendedLifetime(turn) {}
                }
            }
            for _ in 0..<1_000 { await Task.yield() }
            #expect(taken.poll() == nil)
            held = []
            for _ in 0..<2 { _ = await taken.receive() }
            try await group.waitForAll()
        }
    }

    @Test func `who is cancelled waits no longer`() async throws {
        let turns = FrameLimiter(countMax: 1)
        let turn = try await turns.take()
        await withThrowingTaskGroup { group in
            group.addTask { _ = try await turns.take() }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.next() }
        }
        withExtendedLifetime(turn) {}
    }
}
