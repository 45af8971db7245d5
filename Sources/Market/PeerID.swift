/// The id of a node: the multihash of its public key.
///
/// Source: libp2p specs, "Peer Ids and Keys". Gossip implements the text form.
package struct PeerID: Hashable, Comparable, Sendable {
    /// The multihash, code and length first.
    package let multihash: [UInt8]

    package init(multihash: [UInt8]) {
        self.multihash = multihash
    }

    package static func < (left: PeerID, right: PeerID) -> Bool {
        left.multihash.lexicographicallyPrecedes(right.multihash)
    }
}
