import Concurrency
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    @Test func `a waiter gets its units when others release theirs, in order`() async throws {
        let semaphore = AsyncSemaphore(unitsMax: 100)
        var first: AsyncSemaphore.Permit? = try await semaphore.wait(for: 80)
        let order = BoundedQueue<Int>(elementsMax: 3)
        try await withThrowingTaskGroup { group in
            for number in 1...2 {
                group.addTask {
                    let permit = try await semaphore.wait(for: 60)
                    await order.send(number)
                    withExtendedLifetime(permit) {}
                }
                while semaphore.waitingCount < number { await Task.yield() }
            }
            #expect(semaphore.freeUnits == 20)
            #expect(order.poll() == nil)
            withExtendedLifetime(first) {}
            first = nil
            try await group.waitForAll()
        }
        #expect(order.poll() == 1)
        #expect(order.poll() == 2)
        #expect(semaphore.freeUnits == 100)
    }

    @Test func `a waiter for more units than exist gets all units`() async throws {
        let semaphore = AsyncSemaphore(unitsMax: 100)
        let permit = try await semaphore.wait(for: 1_000)
        #expect(semaphore.freeUnits == 0)
        withExtendedLifetime(permit) {}
    }

    @Test func `closing a semaphore ends all waits`() async throws {
        let semaphore = AsyncSemaphore(unitsMax: 100)
        let permit = try await semaphore.wait(for: 100)
        await withTaskGroup { group in
            group.addTask {
                await #expect(throws: SemaphoreClosed.self) { try await semaphore.wait(for: 1) }
                return
            }
            group.addTask { semaphore.close() }
        }
        withExtendedLifetime(permit) {}
    }

    @Test func `a cancelled waiter leaves and blocks no other waiter`() async throws {
        let semaphore = AsyncSemaphore(unitsMax: 100)
        let permit = try await semaphore.wait(for: 80)
        let waiting = Task { _ = try await semaphore.wait(for: 100) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        _ = try await semaphore.wait(for: 20)
        withExtendedLifetime(permit) {}
        #expect(semaphore.freeUnits >= 20)
    }
}
