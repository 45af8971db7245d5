package import Keys
package import Market

/// The server state of one mail stream: decides the home's answer to each question.
///
/// Pure: the caller passes in the time, the facts about the account, and a random challenge. Only a
/// device that has proved its key on this very stream can collect mail.
///
/// Source: Docs/protocol.md, sections 10.6 and 10.7.
package struct MailServer: Sendable {
    /// The node's facts about the account that a question concerns.
    package struct Facts: Hashable, Sendable {
        /// Whether this node keeps the account's mail: as its own account, or under a valid lease.
        package var isKeptHere: Bool
        /// The device's key, if the account has certified it and not revoked it.
        package var device: PublicKey?
        /// Leases granted to accounts of other nodes.
        package var leases: Int
        /// Whether this node itself asks, for one of its own accounts.
        package var isLocal = false
        /// The secrets under which a deposit's grant may be valid; empty if that grant has ended.
        package var grantSecrets: [Bytes32] = []
        /// Whether the deposited envelope waits here already.
        package var isHeld = false
        /// How much of the room for strangers' mail to this account is used, in percent.
        package var strangersPercent = 0
        /// The used part of the depositor's origin's allowance, in percent.
        package var originPercent = 0
        /// Whether this node's store has no room for more, so that no work is wanted.
        package var isFull = false

        package init(isKeptHere: Bool, device: PublicKey? = nil, leases: Int = 0) {
            (self.isKeptHere, self.device, self.leases) = (isKeptHere, device, leases)
        }
    }

    /// The actions; the answer is sent once they are done and durable.
    package enum Directive: Hashable, Sendable {
        case refuse(MailRefusal)
        case grant(to: Address)
        case showKeys(of: Address)
        /// Show only the account's records, if there are any.
        case showRecords(of: Address)
        /// Take the records first: they may certify the device of the bundle.
        case take(PrekeyBundle, records: [[UInt8]])
        case store(MailEnvelope, as: MailAdmission)
        /// Confirm again that the envelope with this hash is stored.
        case confirm(Bytes32)
        /// Refuse, but grant the same question with a proof of this much work.
        case wantWork(UInt64)
        case challenge(Bytes32)
        case welcome
        case serve(Address, device: Bytes32, after: UInt64)
        case remove([UInt64], of: Address, device: Bytes32)
        case keepGrants(Bytes32, ended: [Bytes32], of: Address, device: Bytes32)
        case showVault(of: Address, after: [VaultLogMark])
        case keep(VaultSegment)
    }

    /// The state of a device's authentication on this stream.
    private enum Authentication {
        /// Not identified. Becomes `challenged`.
        case anonymous
        /// Must sign the challenge. Becomes `proved`, or `anonymous` if it signs anything else.
        case challenged(Address, device: Bytes32, challenge: Bytes32)
        /// The account's device; its facts are looked up again for each question.
        case proved(Address, device: Bytes32)
    }

    private let home: PeerID
    private let network: String
    private let acceptsHomes: Bool
    private let limits: MailLimits
    private var authentication = Authentication.anonymous

    package init(home: PeerID, network: String, acceptsHomes: Bool, limits: MailLimits) {
        self.home = home
        self.network = network
        self.acceptsHomes = acceptsHomes
        self.limits = limits
    }

    /// Returns the account and device whose facts a question needs.
    package func subject(of question: MailQuestion) -> (account: Address, device: Bytes32?)? {
        if let account = question.account { return (account, question.device) }
        switch authentication {
        case .anonymous: return nil
        case .challenged(let account, let device, _), .proved(let account, let device):
            return (account, device)
        }
    }

    /// Decides on a question, by `facts` about its subject and the node's wall clock.
    ///
    /// `challenge` must be random and unused.
    package mutating func handle(
        _ question: MailQuestion,
        _ facts: Facts,
        challenge: Bytes32,
        at now: Timestamp
    ) -> Directive {
        switch question {
        case .lease(let request): return lease(request, facts, at: now)
        case .keys(let account):
            return facts.isKeptHere ? .showKeys(of: account) : .showRecords(of: account)
        case .publish(let bundle, let records):
            guard bundle.network.utf8.elementsEqual(network.utf8) else {
                return .refuse(.otherNetwork)
            }
            // The newest bundle is valid, so one from the future would stay valid for too long.
            guard bundle.createdAt <= now.advanced(by: limits.clockOffMax) else {
                return .refuse(.clockOff)
            }
            return facts.isKeptHere
                ? .take(bundle, records: records) : .refuse(.notKeptHere)
        case .deposit(let deposit): return self.deposit(deposit, facts, at: now)
        case .open(let account, let device):
            authentication = .anonymous
            guard facts.isKeptHere else { return .refuse(.notKeptHere) }
            guard facts.device != nil else { return .refuse(.unknownDevice) }
            authentication = .challenged(account, device: device, challenge: challenge)
            return .challenge(challenge)
        case .prove(let signature): return prove(signature, facts)
        case .collect(let number):
            return serve(facts) { .serve($0, device: $1, after: number) }
        case .acknowledge(let numbers):
            return serve(facts) { .remove(numbers, of: $0, device: $1) }
        case .grants(let secret, let ended):
            return serve(facts) { .keepGrants(secret, ended: ended, of: $0, device: $1) }
        case .vault(let marks):
            return serve(facts) { account, _ in .showVault(of: account, after: marks) }
        case .keep(let segment):
            return serve(facts) { account, _ in
                segment.account == account ? .keep(segment) : .refuse(.notProved)
            }
        }
    }

    private func lease(
        _ request: LeaseRequest,
        _ facts: Facts,
        at now: Timestamp
    ) -> Directive {
        guard acceptsHomes || facts.isKeptHere else { return .refuse(.noHome) }
        let off = max(request.askedAt.elapsed(since: now), now.elapsed(since: request.askedAt))
        guard off <= limits.clockOffMax else { return .refuse(.clockOff) }
        let isKnown = facts.isKeptHere || facts.isLocal
        guard isKnown || facts.leases < limits.leasesMax else { return .refuse(.full) }
        guard !facts.isFull else { return .refuse(.full) }
        let percent = facts.leases * 100 / max(1, limits.leasesMax)
        let work = limits.work(limits.leaseWork, takenPercent: percent)
        // Checked before the signature, which costs more.
        guard
            isKnown || work == 0
                || request.work?.isWorth(
                    work,
                    for: request.workSubject(at: home, network: network)
                ) == true
        else { return .wantWork(work) }
        guard request.isSigned(to: home, network: network) else {
            return .refuse(.wrongSignature)
        }
        return .grant(to: request.account)
    }

    private func deposit(
        _ deposit: MailDeposit,
        _ facts: Facts,
        at now: Timestamp
    ) -> Directive {
        let envelope = deposit.envelope
        guard facts.isKeptHere else { return .refuse(.notKeptHere) }
        guard facts.device != nil else { return .refuse(.unknownDevice) }
        let last = now.advanced(by: MailEnvelope.lifetimeMax + limits.clockOffMax)
        guard envelope.header.expiresAt > now, envelope.header.expiresAt <= last else {
            return .refuse(.wrongExpiry)
        }
        // A deposit that was paid for must not be paid for again because the answer was lost.
        if facts.isHeld { return .confirm(envelope.hash) }
        guard !facts.isFull else { return .refuse(.recipientOverQuota) }
        if let grant = deposit.grant(under: facts.grantSecrets, at: home) {
            return .store(envelope, as: .contact(grant: grant))
        }
        // For the price of a full part, an envelope displaces another one, but never one of its own
        // origin.
        guard facts.strangersPercent < 100 || facts.originPercent < 100 else {
            return .refuse(.strangersOverQuota)
        }
        let work = limits.depositWork(
            byteCount: envelope.bytes.count,
            takenPercent: facts.strangersPercent,
            originPercent: facts.originPercent
        )
        let isPaid =
            facts.isLocal || work == 0
            || deposit.work?.isWorth(work, for: deposit.workSubject(at: home, network: network))
                == true
        return isPaid ? .store(envelope, as: .stranger) : .wantWork(work)
    }

    private mutating func prove(_ signature: Signature, _ facts: Facts) -> Directive {
        guard case .challenged(let account, let device, let challenge) = authentication else {
            return .refuse(.notProved)
        }
        // A challenge allows one attempt.
        authentication = .anonymous
        let statement = MailStatement.collection(account, home, network, challenge: challenge)
        guard facts.isKeptHere, let key = facts.device,
            key.verifies(signature, of: statement, as: .collection)
        else { return .refuse(.notProved) }
        authentication = .proved(account, device: device)
        return .welcome
    }

    private func serve(_ facts: Facts, _ directive: (Address, Bytes32) -> Directive) -> Directive {
        guard case .proved(let account, let device) = authentication else {
            return .refuse(.notProved)
        }
        guard facts.device != nil else { return .refuse(.unknownDevice) }
        return directive(account, device)
    }
}
