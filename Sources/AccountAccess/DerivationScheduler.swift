import Answers
import Client
import Synchronization

/// A queue in which key derivations wait until ``DerivationQueue`` lets them run.
///
/// A cancelled caller leaves the queue at once; a derivation that runs goes on to its end.
final class DerivationScheduler: Sendable {
    private enum Wait {
        /// In the queue, and about to be suspended.
        case entered
        case suspended(CheckedContinuation<Bool, Never>)
        /// Its turn came, or it left, before it was suspended.
        case decided(runs: Bool)
    }

    private struct State {
        var queue = DerivationQueue()
        var waits: [UInt64: Wait] = [:]

        /// - Returns: The continuation to resume.
        mutating func decide(
            _ number: UInt64,
            runs: Bool
        ) -> CheckedContinuation<Bool, Never>? {
            if case .suspended(let continuation) = waits[number] {
                waits[number] = nil
                return continuation
            }
            waits[number] = .decided(runs: runs)
            return nil
        }
    }

    private let state = Mutex(State())

    /// The number of derivations that wait.
    var waitingCount: Int { state.withLock { $0.waits.count } }

    /// Runs a derivation in its turn, on its own thread.
    ///
    /// - Throws: ``Refusal`` with `too_many_tries` if the queue is full; `CancellationError` if
    ///   cancelled before its turn; what `body` throws.
    func run<Value: Sendable>(
        for caller: CallerGroup,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await enter(caller)
        defer { leave(caller) }
        return try await DerivationThread.run(body)
    }

    private func enter(_ caller: CallerGroup) async throws {
        let answer = state.withLock { state in
            let answer = state.queue.enter(caller)
            if case .waits(let number) = answer { state.waits[number] = .entered }
            return answer
        }
        switch answer {
        case .runs: return
        case .waits(let number):
            guard await turn(of: number) else { throw CancellationError() }
        case .full:
            throw Refusal(
                .tooManyTries,
                "Too many accounts are being opened right now; try again in a moment.",
                retryAfter: .seconds(5)
            )
        }
    }

    /// Waits for a turn; returns `false` if there will be none.
    private func turn(of number: UInt64) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let decided: Bool? = state.withLock { state in
                    if case .decided(let runs) = state.waits[number] {
                        state.waits[number] = nil
                        return runs
                    }
                    state.waits[number] = .suspended(continuation)
                    return nil
                }
                if let decided { continuation.resume(returning: decided) }
            }
        } onCancel: {
            let told = state.withLock { state in
                state.queue.giveUp(number) ? state.decide(number, runs: false) : nil
            }
            told?.resume(returning: false)
        }
    }

    private func leave(_ caller: CallerGroup) {
        let told = state.withLock { state in
            state.queue.leave(caller).compactMap { state.decide($0, runs: true) }
        }
        for continuation in told { continuation.resume(returning: true) }
    }
}
