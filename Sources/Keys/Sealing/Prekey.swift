import Crypto

/// A device's key pair for receiving messages.
///
/// It is random, never derived from the phrase, and deleted after use: messages sealed to it cannot
/// be opened with a key stolen later.
package struct Prekey: Sendable {
    /// The length of the private half, for storing it encrypted.
    package static let seedByteCount = 32

    private let seed: SecretBytes

    package let publicKey: SealingKey

    /// Takes the 32 stored bytes of the private half.
    ///
    /// - Throws: ``SealingError/noKey`` for another number of bytes.
    package init(seed: SecretBytes) throws(SealingError) {
        guard seed.count == Self.seedByteCount,
            let key = try? Sealing.privateKey(seed)
        else { throw .noKey }
        self.seed = seed
        publicKey = SealingKey(of: key)
    }

    /// Returns a new prekey from the system's random source.
    package static func random() -> Prekey {
        guard let prekey = try? Prekey(seed: .random(count: seedByteCount)) else {
            preconditionFailure("any 32 bytes are a seed")
        }
        return prekey
    }

    /// Opens a message sealed to this key with the same `info` and `aad`.
    ///
    /// - Throws: ``SealingError`` if it was sealed otherwise, or was changed.
    package func open(
        _ sealed: [UInt8],
        info: [UInt8],
        aad: [UInt8]
    ) throws(SealingError) -> [UInt8] {
        try Sealing.open(sealed, seed: seed, info: info, aad: aad)
    }

    /// Lends the private half to `body`, for storing it encrypted.
    package func withSeed<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try unsafe seed.withBytes(body)
    }
}

extension Prekey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "secret" }
    package var debugDescription: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
