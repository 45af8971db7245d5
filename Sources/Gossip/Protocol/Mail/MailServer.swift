package import Keys
package import Market

/// Decides what a home does for who asks on one stream.
///
/// Pure: it is told the time, what the node knows of the account in question, and given its
/// random challenge. Only a device that has proved itself on this very stream is served mail.
///
/// Source: Docs/protocol.md, sections 10.6 and 10.7.
package struct MailServer: Sendable {
    /// What the node knows of the account that a question is about.
    package struct Facts: Hashable, Sendable {
        /// Whether this node keeps the account's mail: as its own, or by a lease that lasts.
        package var isKeptHere: Bool
        /// The key of the device in question, where the account certified it and has not revoked.
        package var device: PublicKey?
        /// Leases granted to accounts of others.
        package var leases: Int
        /// Whether this node itself asks, for one of its own accounts.
        package var isLocal = false
        /// The secrets under which the grant that a deposit shows may be; none if it has ended.
        package var grantSecrets: [Bytes32] = []
        /// Whether what is deposited waits here already.
        package var isHeld = false
        /// How much of the room for strangers' mail to this account is taken.
        package var strangersPercent = 0

        package init(isKeptHere: Bool, device: PublicKey? = nil, leases: Int = 0) {
            (self.isKeptHere, self.device, self.leases) = (isKeptHere, device, leases)
        }
    }

    /// What to do, and to answer once it is done and durable.
    package enum Directive: Hashable, Sendable {
        case refuse(MailRefusal)
        case grant(to: Address)
        case showKeys(of: Address)
        /// Show the records alone, if there are any.
        case showRecords(of: Address)
        /// Take the records first: they may certify the device whose bundle it is.
        case take(PrekeyBundle, records: [[UInt8]])
        case store(MailEnvelope, as: MailAdmission)
        /// Say again that the envelope with this hash is held.
        case confirm(Bytes32)
        /// Refuse what would be granted with a proof of so much work.
        case wantWork(UInt64)
        case challenge(Bytes32)
        case welcome
        case serve(Address, device: Bytes32, after: UInt64)
        case remove([UInt64], of: Address, device: Bytes32)
        case keepGrants(Bytes32, ended: [Bytes32], of: Address, device: Bytes32)
    }

    /// How far a device has proved itself on this stream.
    private enum Authentication {
        /// Nobody in particular. Becomes `challenged`.
        case anonymous
        /// Must sign the challenge. Becomes `proved`, or `anonymous` where it signs anything else.
        case challenged(Address, device: Bytes32, challenge: Bytes32)
        /// The account's device, to be looked up again at each question.
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

    /// Whom a question is about: the account and device that `Facts` must be of.
    package func subject(of question: MailQuestion) -> (account: Address, device: Bytes32?)? {
        if let account = question.account { return (account, question.device) }
        switch authentication {
        case .anonymous: return nil
        case .challenged(let account, let device, _), .proved(let account, let device):
            return (account, device)
        }
    }

    /// Decides on a question, by `facts` of its subject and the node's wall clock.
    ///
    /// `challenge` is random and was never used before.
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
            guard bundle.network == network else { return .refuse(.otherNetwork) }
            // The newest counts, so one from the future would count for ever.
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
        }
    }

    private func lease(
        _ request: LeaseRequest,
        _ facts: Facts,
        at now: Timestamp
    ) -> Directive {
        guard acceptsHomes || facts.isKeptHere else { return .refuse(.noHome) }
        let off = max(
            request.askedAt.elapsed(since: now),
            now.elapsed(since: request.askedAt)
        )
        guard off <= limits.clockOffMax else { return .refuse(.clockOff) }
        let isKnown = facts.isKeptHere || facts.isLocal
        guard isKnown || facts.leases < limits.leasesMax else { return .refuse(.full) }
        let percent = facts.leases * 100 / max(1, limits.leasesMax)
        let work = limits.work(limits.leaseWork, takenPercent: percent)
        // Before the signature, which costs more to check.
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
        // What is paid for is not to be paid for again because the answer was lost.
        if facts.isHeld { return .confirm(envelope.hash) }
        if let grant = deposit.grant(under: facts.grantSecrets, at: home) {
            return .store(envelope, as: .contact(grant: grant))
        }
        guard facts.strangersPercent < 100 else { return .refuse(.strangersOverQuota) }
        let work = limits.work(limits.depositWork, takenPercent: facts.strangersPercent)
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
        // A challenge is for one try.
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
