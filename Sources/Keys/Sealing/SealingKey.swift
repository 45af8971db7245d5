import Crypto

/// The public half of a prekey: to whom something is sealed.
package struct SealingKey: Hashable, Sendable {
    package static let byteCount = 1_216

    /// ML-KEM-768's key (1,184), then X25519's (32).
    package let bytes: [UInt8]

    /// Takes the bytes from a peer.
    ///
    /// - Throws: ``SealingError/noKey`` for bytes that are no such key.
    package init(_ bytes: [UInt8]) throws(SealingError) {
        let isKey = (try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes)) != nil
        guard bytes.count == Self.byteCount, isKey else { throw .noKey }
        self.bytes = bytes
    }
}
