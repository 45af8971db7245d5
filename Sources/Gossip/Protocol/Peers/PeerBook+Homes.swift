package import Market

/// Homes of others' mail, which are dialled on the word of their leases.
extension PeerBook {
    /// Takes a dial at an address that a home's lease tells, or the look-up of a name in it;
    /// `false` if it must wait, or may not be.
    ///
    /// Where the home answered before, it is dialled as any peer that did; else all leases together
    /// are one source, and addresses, subnets and failures count as with any other.
    package mutating func takeHome(
        _ address: Multiaddr,
        of home: PeerID,
        at now: Moment
    ) -> Bool {
        guard ban(of: home, at: now) == nil, !isBanned(address, at: now) else { return false }
        let target = address.expecting(home)
        let known = entries[home]?.places.first { $0.address == target && !$0.isTold }
        return known == nil
            ? budget.take(address, by: .leases, at: now) : budget.takeKnown(at: now)
    }

    /// Takes a dial at an address that a name in a home's lease led to, whose look-up was counted.
    package mutating func takeHomeTarget(_ address: Multiaddr, at now: Moment) -> Bool {
        !isBanned(address, at: now) && budget.takeTarget(address, at: now)
    }

    /// A name led to a home: it may be looked up again at once.
    package mutating func noteHome(at name: Multiaddr) { budget.succeed(name) }
}
