package import Keys

/// A message with its types and domain, as wallets hash it: what Stoa signs is compared with it.
///
/// Source: EIP-712; Docs/protocol.md, section 3.
package struct TypedData: Equatable, Sendable {
    package let domainSeparator: Bytes32
    /// The hash of the message as its primary type.
    package let messageHash: Bytes32

    /// Validates the message against its types and hashes it.
    ///
    /// - Parameters:
    /// - domain: The domain in which the signature is valid.
    /// - types: All struct types of the message, without the domain's.
    /// - primaryType: The type of `message`, one of `types`.
    /// - message: Exactly the members of the message.
    /// - Throws: ``TypedDataError`` with the member that does not fit.
    package init(
        domain: TypedDataDomain,
        types: [String: [TypedField]],
        primaryType: String,
        message: [String: TypedValue]
    ) throws(TypedDataError) {
        let schema = try TypedDataSchema(types)
        domainSeparator = try domain.separator()
        messageHash = try schema.hash(.structure(message), as: primaryType)
    }

    init(domainSeparator: Bytes32, messageHash: Bytes32) {
        (self.domainSeparator, self.messageHash) = (domainSeparator, messageHash)
    }

    /// The hash that is signed.
    package var digest: Bytes32 {
        StructHasher.digest(domainSeparator: domainSeparator, structHash: messageHash)
    }
}
