package import Keys
package import Market

/// Identifiers of the origin of mail, chosen such that one sender can obtain only few of them.
package enum MailOrigin {
    /// Returns the identifier of an IPv4 address, or of the /48 of an IPv6 address.
    ///
    /// A customer often has many networks /64 (RFC 6177), and strangers' mail is kept for days, so
    /// a few of them would fill an account's room for strangers.
    package static func name(of address: IPAddress) -> Bytes32 {
        let group = AddressGroup(address)
        return Keccak256.hash([1] + (group.isIP4 ? group.bytes : group.subnet))
    }

    /// Returns the identifier of a peer without a known address, or of this node itself.
    package static func name(of peer: PeerID) -> Bytes32 {
        Keccak256.hash([2] + peer.multihash)
    }

    /// Returns the origin of a peer: its address, or its key if the address is unknown.
    package static func name(of peer: PeerID, at address: Multiaddr?) -> Bytes32 {
        address?.ipAddress.map { name(of: $0) } ?? name(of: peer)
    }
}
