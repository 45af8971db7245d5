package import Keys
package import Market

/// Names where mail comes from, by what one caller is sure to have few of.
package enum MailOrigin {
    /// An IPv4 address, or the /64 that IPv6 gives to every customer; an IPv6 address that stands
    /// for an IPv4 one counts as that.
    package static func name(of address: IPAddress) -> Bytes32 {
        let address = address.unwrapped
        return Keccak256.hash(
            [1] + (address.isIP4 ? address.bytes : Array(address.bytes.prefix(8)))
        )
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
