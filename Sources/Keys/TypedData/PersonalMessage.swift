/// A text or bytes that a person signs with a wallet, marked so that it is never a transaction.
///
/// Source: EIP-191, version 0x45 ("personal message").
package enum PersonalMessage {
    /// The hash that `personal_sign` signs: prefix, length in decimal digits, message.
    package static func hash(_ message: some Collection<UInt8>) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update("\u{19}Ethereum Signed Message:\n\(message.count)".utf8)
        hasher.update(message)
        return hasher.finalize()
    }

    /// The hash of a text, as its UTF-8 bytes.
    package static func hash(text: String) -> Bytes32 { hash(Array(text.utf8)) }
}
