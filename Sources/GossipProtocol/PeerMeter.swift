package import Market

/// A rate limit for questions that cost this node work and the peer nothing.
///
/// All keys of one address together may ask four times as often as one, all addresses of a subnet
/// four times as often as that; on this machine each key counts separately. It outlives links.
///
/// Pure: the caller passes in the time.
package struct PeerMeter: Sendable {
    private static let countMax = 4_096
    private static let keysOfOneAddress = 4

    /// The decision about a question.
    package enum Decision: Equatable, Sendable {
        case granted
        /// Refused, because the peer itself asked too often: it is at fault.
        case overdrawn
        /// Refused, because others used up the allowance that it shares: it is not at fault.
        case crowdedOut
    }

    private var peers: TokenBuckets<PeerID>
    private var groups: AddressBuckets

    /// Allows a peer `burst` questions at once, and one more after each interval.
    package init(burst: Int, every interval: Duration) {
        peers = TokenBuckets(.init(burst: burst, every: interval), countMax: Self.countMax)
        groups = AddressBuckets(
            .init(
                burst: burst * Self.keysOfOneAddress,
                every: interval / Self.keysOfOneAddress
            ),
            countMax: Self.countMax
        )
    }

    /// Takes one question, or `count` of them, from the allowances of a peer and its address.
    ///
    /// The peer's own allowance is charged first, even if its address has none left: a peer that
    /// keeps asking then ends up overdrawn, and one that keeps to its rate never does.
    package mutating func take(
        _ count: Int = 1,
        by peer: PeerID,
        of group: AddressGroup?,
        at now: Moment
    ) -> Decision {
        guard peers.take(Double(count), of: peer, at: now) else { return .overdrawn }
        guard let group else { return .granted }
        return groups.take(Double(count), of: group, at: now) ? .granted : .crowdedOut
    }

    /// Takes one question from both allowances, for questions that can wait for their answer.
    ///
    /// - Returns: `false` if either is used up; then nothing is taken.
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
