package import Keys
package import Market

/// A question to a home.
///
/// Source: Docs/protocol.md, section 10.6.
package enum MailQuestion: Hashable, Sendable {
    /// Will you keep this account's mail?
    case lease(LeaseRequest)
    /// Which keys are needed to write to this account?
    case keys(of: Address)
    /// Publish the keys of a device of an account whose mail you keep.
    case publish(PrekeyBundle, records: [[UInt8]])
    /// Store this envelope.
    case deposit(MailDeposit)
    /// A device wants to collect mail; challenge it.
    case open(Address, device: Bytes32)
    /// The device's signature over the challenge.
    case prove(Signature)
    /// Which envelopes wait after this number?
    case collect(after: UInt64)
    /// The device has stored these; remove them.
    case acknowledge([UInt64])
    /// The device's grants: their secret, and the ids of those that have ended.
    case grants(Bytes32, ended: [Bytes32])
    /// Which segments of the account's vault come after these?
    case vault(after: [VaultLogMark])
    /// Keep this segment of the account's vault.
    case keep(VaultSegment)

    /// The account whose facts the home needs in order to answer.
    package var account: Address? {
        switch self {
        case .lease(let request): request.account
        case .keys(let account): account
        case .publish(let bundle, _): bundle.account
        case .deposit(let deposit): deposit.envelope.header.recipient
        case .open(let account, _): account
        case .prove, .collect, .acknowledge, .grants, .vault, .keep: nil
        }
    }

    /// The deposit, if it is one.
    package var deposit: MailDeposit? {
        if case .deposit(let deposit) = self { deposit } else { nil }
    }

    /// The device of the account that it concerns.
    package var device: Bytes32? {
        switch self {
        case .publish(let bundle, _): DeviceCertificate.slot(of: bundle.device)
        case .deposit(let deposit): deposit.envelope.header.device
        case .open(_, let device): device
        case .lease, .keys, .prove, .collect, .acknowledge, .grants, .vault, .keep: nil
        }
    }
}

/// An account's signed request that a node keep its mail.
package struct LeaseRequest: Hashable, Sendable {
    package let account: Address
    package let askedAt: Timestamp
    package let signature: Signature
    /// Proof of work; homes demand it from accounts whose mail they do not keep yet.
    package var work: MailStamp?

    package init(
        account: Address,
        askedAt: Timestamp,
        signature: Signature,
        work: MailStamp? = nil
    ) {
        (self.account, self.askedAt, self.signature) = (account, askedAt, signature)
        self.work = work
    }

    /// Signs the request; it is valid for one home on one network, and for a short time.
    package init(by key: PrivateKey, to home: PeerID, network: String, at now: Timestamp) {
        let statement = MailStatement.lease(key.address, home, network, now)
        self.init(
            account: key.address,
            askedAt: now,
            signature: key.sign(statement, as: .leaseRequest)
        )
    }

    /// Returns the subject of its proof of work.
    package func workSubject(at home: PeerID, network: String) -> Bytes32 {
        SignatureTag.leaseWork.hash(MailStatement.lease(account, home, network, askedAt))
    }

    /// Whether the account itself signed it for this home.
    package func isSigned(to home: PeerID, network: String) -> Bool {
        let statement = MailStatement.lease(account, home, network, askedAt)
        let signer = signature.signer(of: SignatureTag.leaseRequest.hash(statement))
        return signer?.address == account
    }
}

extension SignatureTag {
    /// An account's request for a lease.
    package static let leaseRequest = SignatureTag("lease-request/1")
    /// A device's answer to a home's challenge.
    package static let collection = SignatureTag("collection/1")
    /// A home's confirmation that it has stored an envelope.
    package static let held = SignatureTag("held/1")
    /// Proof of work for a lease, and for a stranger's deposit.
    package static let leaseWork = SignatureTag("lease-work/1")
    package static let depositWork = SignatureTag("deposit-work/1")
}

/// The bytes that the parties of `/stoa/mail/1` sign.
///
/// All parts but the last have a fixed length, so no two statements have the same bytes.
///
/// Source: Docs/protocol.md, section 10.6.
package enum MailStatement {
    package static func lease(
        _ account: Address,
        _ home: PeerID,
        _ network: String,
        _ askedAt: Timestamp
    ) -> [UInt8] {
        let time = (0..<8).map {
            UInt8(truncatingIfNeeded: askedAt.milliseconds >> UInt64(56 - 8 * $0))
        }
        return account.bytes + time + Keccak256.hash(home.multihash).bytes + Array(network.utf8)
    }

    package static func collection(
        _ account: Address,
        _ home: PeerID,
        _ network: String,
        challenge: Bytes32
    ) -> [UInt8] {
        challenge.bytes + account.bytes + Keccak256.hash(home.multihash).bytes
            + Array(network.utf8)
    }

    package static func held(_ envelope: Bytes32, _ network: String) -> [UInt8] {
        envelope.bytes + Array(network.utf8)
    }
}
