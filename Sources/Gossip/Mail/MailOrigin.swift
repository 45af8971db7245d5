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
}

extension MailExchange {
    /// The origin of a linked peer: its address, or its key if the address is unknown.
    func mailOrigin(of peer: PeerID) async -> Bytes32 {
        let link = await links.link(to: peer)
        guard let address = link?.address.ipAddress else { return MailOrigin.name(of: peer) }
        return MailOrigin.name(of: address)
    }
}
