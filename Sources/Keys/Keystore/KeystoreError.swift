/// Why a keystore file cannot be opened.
package enum KeystoreError: Error, Equatable, Sendable {
    /// A value in the file.
    package enum Field: String, Sendable {
        case address, checksum, cipher, ciphertext, crypto, id, iv, kdf, mac, prf, salt, version
        case keyLength = "dklen"
        case rounds = "n or c"
        case blockSize = "r"
        case parallelism = "p"
        case text = "JSON"
    }

    /// The file ends before its JSON does: the disk was full, or the copy was interrupted.
    case truncated
    /// A value is missing, or does not fit the format.
    case malformed(Field)
    /// A version, cipher or derivation that this program does not support.
    case unsupported(Field)
    /// The file is of another kind that wallets write.
    case otherWallet(OtherWalletFile)
    /// The file demands more memory or time than the limits allow.
    case tooCostly(Field)
    /// The file was changed after it was written.
    case damaged
    /// The file is intact; the password is wrong.
    case wrongPassword
    /// The file has no Stoa checksum: either the password is wrong, or the file is damaged.
    case wrongPasswordOrDamaged
    /// The password is right, but the key does not belong to the address in the file.
    case wrongKey(expected: Address, found: Address)
    /// The password is right, but the content is not a private key.
    case noKey
    /// The machine lacks the memory that the key derivation needs.
    case outOfMemory
}

extension KeystoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "The keystore file is cut short; restore it from a copy or the phrase."
        case .malformed(.crypto):
            "The file is not a keystore: its 'crypto' is missing or malformed. Choose another file."
        case .malformed(let field):
            "The keystore's '\(field.rawValue)' is missing or malformed; restore the file."
        case .unsupported(let field):
            "The keystore's '\(field.rawValue)' is of a kind that this program does not support."
        case .otherWallet(let file): "\(file)"
        case .tooCostly(let field):
            "The keystore's '\(field.rawValue)' asks for too much memory or time; it is refused."
        case .damaged: "The keystore file was changed or damaged; restore it from a copy."
        case .wrongPassword: "The password is wrong; try again."
        case .wrongPasswordOrDamaged:
            "The password of the keystore file is wrong, or the file is damaged; try again, then restore it."
        case .wrongKey(let expected, let found):
            "The keystore is for \(expected) but has the key of \(found); restore the right file."
        case .noKey: "The keystore does not contain a private key; restore the right file."
        case .outOfMemory: "There is not enough memory to check the password; free some and retry."
        }
    }
}
