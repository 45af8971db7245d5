package import Keys

/// A recipient's permission for one other account to hand in mail without work.
///
/// The recipient gives its homes one secret, from which the key of every grant follows, and hands
/// each contact a grant inside sealed mail. A home so knows a grant when it sees one, but not
/// whose it is, and keeps nothing for each. A grant ends when the recipient names its id to its
/// homes.
///
/// Source: Docs/protocol.md, section 10.13.
package struct MailGrant: Hashable, Sendable {
    package static let byteCount = 64

    /// Names it to homes; says nothing of the contact.
    package let id: Bytes32
    /// Known to the contact, and to the homes by their secret.
    package let key: Bytes32

    /// The grant with this id under a recipient's secret.
    package init(id: Bytes32, under secret: Bytes32) {
        self.id = id
        key = Self.grantKey.hash(secret.bytes + id.bytes)
    }

    /// Reads a grant as mail carries it: id, then key.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let id = Bytes32(Array(bytes[..<32])),
            let key = Bytes32(Array(bytes[32...]))
        else { return nil }
        (self.id, self.key) = (id, key)
    }

    package var bytes: [UInt8] { id.bytes + key.bytes }

    /// Shows one home that this envelope comes from a holder of the grant.
    package func proof(of envelope: Bytes32, to home: PeerID) -> Bytes32 {
        Self.grantProof.hash(
            key.bytes + Keccak256.hash(home.multihash).bytes + envelope.bytes
        )
    }

    private static let grantKey = SignatureTag("grant-key/1")
    private static let grantProof = SignatureTag("grant-proof/1")
}
