import Concurrency
import GossipProtocol
import Market
import Synchronization

/// Limits the mail streams that peers have open here, and the rate of their questions.
final class MailStreams: Sendable {
    private let streams: StreamCount
    private let meter: Mutex<PeerMeter>
    private let clock: any MonotonicClock

    init(limits: MailLimits, clock: any MonotonicClock) {
        self.clock = clock
        streams = StreamCount(perPeerMax: limits.streamsPerPeerMax, allMax: limits.streamsMax)
        meter = Mutex(
            PeerMeter(burst: limits.burstMax, every: .seconds(1) / limits.questionsPerSecond)
        )
    }

    /// Runs `body` as one stream of `peer`.
    ///
    /// - Throws: ``LinkError/full(_:)``, and what `body` throws.
    func with(_ peer: PeerID, _ body: () async throws -> Void) async throws {
        try await streams.with(peer, body)
    }

    /// Counts a question of `peer`, and of all peers at its address together.
    func take(by peer: PeerID, of group: AddressGroup?) -> PeerMeter.Decision {
        let now = Moment(sinceStart: clock.uptime)
        return meter.withLock { $0.take(by: peer, of: group, at: now) }
    }
}
