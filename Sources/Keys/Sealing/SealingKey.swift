import Crypto

/// The public half of a prekey, to which messages are sealed.
package struct SealingKey: Hashable, Sendable {
    package static let byteCount = 1_216

    /// ML-KEM-768's key (1,184 bytes), then X25519's (32 bytes).
    package let bytes: [UInt8]

    /// Takes the bytes from a peer.
    ///
    /// - Throws: ``SealingError/noKey`` if they cannot be a recipient's key: they are not such a
    ///   key, ML-KEM's half has a number that is not reduced, or X25519's half is of low order.
    package init(_ bytes: [UInt8]) throws(SealingError) {
        guard bytes.count == Self.byteCount,
            let key = try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes),
            // Only the length has been checked until now; the halves are when they are used.
            (try? key.encapsulate()) != nil
        else { throw .noKey }
        self.bytes = bytes
    }

    /// Takes the public half of an own key pair.
    init(of key: XWingMLKEM768X25519.PrivateKey) {
        bytes = Array(key.publicKey.rawRepresentation)
    }
}
