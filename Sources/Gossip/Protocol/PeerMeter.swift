package import Market

/// How often peers may ask for something that costs this node work and them nothing.
///
/// All keys of one address together may ask four times as often as one; on this machine each key
/// counts alone. It outlives links.
///
/// Pure: it is told the time.
package struct PeerMeter: Sendable {
    private static let countMax = 4_096
    private static let keysOfOneAddress = 4

    private var peers: TokenBuckets<PeerID>
    private var groups: TokenBuckets<AddressGroup>

    /// A peer may ask so often at once, and once more after each interval.
    package init(burst: Int, every interval: Duration) {
        peers = TokenBuckets(.init(burst: burst, every: interval), countMax: Self.countMax)
        groups = TokenBuckets(
            .init(
                burst: burst * Self.keysOfOneAddress,
                every: interval / Self.keysOfOneAddress
            ),
            countMax: Self.countMax
        )
    }

    /// Takes one question off what a peer and its address may ask; `false` if that is used up.
    package mutating func take(
        by peer: PeerID,
        of group: AddressGroup?,
        at now: Moment
    ) -> Bool {
        if let group, groups.level(of: group, at: now) < 1 { return false }
        guard peers.take(of: peer, at: now) else { return false }
        return group.map { groups.take(of: $0, at: now) } ?? true
    }
}
