/// The purpose of a device's or home's signature, which is part of the signed hash.
///
/// A signature for one purpose is therefore invalid for any other. The signed hash is the
/// Keccak-256 of `0x19 "Stoa:" tag 0x00 message`: because of its prefix (EIP-191, a version byte
/// that no standard uses) it cannot be a transaction, personal message or typed data.
///
/// Source: EIP-191; Docs/protocol.md, section 2.7.
package struct SignatureTag: Hashable, Sendable {
    /// The content that a device put into sealed mail.
    package static let mail = SignatureTag("mail/1")
    /// A device's prekeys.
    package static let prekeys = SignatureTag("prekeys/1")
    /// A home's lease.
    package static let home = SignatureTag("home/1")

    /// A segment of a device's log in a vault.
    package static let vault = SignatureTag("vault/1")

    private let text: StaticString

    /// Creates a tag; tags are fixed in code and never come from outside.
    package init(_ text: StaticString) {
        self.text = text
    }

    /// Returns the hash to sign for `message`.
    package func hash(_ message: [UInt8]) -> Bytes32 {
        var hasher = Keccak256()
        hasher.update("\u{19}Stoa:\(text)\u{0}".utf8)
        hasher.update(message)
        return hasher.finalize()
    }

    package static func == (left: SignatureTag, right: SignatureTag) -> Bool {
        left.text.description == right.text.description
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.description)
    }
}

extension PrivateKey {
    /// Signs a message for one purpose.
    package func sign(_ message: [UInt8], as tag: SignatureTag) -> Signature {
        sign(tag.hash(message))
    }
}

extension PublicKey {
    /// Whether this key signed the message for that purpose.
    package func verifies(_ signature: Signature, of message: [UInt8], as tag: SignatureTag) -> Bool
    {
        verifies(signature, of: tag.hash(message))
    }
}
