package import Market

/// Chooses the incoming link to end when there are too many.
///
/// Pure. A quarter of the places is protected for each of: the most useful links, the oldest, and
/// one of each subnet. Of the rest it chooses the youngest link of the subnet with the most links.
/// An attacker with many links therefore displaces its own, and a link is kept for its usefulness.
///
/// Source: Docs/protocol.md, section 7.5; Docs/operations.md, section 3.2.
package struct InboundMerit: Sendable {
    package struct Candidate: Sendable {
        package let peer: PeerID
        package let address: IPAddress?
        /// Orders the links by age.
        package let openedAt: Moment
        /// New records that this peer delivered first.
        package let deliveries: Int

        package init(peer: PeerID, address: IPAddress?, openedAt: Moment, deliveries: Int) {
            (self.peer, self.address) = (peer, address)
            (self.openedAt, self.deliveries) = (openedAt, deliveries)
        }
    }

    /// How long a new link is protected, so that it can become useful.
    ///
    /// Links of a subnet with more than a quarter of all links are not protected.
    package static let grace = Duration.seconds(10)

    /// Returns the link to end; `nil` if all are too new to be validated.
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
        let sizes = candidates.reduce(into: [:]) { $0[$1.subnet, default: 0] += 1 }
        // A crowded subnet gets no grace: it could renew its links in time for ever, and so keep
        // newcomers out.
        rest.removeAll { now < $0.openedAt + grace && sizes[$0.subnet, default: 0] <= share }
        return rest.max { left, right in
            let one = (sizes[left.subnet] ?? 0, left.openedAt, left.peer)
            return one < (sizes[right.subnet] ?? 0, right.openedAt, right.peer)
        }?.peer
    }
}

extension InboundMerit.Candidate {
    /// The owner's likely subnet: /24 of IPv4, /48 of IPv6.
    fileprivate var subnet: [UInt8] { address.map { AddressGroup($0).subnet } ?? [] }
}
