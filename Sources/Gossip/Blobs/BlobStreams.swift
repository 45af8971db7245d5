import Concurrency
import GossipProtocol
import Market
import Synchronization

/// Limits the blob streams that peers have open here, and the bytes that they ask for.
final class BlobStreams: Sendable {
    private static let addressesMax = 4_096

    private let streams: StreamCount
    private let limits: BlobExchangeLimits
    private let groups: Mutex<TokenBuckets<AddressGroup>>
    /// Peers of this machine, which share its address.
    private let peers: Mutex<TokenBuckets<PeerID>>
    /// The budget that the askers' subnets share.
    private let shares: Mutex<FairBudget<AddressGroup>>
    private let clock: any MonotonicClock

    init(limits: BlobExchangeLimits, clock: any MonotonicClock) {
        (self.limits, self.clock) = (limits, clock)
        shares = Mutex(FairBudget(limits: limits.shares))
        streams = StreamCount(perPeerMax: limits.streamsPerPeerMax, allMax: limits.streamsMax)
        let interval = Duration.seconds(1) / Double(limits.bytesPerSecond)
        groups = Mutex(
            TokenBuckets(
                .init(burst: limits.burstBytes, every: interval),
                countMax: Self.addressesMax
            )
        )
        peers = Mutex(
            TokenBuckets(
                .init(burst: limits.burstBytes, every: interval),
                countMax: Self.addressesMax
            )
        )
    }

    /// Runs `body` as one stream of `peer`.
    ///
    /// - Throws: ``LinkError/full(_:)``, and what `body` throws.
    func with(_ peer: PeerID, _ body: () async throws -> Void) async throws {
        try await streams.with(peer, body)
    }

    /// Waits until the allowance of the peer's address covers this number of bytes.
    ///
    /// - Returns: Whether it may; `false` if it would have to wait for too long.
    /// - Throws: `CancellationError`
    func wait(for byteCount: Int, of peer: PeerID, in group: AddressGroup?) async throws -> Bool {
        let deadline = Deadline(after: limits.paceMax, on: clock)
        while !take(byteCount, of: peer, in: group) {
            guard !deadline.hasPassed else { return false }
            try await clock.wait(.milliseconds(100))
        }
        return true
    }

    private func take(_ byteCount: Int, of peer: PeerID, in group: AddressGroup?) -> Bool {
        let now = Moment(sinceStart: clock.uptime)
        guard let group else {
            return peers.withLock { $0.take(Double(byteCount), of: peer, at: now) }
        }
        // The subnet is asked first: amounts that it gives must not be taken twice.
        return groups.withLock { groups in
            guard groups.level(of: group, at: now) >= Double(byteCount) else { return false }
            guard shares.withLock({ $0.admit(byteCount, of: group.wholeSubnet, at: now) })
            else { return false }
            return groups.take(Double(byteCount), of: group, at: now)
        }
    }
}
