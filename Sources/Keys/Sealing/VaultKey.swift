import Crypto

/// The key of an account's vault, the same on each device that has the account's key.
///
/// It follows from the account's key and not from a recovery phrase, because an imported account
/// has none. An account that signs elsewhere has a random one.
///
/// Source: RFC 5869; Docs/protocol.md, section 15.
package struct VaultKey: Sendable {
    package static let byteCount = 32
    /// The number of bytes that sealing adds: a nonce and a tag.
    package static let overheadBytes = 12 + 16

    private let secret: SecretBytes

    /// Derives the key from the account's key.
    package init(of account: PrivateKey) {
        let material = unsafe account.withBytes { unsafe SymmetricKey(data: $0) }
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material,
            info: Array("Stoa:vault-key/1".utf8),
            outputByteCount: Self.byteCount
        )
        secret = unsafe derived.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
    }

    /// Takes a stored random key; `nil` for another number of bytes than 32.
    package init?(_ secret: SecretBytes) {
        guard secret.count == Self.byteCount else { return nil }
        self.secret = secret
    }

    /// Seals `plaintext` with a random nonce, which stands in front.
    ///
    /// `aad` is authenticated but not encrypted; opening needs the same.
    package func seal(_ plaintext: [UInt8], aad: [UInt8]) -> [UInt8] {
        guard let box = try? AES.GCM.seal(plaintext, using: key, authenticating: aad),
            let combined = box.combined
        else { preconditionFailure("AES-256-GCM seals anything that fits into memory") }
        return [UInt8](combined)
    }

    /// Opens a message sealed under this key with the same `aad`.
    ///
    /// - Throws: ``SealingError`` if it was sealed otherwise, or was changed.
    package func open(_ sealed: some Collection<UInt8>, aad: [UInt8]) throws(SealingError)
        -> [UInt8]
    {
        guard sealed.count >= Self.overheadBytes else { throw .tooShort(byteCount: sealed.count) }
        do {
            let box = try AES.GCM.SealedBox(combined: [UInt8](sealed))
            return [UInt8](try AES.GCM.open(box, using: key, authenticating: aad))
        } catch {
            throw .notOpened
        }
    }

    private var key: SymmetricKey {
        unsafe secret.withBytes { unsafe SymmetricKey(data: $0) }
    }
}

extension VaultKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "secret" }
    package var debugDescription: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
