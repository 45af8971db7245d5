/// Why a keystore file does not give its key.
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

    /// The file ends before its JSON does: the disk was full, or the copy broke off.
    case truncated
    /// A value is missing, or cannot be what the format asks for.
    case malformed(Field)
    /// A version, cipher or derivation that this program does not know.
    case unsupported(Field)
    /// The file asks for more memory or time than a keystore may.
    case tooCostly(Field)
    /// The file is not as it was written, whatever the password: its MAC or another value changed.
    case damaged
    /// The file is as it was written; the password is another.
    case wrongPassword
    /// A file without Stoa's checksum: the password is another, or the file is damaged.
    case wrongPasswordOrDamaged
    /// The password is right, but the key is not that of the address in the file.
    case wrongKey(expected: Address, found: Address)
    /// The password is right, but what it opens is no key of the curve.
    case noKey
    /// The machine did not have the memory that the password's derivation takes.
    case outOfMemory
}

extension KeystoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "The keystore file is cut short; restore it from a copy or the phrase."
        case .malformed(let field):
            "The keystore's '\(field.rawValue)' is missing or malformed; restore the file."
        case .unsupported(let field):
            "The keystore's '\(field.rawValue)' is of a kind this program does not know."
        case .tooCostly(let field):
            "The keystore's '\(field.rawValue)' asks for too much memory or time; it is refused."
        case .damaged: "The keystore file was changed or damaged; restore it from a copy."
        case .wrongPassword: "The password is wrong; try again."
        case .wrongPasswordOrDamaged:
            "The password is wrong or the keystore file is damaged; try again, then restore it."
        case .wrongKey(let expected, let found):
            "The keystore says \(expected) but holds the key of \(found); restore the right file."
        case .noKey: "The keystore does not hold a private key; restore the right file."
        case .outOfMemory: "There is not enough memory to check the password; free some and retry."
        }
    }
}
