package import Keys
package import Market

/// What a node asks of a home.
///
/// Source: Docs/protocol.md, section 10.6.
package enum MailQuestion: Hashable, Sendable {
    /// Will you keep this account's mail?
    case lease(LeaseRequest)
    /// How can this account be written to?
    case keys(of: Address)
    /// Here is how a device of an account you keep mail for is written to.
    case publish(PrekeyBundle, records: [[UInt8]])
    /// Keep this.
    case deposit(MailDeposit)
    /// A device wants to collect; challenge it.
    case open(Address, device: Bytes32)
    /// The device's signature over the challenge.
    case prove(Signature)
    /// What waits behind this number?
    case collect(after: UInt64)
    /// These are kept by their device; forget them.
    case acknowledge([UInt64])
    /// These are this device's grants: their secret, and the ids of those that have ended.
    case grants(Bytes32, ended: [Bytes32])

    /// Whom the home must know something of, in order to answer.
    package var account: Address? {
        switch self {
        case .lease(let request): request.account
        case .keys(let account): account
        case .publish(let bundle, _): bundle.account
        case .deposit(let deposit): deposit.envelope.header.recipient
        case .open(let account, _): account
        case .prove, .collect, .acknowledge, .grants: nil
        }
    }

    /// What it deposits.
    package var deposit: MailDeposit? {
        if case .deposit(let deposit) = self { deposit } else { nil }
    }

    /// Which of the account's devices it is about.
    package var device: Bytes32? {
        switch self {
        case .publish(let bundle, _): DeviceCertificate.slot(of: bundle.device)
        case .deposit(let deposit): deposit.envelope.header.device
        case .open(_, let device): device
        case .lease, .keys, .prove, .collect, .acknowledge, .grants: nil
        }
    }
}

/// An account's signed wish that one node keep its mail.
package struct LeaseRequest: Hashable, Sendable {
    package let account: Address
    package let askedAt: Timestamp
    package let signature: Signature
    /// What a home asks of accounts whose mail it does not keep yet.
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

    /// Signs the wish; it is for one home on one network, and for now.
    package init(by key: PrivateKey, to home: PeerID, network: String, at now: Timestamp) {
        let statement = MailStatement.lease(key.address, home, network, now)
        self.init(
            account: key.address,
            askedAt: now,
            signature: key.sign(statement, as: .leaseRequest)
        )
    }

    /// What its work is for.
    package func workSubject(at home: PeerID, network: String) -> Bytes32 {
        SignatureTag.leaseWork.hash(MailStatement.lease(account, home, network, askedAt))
    }

    /// Tells whether the account itself asks this home.
    package func isSigned(to home: PeerID, network: String) -> Bool {
        let statement = MailStatement.lease(account, home, network, askedAt)
        let signer = signature.signer(of: SignatureTag.leaseRequest.hash(statement))
        return signer?.address == account
    }
}

extension SignatureTag {
    /// An account's wish for a lease.
    package static let leaseRequest = SignatureTag("lease-request/1")
    /// A device's answer to a home's challenge.
    package static let collection = SignatureTag("collection/1")
    /// A home's word that it holds an envelope.
    package static let held = SignatureTag("held/1")
    /// Work for a lease, and for a stranger's deposit.
    package static let leaseWork = SignatureTag("lease-work/1")
    package static let depositWork = SignatureTag("deposit-work/1")
}

/// The bytes that the parties of `/stoa/mail/1` sign.
///
/// Each has parts of fixed length but the last, so that no two read alike.
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
