import Keys
package import Market

extension RecordOrigin {
    private enum Kind {
        static let ip4: UInt64 = 4
        static let ip6: UInt64 = 6
        static let peer: UInt64 = 2
        static let ip4Subnet: UInt64 = 24
        static let ip6Subnet: UInt64 = 48
    }

    /// The origin of records that `peer` delivers over a link to `address`.
    ///
    /// Peers on this machine count separately, as for links: they belong to the same operator.
    package init(_ peer: PeerID, at address: Multiaddr?) {
        guard let address else {
            self = .unknown
            return
        }
        self.init(peer, in: AddressGroup(of: address))
    }

    /// The origin of records that `peer` delivered from an address of `group`; `nil` means this
    /// machine.
    package init(_ peer: PeerID, in group: AddressGroup?) {
        guard let group else {
            self.init(peer)
            return
        }
        let place = group.bytes.reduce(0) { $0 << 8 | UInt64($1) }
        self.init(place: place, kind: group.isIP4 ? Kind.ip4 : Kind.ip6)
    }

    /// The origin that represents the subnet of an address (/24, /48), or no address; others
    /// represent themselves.
    package var wholeSubnet: RecordOrigin {
        switch kind {
        case Kind.ip4: RecordOrigin(place: place & ~0xFF, kind: Kind.ip4Subnet)
        case Kind.ip6: RecordOrigin(place: place & ~0xFFFF, kind: Kind.ip6Subnet)
        default: self
        }
    }

    /// The origin that stored records are counted for: the IPv4 address, or the /48 of IPv6.
    ///
    /// One customer often has many /64 networks (RFC 6177), and stored records stay for long, so
    /// one row for each /64 would fill a table.
    package var holder: RecordOrigin { kind == Kind.ip6 ? wholeSubnet : self }

    private init(_ peer: PeerID) {
        let (place, _, _, _) = Keccak256.hash(peer.multihash).words
        self.init(place: place, kind: Kind.peer)
    }
}
