import DequeModule
import Synchronization

/// A counting semaphore whose waiters are served in order of arrival.
///
/// A waiter takes several units at once. A permit gives its units back when it is released.
package final class AsyncSemaphore: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let units: Int
        let resumption: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var waiters: Deque<Waiter> = []
        var isClosed = false
        var ticketsGiven: UInt64 = 0

        /// Removes and returns the waiters for which there are units now.
        mutating func admit() -> [Waiter] {
            var admitted: [Waiter] = []
            while let first = waiters.first, first.units <= free {
                free -= first.units
                admitted.append(waiters.removeFirst())
            }
            return admitted
        }
    }

    /// Units that are taken until the permit is released.
    package final class Permit: Sendable {
        private let semaphore: AsyncSemaphore
        private let units: Int

        fileprivate init(_ semaphore: AsyncSemaphore, _ units: Int) {
            (self.semaphore, self.units) = (semaphore, units)
        }

        deinit { semaphore.give(units) }
    }

    private let unitsMax: Int
    private let state: Mutex<State>

    package init(unitsMax: Int) {
        self.unitsMax = unitsMax
        state = Mutex(State(free: unitsMax))
    }

    /// The units that are not taken.
    package var freeUnits: Int { state.withLock { $0.free } }

    /// The number of tasks that wait for units.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Waits for `units`, or for all units if there are fewer.
    ///
    /// - Throws: ``SemaphoreClosed``; `CancellationError`.
    package func wait(for units: Int = 1) async throws -> Permit {
        let units = min(units, unitsMax)
        let ticket = state.withLock { state in
            state.ticketsGiven += 1
            return state.ticketsGiven
        }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                enqueue(Waiter(ticket: ticket, units: units, resumption: resumption))
            }
        } onCancel: {
            let (waiter, admitted) = state.withLock { state in
                let index = state.waiters.firstIndex { $0.ticket == ticket }
                return (index.map { state.waiters.remove(at: $0) }, state.admit())
            }
            waiter?.resumption.resume(returning: false)
            for waiter in admitted { waiter.resumption.resume(returning: true) }
        }
        guard isTaken else {
            try Task.checkCancellation()
            throw SemaphoreClosed()
        }
        return Permit(self, units)
    }

    /// Ends all waiting, now and later; permits stay valid.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resumption.resume(returning: false) }
    }

    private func enqueue(_ waiter: Waiter) {
        let outcome: Bool? = state.withLock { state in
            if state.isClosed || Task.isCancelled { return false }
            guard state.waiters.isEmpty, waiter.units <= state.free else {
                state.waiters.append(waiter)
                return nil
            }
            state.free -= waiter.units
            return true
        }
        if let outcome { waiter.resumption.resume(returning: outcome) }
    }

    private func give(_ units: Int) {
        let admitted = state.withLock { state in
            state.free += units
            return state.admit()
        }
        for waiter in admitted { waiter.resumption.resume(returning: true) }
    }
}

/// A semaphore was closed while a task waited for it.
package struct SemaphoreClosed: Error {}
