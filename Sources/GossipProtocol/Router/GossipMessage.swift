package import Market

/// The id of a message, as the network's policy derives it.
package struct MessageID: Hashable, Comparable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func < (left: MessageID, right: MessageID) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

/// A message in transit.
///
/// Its data can be anything; the validator decides whether it is valid.
package struct GossipMessage: Hashable, Sendable {
    /// The publisher's signature; present under StrictSign only.
    package struct Seal: Hashable, Sendable {
        package let from: PeerID
        package let sequence: [UInt8]
        package let signature: [UInt8]
        /// The signer's public key message, if the peer id does not contain it.
        package let key: [UInt8]?

        package init(from: PeerID, sequence: [UInt8], signature: [UInt8], key: [UInt8]?) {
            self.from = from
            self.sequence = sequence
            self.signature = signature
            self.key = key
        }
    }

    package let topic: Topic
    package let data: [UInt8]
    package let seal: Seal?

    package init(topic: Topic, data: [UInt8], seal: Seal? = nil) {
        self.topic = topic
        self.data = data
        self.seal = seal
    }
}
