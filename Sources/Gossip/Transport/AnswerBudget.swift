import DequeModule
import Synchronization

/// The memory that one link may hold for answers its peer has not read, shared by its streams.
///
/// Who answers takes room before it looks up what to answer, and holds it until the answer is
/// written: a peer that asks much and reads nothing waits for itself, and costs no more. Whoever
/// came first has its turn first.
///
/// Source: Docs/protocol.md, section 7.4.
final class AnswerBudget: Sendable {
    private struct Waiter {
        let ticket: UInt64
        let byteCount: Int
        let resumption: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var waiters: Deque<Waiter> = []
        var isClosed = false
        var ticketsGiven: UInt64 = 0

        /// Takes those whose turn it is out of the line.
        mutating func admit() -> [Waiter] {
            var admitted: [Waiter] = []
            while let first = waiters.first, first.byteCount <= free {
                free -= first.byteCount
                admitted.append(waiters.removeFirst())
            }
            return admitted
        }
    }

    /// Room that somebody holds; gives it back when it is let go of.
    final class Part: Sendable {
        private let room: AnswerBudget
        private let byteCount: Int

        fileprivate init(_ room: AnswerBudget, _ byteCount: Int) {
            (self.room, self.byteCount) = (room, byteCount)
        }

        deinit { room.give(byteCount) }
    }

    private let bytesMax: Int
    private let state: Mutex<State>

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
        state = Mutex(State(free: bytesMax))
    }

    /// What nobody holds.
    var freeBytes: Int { state.withLock { $0.free } }

    /// Waits for room; who wants more than there is takes all of it.
    ///
    /// - Throws: ``LinkError/streamReset`` once the link has ended; `CancellationError`.
    func take(_ byteCount: Int) async throws -> Part {
        let byteCount = min(byteCount, bytesMax)
        let ticket = state.withLock { state in
            state.ticketsGiven += 1
            return state.ticketsGiven
        }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                wait(Waiter(ticket: ticket, byteCount: byteCount, resumption: resumption))
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
            throw LinkError.streamReset
        }
        return Part(self, byteCount)
    }

    /// Nobody waits any more, since the link has ended.
    func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resumption.resume(returning: false) }
    }

    private func wait(_ waiter: Waiter) {
        let outcome: Bool? = state.withLock { state in
            if state.isClosed || Task.isCancelled { return false }
            guard state.waiters.isEmpty, waiter.byteCount <= state.free else {
                state.waiters.append(waiter)
                return nil
            }
            state.free -= waiter.byteCount
            return true
        }
        if let outcome { waiter.resumption.resume(returning: outcome) }
    }

    private func give(_ byteCount: Int) {
        let admitted = state.withLock { state in
            state.free += byteCount
            return state.admit()
        }
        for waiter in admitted { waiter.resumption.resume(returning: true) }
    }
}
