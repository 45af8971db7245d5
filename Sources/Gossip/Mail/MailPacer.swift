import Concurrency
package import GossipProtocol
import Market
import Synchronization

/// Keeps this node's questions to each home to a rate that the home answers, and its deposits to
/// their turns.
package final class MailPacer: Sendable {
    private struct State {
        var pace: AskingPace
        var ticketsGiven: AskingPace.Ticket = 0
    }

    private let clock: any MonotonicClock
    private let state: Mutex<State>
    private var now: Moment { Moment(sinceStart: clock.uptime) }

    init(limits: MailLimits, clock: any MonotonicClock) {
        self.clock = clock
        state = Mutex(State(pace: AskingPace(limits)))
    }

    /// Runs `body`, which makes a deposit, once it is the deposit's turn.
    ///
    /// - Throws: `CancellationError`, and what `body` throws.
    package func turn<Value: Sendable>(
        of deposit: AskingPace.Deposit,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let ticket = state.withLock { state in
            state.ticketsGiven += 1
            state.pace.wait(state.ticketsGiven, deposit, at: now)
            return state.ticketsGiven
        }
        defer { state.withLock { $0.pace.end(ticket, at: deposit.home) } }
        while let delay = state.withLock({ $0.pace.begin(ticket, at: deposit.home, at: now) }) {
            try await clock.wait(delay)
        }
        return try await body()
    }

    /// Counts a question, unless it is a deposit's first: that was counted with its turn.
    func count(_ question: MailQuestion, to home: PeerID) {
        if case .deposit(let deposit) = question, deposit.work == nil { return }
        state.withLock { $0.pace.count(at: home, at: now) }
    }

    /// Records that a home refused a question because it was asked too often.
    func refused(by home: PeerID) {
        state.withLock { $0.pace.refused(by: home, at: now) }
    }
}
