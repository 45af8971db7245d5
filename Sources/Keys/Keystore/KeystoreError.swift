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
