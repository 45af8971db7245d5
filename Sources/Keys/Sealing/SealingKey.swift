import Crypto

/// The public half of a prekey, to which messages are sealed.
package struct SealingKey: Hashable, Sendable {
    package static let byteCount = 1_216

    /// ML-KEM-768's key (1,184 bytes), then X25519's (32 bytes).
    package let bytes: [UInt8]

    /// Takes the bytes from a peer.
    ///
    /// - Throws: ``SealingError/noKey`` if the bytes are not such a key.
    package init(_ bytes: [UInt8]) throws(SealingError) {
        let isKey = (try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes)) != nil
        guard bytes.count == Self.byteCount, isKey else { throw .noKey }
        self.bytes = bytes
    }
}
