/// What a device's or home's signature is about, so that it can never be shown as another.
///
/// The signed hash is the Keccak-256 of `0x19 "Stoa:" tag 0x00 message`: by its beginning (EIP-191,
/// a version byte nobody else uses) it is no transaction, personal message or typed data.
///
/// Source: EIP-191; Docs/protocol.md, section 2.7.
package struct SignatureTag: Hashable, Sendable {
    /// What a device wrote inside sealed mail.
    package static let mail = SignatureTag("mail/1")
    /// A device's prekeys.
    package static let prekeys = SignatureTag("prekeys/1")
    /// What a home grants.
    package static let home = SignatureTag("home/1")

    private let text: StaticString

    /// Names a purpose; fixed in code, never from outside.
    package init(_ text: StaticString) {
        self.text = text
    }

    /// The hash to sign for `message`.
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
    /// Tells whether this key signed the message for that purpose.
    package func verifies(_ signature: Signature, of message: [UInt8], as tag: SignatureTag) -> Bool
    {
        verifies(signature, of: tag.hash(message))
    }
}
