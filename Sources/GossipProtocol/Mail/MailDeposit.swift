package import Keys
package import Market

/// An envelope with its right to be stored at a home: a grant or proof of work.
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

    /// Creates a deposit at `home` under a grant, if there is one.
    package init(_ envelope: MailEnvelope, under grant: MailGrant?, to home: PeerID) {
        self.envelope = envelope
        self.grant = grant.map {
            GrantProof(id: $0.id, proof: $0.proof(of: envelope.hash, to: home))
        }
    }

    /// Returns the subject of its proof of work.
    package func workSubject(at home: PeerID, network: String) -> Bytes32 {
        SignatureTag.depositWork.hash(
            envelope.hash.bytes + Keccak256.hash(home.multihash).bytes + Array(network.utf8)
        )
    }

    /// Returns the id of its grant if it is valid under any of `secrets`.
    package func grant(under secrets: [Bytes32], at home: PeerID) -> Bytes32? {
        guard let grant, !secrets.isEmpty else { return nil }
        let hash = envelope.hash
        let isKnown = secrets.contains { secret in
            MailGrant(id: grant.id, under: secret).proof(of: hash, to: home) == grant.proof
        }
        return isKnown ? grant.id : nil
    }
}

/// How a home counts an envelope that it stores.
package enum MailAdmission: Hashable, Sendable {
    /// From the holder of this grant of the recipient.
    case contact(grant: Bytes32)
    /// From a sender without a valid grant.
    case stranger

    /// A short constant name, used to count deposits.
    package var name: String {
        switch self {
        case .contact: "contact"
        case .stranger: "stranger"
        }
    }
}
