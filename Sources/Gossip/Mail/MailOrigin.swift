package import Keys
package import Market

/// Names where mail comes from, by what one caller is sure to have few of.
package enum MailOrigin {
    /// The address's group; see ``AddressGroup``.
    package static func name(of address: IPAddress) -> Bytes32 {
        Keccak256.hash([1] + AddressGroup(address).bytes)
    }

    /// For a peer that is not linked by an address, and for this node itself.
    package static func name(of peer: PeerID) -> Bytes32 {
        Keccak256.hash([2] + peer.multihash)
    }

    /// The origin of a peer: its address, or its key if that is unknown.
    static func name(of peer: PeerID, at address: Multiaddr?) -> Bytes32 {
        address?.ipAddress.map { name(of: $0) } ?? name(of: peer)
    }
}
