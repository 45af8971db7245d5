package import Keys

/// Conversion between node keys and peer ids.
///
/// Source: libp2p specs, "Peer Ids and Keys": the identity multihash of the protobuf public key.
package enum NodeKey {
    /// Identity multihash of 37 bytes; key type 2 (secp256k1), 33 bytes of data.
    private static let prefix: [UInt8] = [0x00, 0x25, 0x08, 0x02, 0x12, 0x21]

    /// Returns the secp256k1 key that the id contains; `nil` for any other id.
    package static func publicKey(of peer: PeerID) -> PublicKey? {
        guard peer.multihash.count == prefix.count + 33, peer.multihash.starts(with: prefix)
        else { return nil }
        return PublicKey(Array(peer.multihash.dropFirst(prefix.count)))
    }

    package static func peer(of key: PublicKey) -> PeerID {
        PeerID(multihash: prefix + key.compressed)
    }
}
