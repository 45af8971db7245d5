package import Keys
package import Market

/// An envelope with what shows the home that it should take it: a grant, or work.
///
/// Source: Docs/protocol.md, sections 10.12 and 10.13.
package struct MailDeposit: Hashable, Sendable {
    /// A grant's id, and the proof that its holder deposits this envelope at this home.
    package struct GrantProof: Hashable, Sendable {
        package let id: Bytes32
        package let proof: Bytes32

        package init(id: Bytes32, proof: Bytes32) {
            (self.id, self.proof) = (id, proof)
        }
    }

    package let envelope: MailEnvelope
    package var grant: GrantProof?
    package var work: MailStamp?

    package init(_ envelope: MailEnvelope, grant: GrantProof? = nil, work: MailStamp? = nil) {
        (self.envelope, self.grant, self.work) = (envelope, grant, work)
    }

    /// Shows a grant to `home`.
    package init(_ envelope: MailEnvelope, under grant: MailGrant?, to home: PeerID) {
        self.envelope = envelope
        self.grant = grant.map {
            GrantProof(id: $0.id, proof: $0.proof(of: envelope.hash, to: home))
        }
    }

    /// What its work is for.
    package func workSubject(at home: PeerID, network: String) -> Bytes32 {
        SignatureTag.depositWork.hash(
            envelope.hash.bytes + Keccak256.hash(home.multihash).bytes + Array(network.utf8)
        )
    }

    /// The id of its grant, if that is one under any of `secrets`.
    package func grant(under secrets: [Bytes32], at home: PeerID) -> Bytes32? {
        guard let grant, !secrets.isEmpty else { return nil }
        let hash = envelope.hash
        let isKnown = secrets.contains { secret in
            MailGrant(id: grant.id, under: secret).proof(of: hash, to: home) == grant.proof
        }
        return isKnown ? grant.id : nil
    }
}

/// As whose mail a home keeps an envelope.
package enum MailAdmission: Hashable, Sendable {
    /// Of whoever the recipient gave this grant.
    case contact(grant: Bytes32)
    /// Of somebody the home cannot tell from a stranger.
    case stranger

    /// A short constant name, by which deposits are counted.
    package var name: String {
        switch self {
        case .contact: "contact"
        case .stranger: "stranger"
        }
    }
}
