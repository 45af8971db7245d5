import Testing

@testable import Gossip

@Suite(.timeLimit(.minutes(1)))
struct AnswerBudgetTests {
    @Test func `who finds no room waits until others have let go of theirs, in turn`() async throws
    {
        let room = AnswerBudget(bytesMax: 100)
        var first: AnswerBudget.Part? = try await room.take(80)
        let order = BoundedQueue<Int>(elementsMax: 3)
        try await withThrowingTaskGroup { group in
            for number in 1...2 {
                group.addTask {
                    let part = try await room.take(60)
                    await order.send(number)
                    withExtendedLifetime(part) {}
                }
            }
            #expect(room.freeBytes == 20)
            #expect(order.poll() == nil)
            withExtendedLifetime(first) {}
            first = nil
            try await group.waitForAll()
        }
        #expect(order.poll() != nil)
        #expect(order.poll() != nil)
        #expect(room.freeBytes == 100)
    }

    @Test func `who wants more than there is takes all of it`() async throws {
        let room = AnswerBudget(bytesMax: 100)
        let part = try await room.take(1_000)
        #expect(room.freeBytes == 0)
        withExtendedLifetime(part) {}
    }

    @Test func `nobody waits for the room of a link that has ended`() async throws {
        let room = AnswerBudget(bytesMax: 100)
        let part = try await room.take(100)
        await withTaskGroup { group in
            group.addTask {
                await #expect(throws: LinkError.streamReset) { try await room.take(1) }
                return
            }
            group.addTask { room.close() }
        }
        withExtendedLifetime(part) {}
    }

    @Test func `who is cancelled waits no more, and keeps nobody waiting`() async throws {
        let room = AnswerBudget(bytesMax: 100)
        let part = try await room.take(80)
        let waiting = Task { _ = try await room.take(100) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        _ = try await room.take(20)
        withExtendedLifetime(part) {}
        #expect(room.freeBytes >= 20)
    }
}
