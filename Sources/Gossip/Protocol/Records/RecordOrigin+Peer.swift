import Keys
package import Market

extension RecordOrigin {
    private enum Kind {
        static let ip4: UInt64 = 4
        static let ip6: UInt64 = 6
        static let peer: UInt64 = 2
    }

    /// How an IPv4 address begins that is written as one of IPv6 (RFC 4291, section 2.5.5.2).
    private static let mapped = Array(repeating: 0 as UInt8, count: 10) + [0xFF, 0xFF]

    /// The origin of what `peer` brings over a link to `address`.
    ///
    /// Peers on this machine count one by one, as for links: they are of the same operator. So do
    /// peers that this node reached by a name.
    package init(_ peer: PeerID, at address: Multiaddr?) {
        switch address?.host {
        case .ip4(let ip), .ip6(let ip):
            if ip.reach == .machine {
                self.init(peer)
            } else if ip.isIP4 || ip.bytes.starts(with: Self.mapped) {
                self.init(place: Self.number(ip.bytes.suffix(4)), kind: Kind.ip4)
            } else {
                self.init(place: Self.number(ip.bytes.prefix(8)), kind: Kind.ip6)
            }
        case .dns, .dns4, .dns6: self.init(peer)
        case nil: self = .unknown
        }
    }

    private init(_ peer: PeerID) {
        let (place, _, _, _) = Keccak256.hash(peer.multihash).words
        self.init(place: place, kind: Kind.peer)
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
