package import Market

/// Chooses which link that others opened has to go when there are too many.
///
/// Pure. A quarter of the places each is safe for the most useful, for the oldest, and for one of
/// each subnet. Of the rest the youngest of the subnet with the most links goes. So whoever comes
/// with many links takes places from itself, and a link is worth keeping for what it did.
///
/// Source: Docs/protocol.md, section 7.5; Docs/operations.md, section 3.2.
package struct InboundMerit: Sendable {
    package struct Candidate: Sendable {
        package let peer: PeerID
        package let address: IPAddress?
        /// In the order in which the links opened.
        package let openedAt: Moment
        /// New records that came by it first.
        package let deliveries: Int

        package init(peer: PeerID, address: IPAddress?, openedAt: Moment, deliveries: Int) {
            (self.peer, self.address) = (peer, address)
            (self.openedAt, self.deliveries) = (openedAt, deliveries)
        }
    }

    /// How long a new link is left alone, so that it can show what it is worth; unless its subnet
    /// has more than a quarter of the links.
    package static let grace = Duration.seconds(10)

    /// The link to end; `nil` if all are too new to be judged.
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
        // Not for a crowd: it could renew its links in time for ever, and keep newcomers out.
        rest.removeAll { now < $0.openedAt + grace && sizes[$0.subnet, default: 0] <= share }
        return rest.max { left, right in
            let one = (sizes[left.subnet] ?? 0, left.openedAt, left.peer)
            return one < (sizes[right.subnet] ?? 0, right.openedAt, right.peer)
        }?.peer
    }
}

extension InboundMerit.Candidate {
    /// What one owner is likely to hold whole: /24 of IPv4, /48 of IPv6.
    fileprivate var subnet: [UInt8] { address.map { AddressGroup($0).subnet } ?? [] }
}
