import Concurrency
import Synchronization

/// The turns of accounts at the decoders of pictures, as ``DecoderQueue`` decides.
final class DecoderTurns: Sendable {
    /// A decoder that is taken until the permit is released.
    final class Permit: Sendable {
        private let turns: DecoderTurns
        private let owner: PictureOwner
        private let begunAt: Duration

        fileprivate init(_ turns: DecoderTurns, _ owner: PictureOwner) {
            (self.turns, self.owner) = (turns, owner)
            begunAt = turns.clock.uptime
        }

        deinit { turns.leave(owner, begunAt: begunAt) }
    }

    private struct State {
        var queue: DecoderQueue
        var waits: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var numbersGiven: UInt64 = 0

        /// Returns those that begin now.
        mutating func begin(at now: Duration) -> [CheckedContinuation<Bool, Never>] {
            var begun: [CheckedContinuation<Bool, Never>] = []
            while let number = queue.next(at: now) {
                if let wait = waits.removeValue(forKey: number) { begun.append(wait) }
            }
            return begun
        }
    }

    private let state: Mutex<State>
    private let clock: any MonotonicClock

    /// The number of pictures that wait.
    var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    init(decodersMax: Int, clock: any MonotonicClock = .system) {
        self.clock = clock
        state = Mutex(State(queue: DecoderQueue(runningMax: decodersMax)))
    }

    /// Waits for a decoder.
    ///
    /// - Throws: `CancellationError` if cancelled before there is one.
    func wait(for owner: PictureOwner) async throws -> Permit {
        let number = state.withLock { state in
            state.numbersGiven += 1
            return state.numbersGiven
        }
        let isTaken = await withTaskCancellationHandler {
            await withCheckedContinuation { enter(owner, as: number, $0) }
        } onCancel: {
            let wait = state.withLock { state in
                state.queue.giveUp(number) ? state.waits.removeValue(forKey: number) : nil
            }
            wait?.resume(returning: false)
        }
        guard isTaken else { throw CancellationError() }
        return Permit(self, owner)
    }

    private func enter(
        _ owner: PictureOwner,
        as number: UInt64,
        _ wait: CheckedContinuation<Bool, Never>
    ) {
        let now = clock.uptime
        let begun: [CheckedContinuation<Bool, Never>]? = state.withLock { state in
            if Task.isCancelled { return nil }
            state.queue.enter(owner, as: number)
            state.waits[number] = wait
            return state.begin(at: now)
        }
        guard let begun else { return wait.resume(returning: false) }
        for wait in begun { wait.resume(returning: true) }
    }

    private func leave(_ owner: PictureOwner, begunAt: Duration) {
        let now = clock.uptime
        let begun = state.withLock { state in
            state.queue.leave(owner, after: now - begunAt, at: now)
            return state.begin(at: now)
        }
        for wait in begun { wait.resume(returning: true) }
    }
}
