import Synchronization

/// Runs work that takes long in short steps, one step at a time, so that it keeps at most one
/// thread busy.
///
/// Who has work takes turns: each has one piece of work under way, and after each step it is the
/// turn of the next.
package final class WorkTurns<Owner: Hashable & Sendable>: Sendable {
    /// Too much of an owner's work waits already.
    package struct Full: Error {}

    private struct Queue {
        let semaphore = AsyncSemaphore(unitsMax: 1)
        var count = 0
    }

    private let ownerMax: Int
    private let steps = AsyncSemaphore(unitsMax: 1)
    private let queues = Mutex<[Owner: Queue]>([:])

    /// Creates turns in which an owner has at most `ownerMax` pieces of work, under way or waiting.
    package init(ownerMax: Int) { self.ownerMax = ownerMax }

    /// Repeats a step until it returns a value.
    ///
    /// - Parameters:
    ///   - owner: Whose work it is.
    ///   - step: Does what takes about a millisecond; gets the number of the step, from 0.
    /// - Returns: The work's result.
    /// - Throws: ``Full``, what `step` throws, or `CancellationError`.
    @concurrent
    package func value<Value: Sendable>(
        for owner: Owner,
        _ step: @Sendable (UInt64) throws -> Value?
    ) async throws -> Value {
        let queue = try enter(owner)
        defer { leave(owner) }
        let place = try await queue.wait()
        defer { withExtendedLifetime(place) {} }
        var number: UInt64 = 0
        while true {
            let turn = try await steps.wait()
            let value = try withExtendedLifetime(turn) { try step(number) }
            if let value { return value }
            number += 1
            await Task.yield()
        }
    }

    private func enter(_ owner: Owner) throws -> AsyncSemaphore {
        try queues.withLock { queues in
            var queue = queues[owner] ?? Queue()
            guard queue.count < ownerMax else { throw Full() }
            queue.count += 1
            queues[owner] = queue
            return queue.semaphore
        }
    }

    private func leave(_ owner: Owner) {
        queues.withLock { queues in
            queues[owner]?.count -= 1
            if queues[owner]?.count == 0 { queues[owner] = nil }
        }
    }
}
