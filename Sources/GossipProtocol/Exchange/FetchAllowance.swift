package import Market

/// How much peers may still make this node fetch, per peer and per address.
///
/// A key costs nothing to make, so each address has an hourly allowance too: four times that of one
/// peer; and each subnet: four times that of one address. On this machine each key counts
/// separately. It outlives links.
///
/// Pure: the caller passes in the time.
///
/// Source: Docs/protocol.md, section 9.5.
package struct FetchAllowance: Sendable {
    private var peers: TokenBuckets<PeerID>
    private var groups: AddressBuckets

    package init(limits: ExchangeLimits) {
        let hour = Duration.seconds(3_600)
        peers = TokenBuckets(
            .init(limits.hourlyBytesMax, in: hour),
            countMax: limits.fetchedPeersMax
        )
        groups = AddressBuckets(
            .init(limits.hourlyBytesMax * limits.fetchedPerAddress, in: hour),
            countMax: limits.fetchedPeersMax
        )
    }

    /// Returns the bytes that may be fetched from a peer now, within both allowances.
    package func level(of peer: PeerID, at group: AddressGroup?, now: Moment) -> Int {
        let own = peers.level(of: peer, at: now)
        return Int(group.map { min(own, groups.level(of: $0, at: now)) } ?? own)
    }

    /// Takes fetched bytes from both allowances.
    package mutating func drain(
        _ byteCount: Int,
        of peer: PeerID,
        at group: AddressGroup?,
        now: Moment
    ) {
        peers.drain(Double(byteCount), of: peer, at: now)
        if let group { groups.drain(Double(byteCount), of: group, at: now) }
    }
}
