import Crypto
package import Keys
package import Market

/// The network's rule for signatures and ids of messages; set per network and never mixed.
///
/// Source: libp2p specs, pubsub/README.md, "Message Signing" and "Message Identification";
/// Docs/protocol.md, section "Gossip".
package enum MessagePolicy: Sendable {
    /// Messages name no publisher; the id is the SHA-256 of topic and data.
    ///
    /// Neither a corrupted copy nor a copy on another topic can therefore have the id of the
    /// genuine one.
    case strictNoSign
    /// Every message is signed by its publisher; the id is the publisher with the sequence number.
    case strictSign(PrivateKey)

    /// Returns a message's id; `nil` if the policy forbids its form.
    ///
    /// It verifies no signature: under StrictSign a corrupted copy has the same id.
    package func identify(_ message: GossipMessage) -> MessageID? {
        switch self {
        case .strictNoSign:
            guard message.seal == nil else { return nil }
            let topic = message.topic.bytes
            var hash = SHA256()
            hash.update(data: Varint.encode(topic.count) + topic)
            hash.update(data: message.data)
            return MessageID(bytes: Array(hash.finalize()))
        case .strictSign:
            guard let seal = message.seal, seal.sequence.count == 8 else { return nil }
            return MessageID(bytes: seal.from.multihash + seal.sequence)
        }
    }

    /// Whether the signature that the policy demands is valid; costs one verification.
    package func isSigned(_ message: GossipMessage) -> Bool {
        guard case .strictSign = self else { return true }
        guard let seal = message.seal, let key = Self.key(of: seal), key.peer == seal.from else {
            return false
        }
        let signed = GossipMessage.signedBytes(
            from: seal.from,
            data: message.data,
            sequence: seal.sequence,
            topic: message.topic
        )
        return key.verifies(seal.signature, of: signed)
    }

    /// The publisher that this node's own messages name; `nil` if they name none.
    package var publisher: PeerID? {
        guard case .strictSign(let key) = self else { return nil }
        return HostKey(key.publicKey).peer
    }

    /// Creates a message of this node; `sequence` must be new.
    package func message(_ data: [UInt8], on topic: Topic, sequence: UInt64) -> GossipMessage {
        guard case .strictSign(let key) = self else {
            return GossipMessage(topic: topic, data: data)
        }
        let from = HostKey(key.publicKey).peer
        let number = stride(from: 56 as UInt64, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: sequence >> $0)
        }
        let signed = GossipMessage.signedBytes(
            from: from,
            data: data,
            sequence: number,
            topic: topic
        )
        let seal = GossipMessage.Seal(
            from: from,
            sequence: number,
            signature: HostKey.sign(signed, with: key),
            key: nil
        )
        return GossipMessage(topic: topic, data: data, seal: seal)
    }

    /// Returns the signer's key, from the message or from an identity multihash.
    private static func key(of seal: GossipMessage.Seal) -> HostKey? {
        let inline = seal.from.multihash.first == 0 ? Array(seal.from.multihash.dropFirst(2)) : nil
        guard let bytes = seal.key ?? inline else { return nil }
        do { return try HostKey(message: bytes) } catch { return nil }
    }
}
