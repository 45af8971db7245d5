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

    /// What becomes of a question.
    package enum Decision: Equatable, Sendable {
        case granted
        /// The peer itself asked too often: refused, and its fault.
        case overdrawn
        /// Others used up what it shares with them: refused, and nobody's fault.
        case crowdedOut
    }

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

    /// Takes one question off what a peer and its address may ask.
    ///
    /// The peer's own part goes first, also when its address has nothing left: who keeps asking
    /// then is overdrawn in the end, and who asks as often as it may never is.
    package mutating func take(
        by peer: PeerID,
        of group: AddressGroup?,
        at now: Moment
    ) -> Decision {
        guard peers.take(of: peer, at: now) else {
            return peers.isShared(by: peer) ? .crowdedOut : .overdrawn
        }
        guard let group else { return .granted }
        return groups.take(of: group, at: now) ? .granted : .crowdedOut
    }

    /// Takes one question off what a peer and its address may ask, for those whose answer waits.
    ///
    /// - Returns: `false`, and nothing is taken, if either has nothing left.
    package mutating func takeWhole(
        by peer: PeerID,
        of group: AddressGroup?,
        at now: Moment
    ) -> Bool {
        if let group, groups.level(of: group, at: now) < 1 { return false }
        guard peers.take(of: peer, at: now) else { return false }
        return group.map { groups.take(of: $0, at: now) } ?? true
    }
}
