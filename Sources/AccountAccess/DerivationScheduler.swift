import Answers
import Client
import Keys
import Synchronization

/// A queue in which key derivations wait until ``DerivationQueue`` lets them run.
///
/// A cancelled caller leaves the queue at once; a derivation that runs goes on to its end.
final class DerivationScheduler: Sendable {
    private enum Wait {
        /// In the queue, and about to be suspended.
        case entered
        case suspended(CheckedContinuation<Outcome, Never>)
        /// Its turn came, or it left, before it was suspended.
        case decided(Outcome)
    }

    /// The end of a wait.
    private enum Outcome {
        case runs
        case cancelled
        /// Another network took its place.
        case displaced
    }

    private struct State {
        var queue = DerivationQueue()
        var waits: [UInt64: Wait] = [:]

        /// - Returns: The continuation to resume.
        mutating func decide(
            _ number: UInt64,
            _ outcome: Outcome
        ) -> CheckedContinuation<Outcome, Never>? {
            if case .suspended(let continuation) = waits[number] {
                waits[number] = nil
                return continuation
            }
            waits[number] = .decided(outcome)
            return nil
        }
    }

    private let state = Mutex(State())

    /// The number of derivations that wait.
    var waitingCount: Int { state.withLock { $0.waits.count } }

    /// Remembers that a caller opened an account.
    func noteSuccess(of caller: CallerGroup, on account: Address) {
        state.withLock { $0.queue.noteSuccess(of: caller, on: account) }
    }

    /// Runs a derivation in its turn, on its own thread.
    ///
    /// - Parameters:
    ///   - caller: The group of the caller.
    ///   - continues: Whether the same request had a turn already.
    ///   - body: The derivation.
    /// - Returns: The value of `body`.
    /// - Throws: ``Refusal`` with `too_many_tries` if the queue is full, or another network takes
    ///   the caller's place; `CancellationError` if cancelled before its turn; what `body` throws.
    func run<Value: Sendable>(
        for caller: CallerGroup,
        continues: Bool = false,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await enter(caller, continues)
        defer { leave(caller) }
        return try await DerivationThread.run(body)
    }

    private func enter(_ caller: CallerGroup, _ continues: Bool) async throws {
        typealias Told = CheckedContinuation<Outcome, Never>
        let (decision, told): (DerivationQueue.Decision, Told?) = state.withLock { state in
            let decision = state.queue.enter(caller, continues: continues)
            guard case .waits(let number, let displaced) = decision else { return (decision, nil) }
            state.waits[number] = .entered
            return (decision, displaced.flatMap { state.decide($0, .displaced) })
        }
        told?.resume(returning: .displaced)
        switch decision {
        case .runs: return
        case .waits(let number, _):
            switch await turn(of: number) {
            case .runs: return
            case .cancelled: throw CancellationError()
            case .displaced: throw Self.isFull
            }
        case .full: throw Self.isFull
        }
    }

    /// All that wait now have had their turns by then; the refused network keeps its order.
    private static let isFull = Refusal(
        .tooManyTries,
        Sentence("refusal.openingsBusy", ["wait": "\(DerivationQueue.elsewhereWaitingMax)"]),
        retryAfter: .seconds(DerivationQueue.elsewhereWaitingMax)
    )

    /// Waits for a turn, or for the reason why there will be none.
    private func turn(of number: UInt64) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided: Outcome? = state.withLock { state in
                    if case .decided(let outcome) = state.waits[number] {
                        state.waits[number] = nil
                        return outcome
                    }
                    state.waits[number] = .suspended(continuation)
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            let told = state.withLock { state in
                state.queue.giveUp(number) ? state.decide(number, .cancelled) : nil
            }
            told?.resume(returning: .cancelled)
        }
    }

    private func leave(_ caller: CallerGroup) {
        let told = state.withLock { state in
            state.queue.leave(caller).compactMap { state.decide($0, .runs) }
        }
        for continuation in told { continuation.resume(returning: .runs) }
    }
}
