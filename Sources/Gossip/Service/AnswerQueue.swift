import Concurrency
import GossipProtocol
import Market
import Synchronization

/// Makes questions for records wait for their turn.
///
/// A question whose task is cancelled releases its turn.
final class AnswerQueue: Sendable {
    private struct State {
        var turns: AnswerTurns
        var ticketsGiven: AnswerTurns.Ticket = 0
        var waiting: [AnswerTurns.Ticket: CheckedContinuation<Duration?, Never>] = [:]
    }

    private let clock: any MonotonicClock
    private let state: Mutex<State>

    init(limits: ExchangeLimits, clock: any MonotonicClock) {
        self.clock = clock
        state = Mutex(State(turns: AnswerTurns(limits: limits)))
    }

    /// Runs `body` once it is the question's turn; nothing else of the queue runs until it ends.
    ///
    /// `body` must wait for no peer.
    ///
    /// - Throws: `CancellationError`, and what `body` throws.
    func turn<Value: Sendable>(
        costing cost: Int,
        of origin: RecordOrigin,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let ticket = state.withLock { state in
            state.ticketsGiven += 1
            return state.ticketsGiven
        }
        // If it was cancelled, its turn may have come nevertheless.
        defer { end(ticket) }
        guard let delay = await wait(ticket, costing: cost, of: origin) else {
            throw CancellationError()
        }
        if delay > .zero { try await clock.wait(delay) }
        return try await body()
    }

    /// Returns how long a question must still wait when its turn comes; `nil` if it is cancelled.
    private func wait(
        _ ticket: AnswerTurns.Ticket,
        costing cost: Int,
        of origin: RecordOrigin
    ) async -> Duration? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                let isAsked = state.withLock { state in
                    if Task.isCancelled { return false }
                    state.turns.ask(ticket, costing: cost, by: origin)
                    state.waiting[ticket] = resumption
                    return true
                }
                guard isAsked else { return resumption.resume(returning: nil) }
                beginNext()
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: nil)
        }
    }

    private func end(_ ticket: AnswerTurns.Ticket) {
        state.withLock { $0.turns.end(ticket) }
        beginNext()
    }

    private func beginNext() {
        let now = Moment(sinceStart: clock.uptime)
        let (resumption, delay): (CheckedContinuation<Duration?, Never>?, Duration) =
            state.withLock { state in
                guard let (ticket, delay) = state.turns.next(at: now) else { return (nil, .zero) }
                return (state.waiting.removeValue(forKey: ticket), delay)
            }
        resumption?.resume(returning: delay)
    }
}
