package import Keys

/// A recipient's permission for one other account to send mail without proof of work.
///
/// The recipient gives its homes one secret, from which the keys of all its grants are derived, and
/// sends each contact a grant inside sealed mail. A home can thus verify a grant, but does not
/// learn whose it is, and stores nothing per grant. A grant ends when the recipient sends its id to
/// the homes.
///
/// Source: Docs/protocol.md, section 10.13.
package struct MailGrant: Hashable, Sendable {
    package static let byteCount = 64

    /// The id of the grant at homes; it reveals nothing about the contact.
    package let id: Bytes32
    /// Known to the contact; homes derive it from their secret.
    package let key: Bytes32

    /// Derives the grant with this id from a recipient's secret.
    package init(id: Bytes32, under secret: Bytes32) {
        self.id = id
        key = Self.grantKey.hash(secret.bytes + id.bytes)
    }

    /// Reads a grant as mail carries it: the id, then the key.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let id = Bytes32(Array(bytes[..<32])),
            let key = Bytes32(Array(bytes[32...]))
        else { return nil }
        (self.id, self.key) = (id, key)
    }

    package var bytes: [UInt8] { id.bytes + key.bytes }

    /// Returns the proof for one home that this envelope comes from a holder of the grant.
    package func proof(of envelope: Bytes32, to home: PeerID) -> Bytes32 {
        Self.grantProof.hash(key.bytes + Keccak256.hash(home.multihash).bytes + envelope.bytes)
    }

    private static let grantKey = SignatureTag("grant-key/1")
    private static let grantProof = SignatureTag("grant-proof/1")
}
