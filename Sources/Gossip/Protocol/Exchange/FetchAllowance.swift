package import Market

/// What peers may still make this node fetch, each and all keys of its address together.
///
/// A key costs nothing to make, so an address has an hour's bytes of its own: four times those of
/// one peer. On this machine each key counts alone. It outlives links.
///
/// Pure: it is told the time.
///
/// Source: Docs/protocol.md, section 9.5.
package struct FetchAllowance: Sendable {
    private var peers: TokenBuckets<PeerID>
    private var groups: TokenBuckets<AddressGroup>

    package init(limits: ExchangeLimits) {
        let hour = Duration.seconds(3_600)
        peers = TokenBuckets(
            .init(limits.hourlyBytesMax, in: hour),
            countMax: limits.fetchedPeersMax
        )
        groups = TokenBuckets(
            .init(limits.hourlyBytesMax * limits.fetchedPerAddress, in: hour),
            countMax: limits.fetchedPeersMax
        )
    }

    /// The bytes that may be fetched of a peer now: the lesser of what it and its address have.
    package func level(of peer: PeerID, at group: AddressGroup?, now: Moment) -> Int {
        let own = peers.level(of: peer, at: now)
        return Int(group.map { min(own, groups.level(of: $0, at: now)) } ?? own)
    }

    /// Takes what was fetched off both.
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
