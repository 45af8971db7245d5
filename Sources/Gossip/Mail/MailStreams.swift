import Market
import Synchronization

/// Counts the mail streams that peers have open here, and the questions they ask.
final class MailStreams: Sendable {
    private struct State {
        var open: [PeerID: Int] = [:]
        var all = 0
        var meter: MailMeter
    }

    private let limits: MailLimits
    private let state: Mutex<State>
    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant

    init(limits: MailLimits) {
        self.limits = limits
        state = Mutex(State(meter: MailMeter(limits: limits)))
        began = clock.now
    }

    /// Runs `body` as one stream of `peer`.
    ///
    /// - Throws: ``LinkError/full(_:)``, and what `body` throws.
    func with(_ peer: PeerID, _ body: () async throws -> Void) async throws {
        let isFree = state.withLock { state in
            let count = state.open[peer] ?? 0
            guard count < limits.streamsPerPeerMax, state.all < limits.streamsMax else {
                return false
            }
            state.open[peer] = count + 1
            state.all += 1
            return true
        }
        guard isFree else { throw LinkError.full(.streams) }
        defer {
            state.withLock { state in
                let count = (state.open[peer] ?? 1) - 1
                state.open[peer] = count == 0 ? nil : count
                state.all -= 1
            }
        }
        try await body()
    }

    /// Tells whether `peer` may ask once more now.
    func admits(_ peer: PeerID) -> Bool {
        let now = Moment(sinceStart: began.duration(to: clock.now))
        return state.withLock { $0.meter.admit(peer, at: now) }
    }
}
