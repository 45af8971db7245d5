package import Market

/// Limits the dials of homes at addresses that leases name.
extension PeerBook {
    /// Takes a dial of an address in a home's lease, or the look-up of its name.
    ///
    /// Returns `false` if it must wait, or is banned. If the home has answered there before, it
    /// counts as a dial of a known peer. Otherwise all leases together are one source, and
    /// addresses, subnets and failures count as with any other.
    package mutating func takeHome(
        _ address: Multiaddr,
        of home: PeerID,
        at now: Moment
    ) -> Bool {
        guard ban(of: home, at: now) == nil, !isBanned(address, at: now) else { return false }
        let target = address.expecting(home)
        let known = entries[home]?.places.first { $0.address == target && !$0.isReported }
        return known == nil
            ? budget.take(address, by: .leases, at: now) : budget.takeKnown(at: now)
    }

    /// Takes a dial of an address to which a name in a home's lease resolved, already counted.
    package mutating func takeHomeTarget(_ address: Multiaddr, at now: Moment) -> Bool {
        !isBanned(address, at: now) && budget.takeTarget(address, at: now)
    }

    /// Records that a name led to a home, so it may be looked up again at once.
    package mutating func noteHome(at name: Multiaddr) { budget.succeed(name) }
}
