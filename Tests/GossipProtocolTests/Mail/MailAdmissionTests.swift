import GossipProtocol
import Keys
import Market
import Support
import Testing

/// What a home demands from senders and accounts that it does not know.
struct MailAdmissionTests {
    private let now = MailSamples.now
    private let home = MailSamples.homePeer
    private let secret = Bytes32(repeating: 5)
    private var limits: MailLimits {
        var limits = MailLimits()
        (limits.depositWork, limits.leaseWork) = (16, 16)
        return limits
    }

    private func decide(_ question: MailQuestion, _ facts: MailServer.Facts) -> MailServer.Directive
    {
        var mailServer = MailSamples.mailServer(limits: limits)
        return mailServer.handle(question, facts, challenge: .zero, at: now)
    }

    private func proof(_ work: UInt64, _ subject: Bytes32) throws -> MailStamp {
        try #require(MailStamp.search(for: subject, work: work, from: 1, count: 1 << 20))
    }

    /// Returns a proof that is worth at least `work` and less than twice as much.
    private func bareProof(_ work: UInt64, _ subject: Bytes32) throws -> MailStamp {
        try #require(
            (1..<1 << 16 as Range<UInt64>).lazy.compactMap { MailStamp(nonce: $0) }.first {
                $0.isWorth(work, for: subject) && !$0.isWorth(2 * work, for: subject)
            }
        )
    }

    /// - From peers: a stranger's deposit without work, or with too little → answered *work
    ///   wanted*; nothing is kept
    @Test func `a stranger's deposit needs work done for this envelope and home`() throws {
        let envelope = try MailSamples.envelope()
        var deposit = MailDeposit(envelope)
        #expect(decide(.deposit(deposit), MailSamples.known) == .wantWork(16))
        let subject = deposit.workSubject(at: home, network: MailSamples.network)
        deposit.work = try bareProof(16, subject)
        #expect(
            decide(.deposit(deposit), MailSamples.known) == .store(envelope, as: .stranger)
        )
        let elsewhere = deposit.workSubject(at: home, network: "other")
        let other = MailDeposit(try MailSamples.envelope(2))
        #expect(subject != elsewhere)
        #expect(subject != other.workSubject(at: home, network: MailSamples.network))
        #expect(
            subject
                != deposit.workSubject(
                    at: NodeKey.peer(of: MailSamples.bo.publicKey),
                    network: MailSamples.network
                )
        )
    }

    /// - From peers: an envelope that is already stored → confirmed without work
    @Test func `confirms held mail again without asking for work`() throws {
        let envelope = try MailSamples.envelope()
        var facts = MailSamples.known
        (facts.isHeld, facts.strangersPercent) = (true, 100)
        let deposit = MailQuestion.deposit(MailDeposit(envelope))
        #expect(decide(deposit, facts) == .confirm(envelope.hash))
        facts.device = nil
        #expect(decide(deposit, facts) == .refuse(.unknownDevice))
    }

    @Test func `the price rises as the strangers' share fills, even beyond full`() throws {
        var deposit = MailDeposit(try MailSamples.envelope())
        deposit.work = try bareProof(
            16,
            deposit.workSubject(at: home, network: MailSamples.network)
        )
        var facts = MailSamples.known
        var asked: [MailServer.Directive] = []
        for percent in [50, 99, 100] {
            facts.strangersPercent = percent
            asked.append(decide(.deposit(deposit), facts))
        }
        // An origin whose own share is full displaces nothing.
        facts.originPercent = 100
        asked.append(decide(.deposit(deposit), facts))
        #expect(
            asked == [
                .wantWork(128), .wantWork(512), .wantWork(1_024), .refuse(.strangersOverQuota),
            ]
        )
    }

    /// - From peers: a stranger's deposit after many from the same address or network → the work
    ///   rises only for that origin, and with the envelope's size
    @Test func `the price rises for an origin with each of its deposits`() throws {
        let deposit = MailDeposit(try MailSamples.envelope())
        var facts = MailSamples.known
        var asked: [MailServer.Directive] = []
        for (room, origin) in [(0, 50), (50, 50), (0, 100), (50, 0)] {
            (facts.strangersPercent, facts.originPercent) = (room, origin)
            asked.append(decide(.deposit(deposit), facts))
        }
        #expect(asked == [.wantWork(128), .wantWork(1_024), .wantWork(1_024), .wantWork(128)])
    }

    @Test func `filling the space from eight addresses costs 7,000 first messages`() {
        let limits = MailLimits()
        let first = limits.depositWork(byteCount: 2_500, takenPercent: 0, originPercent: 0)
        #expect(first == limits.depositWork)
        // Bytes of the envelope, and how many of it fill an origin's part: 32, and 256 KiB.
        for (byteCount, count) in [(2_500, 32), (6_000, 32), (34_000, 7), (67_000, 3)] {
            var sum: UInt64 = 0
            for deposited in 0..<8 * count {
                sum += limits.depositWork(
                    byteCount: byteCount,
                    takenPercent: deposited * 100 / (8 * count),
                    originPercent: deposited % count * 100 / count
                )
            }
            #expect(sum / first > 7_000, "\(byteCount)")
        }
    }

    @Test func `a grant admits its holder free, however full the strangers' share`() throws {
        let envelope = try MailSamples.envelope()
        let grant = MailGrant(id: Bytes32(repeating: 6), under: secret)
        let deposit = MailDeposit(envelope, under: grant, to: home)
        var facts = MailSamples.known
        (facts.grantSecrets, facts.strangersPercent) = ([.zero, secret], 100)
        #expect(
            decide(.deposit(deposit), facts) == .store(envelope, as: .contact(grant: grant.id))
        )
        // A grant that has ended, is for another home or another envelope counts as none.
        facts.strangersPercent = 0
        let elsewhere = MailDeposit(
            envelope,
            under: grant,
            to: NodeKey.peer(of: MailSamples.bo.publicKey)
        )
        #expect(decide(.deposit(elsewhere), facts) == .wantWork(16))
        let stolen = MailDeposit(try MailSamples.envelope(2), grant: deposit.grant)
        #expect(decide(.deposit(stolen), facts) == .wantWork(16))
        facts.grantSecrets = []
        #expect(decide(.deposit(deposit), facts) == .wantWork(16))
    }

    @Test func `this node's own accounts deposit here without work`() throws {
        let envelope = try MailSamples.envelope()
        var facts = MailSamples.known
        facts.isLocal = true
        #expect(
            decide(.deposit(MailDeposit(envelope)), facts) == .store(envelope, as: .stranger)
        )
    }

    /// - From peers: thousands of leases for free accounts → they cost work; 64 from one address
    @Test func `first leases cost ever more work, and renewals none`() throws {
        var request = MailSamples.request()
        let ana = MailSamples.ana.address
        #expect(decide(.lease(request), MailSamples.unknown) == .wantWork(16))
        #expect(decide(.lease(request), MailSamples.known) == .grant(to: ana))
        request.work = try proof(16, request.workSubject(at: home, network: MailSamples.network))
        #expect(decide(.lease(request), MailSamples.unknown) == .grant(to: ana))
        let half = MailServer.Facts(isKeptHere: false, leases: limits.leasesMax / 2)
        #expect(decide(.lease(MailSamples.request()), half) == .wantWork(128))
        var later = MailSamples.request(at: now.advanced(by: .seconds(1)))
        later.work = try bareProof(
            16,
            request.workSubject(at: home, network: MailSamples.network)
        )
        let subject = later.workSubject(at: home, network: MailSamples.network)
        #expect(subject != request.workSubject(at: home, network: MailSamples.network))
    }

    /// - From peers: a prekey bundle from the future → refused
    @Test func `refuses a bundle from the future`() throws {
        let soon = try MailSamples.bundle(at: now.advanced(by: .seconds(600)))
        let late = try MailSamples.bundle(at: now.advanced(by: .seconds(601)))
        #expect(
            decide(.publish(soon, records: []), MailSamples.known) == .take(soon, records: [])
        )
        #expect(decide(.publish(late, records: []), MailSamples.known) == .refuse(.clockOff))
    }

    @Test func `only a verified device decides which grants are valid`() {
        var mailServer = MailSamples.mailServer()
        let question = MailQuestion.grants(secret, ended: [])
        let first = mailServer.handle(question, MailSamples.known, challenge: .zero, at: now)
        #expect(first == .refuse(.notProved))
        let (ana, phone) = (MailSamples.ana.address, MailSamples.phone)
        _ = mailServer.handle(
            .open(ana, device: phone),
            MailSamples.known,
            challenge: .zero,
            at: now
        )
        let statement = MailStatement.collection(
            ana,
            home,
            MailSamples.network,
            challenge: .zero
        )
        let signature = MailSamples.anasPhone.sign(statement, as: .collection)
        _ = mailServer.handle(.prove(signature), MailSamples.known, challenge: .zero, at: now)
        let second = mailServer.handle(question, MailSamples.known, challenge: .zero, at: now)
        #expect(second == .keepGrants(secret, ended: [], of: ana, device: phone))
    }
}
