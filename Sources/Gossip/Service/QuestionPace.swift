import Concurrency
import GossipProtocol
import Market
import Synchronization

/// Delays questions for records that exceed the rate of their peer or its address, and counts the
/// wanted ids that are not stored here.
final class QuestionPace: Sendable {
    private let clock: any MonotonicClock
    private let interval: Duration
    private let meter: Mutex<PeerMeter>
    private let unheld: Mutex<PeerMeter>

    init(limits: ExchangeLimits, clock: any MonotonicClock) {
        self.clock = clock
        interval = .seconds(1) / limits.questionsPerSecond
        meter = Mutex(PeerMeter(burst: limits.questionsBurst, every: interval))
        unheld = Mutex(PeerMeter(burst: limits.unheldBurst, every: limits.unheldInterval))
    }

    /// Returns once a question of `peer` may be answered, and whether it had to wait.
    ///
    /// - Throws: `CancellationError`
    func wait(for peer: PeerID, of group: AddressGroup?) async throws -> Bool {
        var hasWaited = false
        while !take(by: peer, of: group) {
            hasWaited = true
            try await clock.wait(interval)
        }
        return hasWaited
    }

    /// Counts wanted ids that are not stored here.
    func takeUnheld(_ count: Int, by peer: PeerID, of group: AddressGroup?) -> PeerMeter.Decision {
        let now = Moment(sinceStart: clock.uptime)
        return unheld.withLock { $0.take(count, by: peer, of: group, at: now) }
    }

    private func take(by peer: PeerID, of group: AddressGroup?) -> Bool {
        let now = Moment(sinceStart: clock.uptime)
        return meter.withLock { $0.takeWhole(by: peer, of: group, at: now) }
    }
}
