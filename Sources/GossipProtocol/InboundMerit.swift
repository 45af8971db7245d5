package import Market

/// Chooses the incoming link to end when there are too many.
///
/// Pure. A quarter of the slots is protected for each of: the most useful links, the oldest, and
/// one of each subnet. Among the others it chooses the newest link of the address that recently
/// opened most links, if one opened many; else the youngest link of the subnet with the most links.
/// An attacker with many links, or with ever new ones, therefore displaces its own, and a link is
/// kept for its usefulness.
///
/// Source: Docs/protocol.md, section 7.5; Docs/operations.md, section 7.2.
package struct InboundMerit: Sendable {
    package struct Candidate: Sendable {
        package let peer: PeerID
        package let address: IPAddress?
        /// Orders the links by age.
        package let openedAt: Moment
        /// New records that this peer delivered first.
        package let deliveries: Int
        /// Links that its address began lately; see ``LinkBeginnings``.
        package let begun: Int

        package init(
            peer: PeerID,
            address: IPAddress?,
            openedAt: Moment,
            deliveries: Int,
            begun: Int = 0
        ) {
            (self.peer, self.address) = (peer, address)
            (self.openedAt, self.deliveries, self.begun) = (openedAt, deliveries, begun)
        }
    }

    /// How long a new link is protected, so that it can become useful.
    ///
    /// Links of a subnet with more than a quarter of all links are not protected.
    package static let grace = Duration.seconds(10)

    /// Links that an address may begin lately before its links go first.
    package static let begunMax = 4

    /// Returns the link to end; `nil` only if there is none.
    package static func victim(of candidates: [Candidate], at now: Moment) -> PeerID? {
        let share = candidates.count / 4
        var rest = candidates.sorted { ($0.openedAt, $0.peer) < ($1.openedAt, $1.peer) }
        func protect(_ peers: some Sequence<Candidate>) {
            let safe = Set(peers.map(\.peer))
            rest.removeAll { safe.contains($0.peer) }
        }
        let useful = rest.filter { $0.deliveries > 0 }.sorted { $0.deliveries > $1.deliveries }
        protect(useful.prefix(share))
        protect(rest.prefix(share))
        var subnets: Set<[UInt8]> = []
        protect(rest.filter { subnets.insert($0.subnet).inserted }.prefix(share))
        // An address that begins links without pause gets no grace: it could renew them in time for
        // ever, and so keep newcomers out.
        if let victim = newestOfTheBusiest(rest.filter { $0.begun > begunMax }) { return victim }
        let sizes = candidates.reduce(into: [:]) { $0[$1.subnet, default: 0] += 1 }
        // A crowded subnet gets no grace either: it could do the same.
        let ripe = rest.filter {
            now >= $0.openedAt + grace || sizes[$0.subnet, default: 0] > share
        }
        let youngest = ripe.max { left, right in
            let one = (sizes[left.subnet] ?? 0, left.openedAt, left.peer)
            return one < (sizes[right.subnet] ?? 0, right.openedAt, right.peer)
        }
        return youngest?.peer ?? newestOfTheBusiest(rest)
    }

    private static func newestOfTheBusiest(_ links: [Candidate]) -> PeerID? {
        links.max { ($0.begun, $0.openedAt, $0.peer) < ($1.begun, $1.openedAt, $1.peer) }?.peer
    }
}

extension InboundMerit.Candidate {
    /// The owner's likely subnet: /24 of IPv4, /48 of IPv6.
    fileprivate var subnet: [UInt8] { address.map { AddressGroup($0).subnet } ?? [] }
}
