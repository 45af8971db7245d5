/// A text that a person signs with a wallet; its prefix rules out that it is a transaction.
///
/// Source: EIP-191, version 0x45 ("personal message").
package enum PersonalMessage {
    /// Returns the hash that `personal_sign` signs: prefix, length in decimal digits, message.
    package static func hash(_ message: some Collection<UInt8>) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update("\u{19}Ethereum Signed Message:\n\(message.count)".utf8)
        hasher.update(message)
        return hasher.finalize()
    }

    /// Returns the hash of a text's UTF-8 bytes.
    package static func hash(text: String) -> Bytes32 { hash(Array(text.utf8)) }
}
