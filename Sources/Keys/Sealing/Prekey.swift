import Crypto

/// A device's key for being written to, with its private half.
///
/// Random, never derived from the phrase, and deleted when it has served: what was sealed to it
/// cannot be opened with anything stolen later.
package struct Prekey: Sendable {
    /// The private half's length, for whoever stores it sealed.
    package static let seedByteCount = 32

    private let seed: SecretBytes

    package let publicKey: SealingKey

    /// Takes the private half's 32 bytes, as stored.
    ///
    /// - Throws: ``SealingError/noKey`` for another number of bytes.
    package init(seed: SecretBytes) throws(SealingError) {
        guard seed.count == Self.seedByteCount,
            let key = try? Sealing.privateKey(seed)
        else { throw .noKey }
        self.seed = seed
        publicKey = try SealingKey(Array(key.publicKey.rawRepresentation))
    }

    /// A new prekey from the system's random source.
    package static func random() -> Prekey {
        guard let prekey = try? Prekey(seed: .random(count: seedByteCount)) else {
            preconditionFailure("any 32 bytes are a seed")
        }
        return prekey
    }

    /// Opens what was sealed to this key with the same `info` and `aad`.
    ///
    /// - Throws: ``SealingError`` if it was not, or was changed.
    package func open(
        _ sealed: [UInt8],
        info: [UInt8],
        aad: [UInt8]
    ) throws(SealingError) -> [UInt8] {
        try Sealing.open(sealed, seed: seed, info: info, aad: aad)
    }

    /// Lends the private half to `body`, for storing it sealed.
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
