import GossipProtocol
import Keys
import Market
import Support
import Testing

struct MailServerTests {
    private let challenge = Bytes32(repeating: 7)
    private let now = MailSamples.now

    private func ask(
        _ mailServer: inout MailServer,
        _ question: MailQuestion,
        _ facts: MailServer.Facts = MailSamples.known,
        after wait: Duration = .zero
    ) -> MailServer.Directive {
        mailServer.handle(question, facts, challenge: challenge, at: now.advanced(by: wait))
    }

    private func proof(by device: PrivateKey, of challenge: Bytes32) -> MailQuestion {
        let statement = MailStatement.collection(
            MailSamples.ana.address,
            MailSamples.homePeer,
            MailSamples.network,
            challenge: challenge
        )
        return .prove(device.sign(statement, as: .collection))
    }

    @Test func `a home keeps mail for any account that asks for itself`() {
        var mailServer = MailSamples.mailServer()
        let ana = MailSamples.ana.address
        #expect(
            ask(&mailServer, .lease(MailSamples.request()), MailSamples.unknown) == .grant(to: ana)
        )
    }

    @Test func `refuses a wrong request for a lease with the reason`() {
        var mailServer = MailSamples.mailServer()
        var closed = MailSamples.mailServer(acceptsHomes: false)
        let request = MailSamples.request()
        let unknown = MailSamples.unknown
        let full = MailServer.Facts(isKeptHere: false, leases: MailLimits().leasesMax)
        let elsewhere = MailSamples.request(to: NodeKey.peer(of: MailSamples.bo.publicKey))
        let stolen = LeaseRequest(
            account: MailSamples.bo.address,
            askedAt: request.askedAt,
            signature: request.signature
        )

        #expect(ask(&closed, .lease(request), unknown) == .refuse(.noHome))
        #expect(
            ask(&closed, .lease(request), MailSamples.known)
                == .grant(to: MailSamples.ana.address)
        )
        #expect(ask(&mailServer, .lease(request), full) == .refuse(.full))
        #expect(ask(&mailServer, .lease(elsewhere), unknown) == .refuse(.wrongSignature))
        #expect(ask(&mailServer, .lease(stolen), unknown) == .refuse(.wrongSignature))
        #expect(
            ask(&mailServer, .lease(MailSamples.request(network: "other")), unknown)
                == .refuse(.wrongSignature)
        )
        #expect(
            ask(&mailServer, .lease(request), unknown, after: .seconds(600))
                == .grant(to: MailSamples.ana.address)
        )
        #expect(
            ask(&mailServer, .lease(request), unknown, after: .seconds(601)) == .refuse(.clockOff)
        )
    }

    /// - From peers: questions about a vault, or a segment for it, from anyone but a proved device
    ///   of its account → refused
    @Test func `only a verified device of an account reads and writes its vault`() throws {
        var mailServer = MailSamples.mailServer()
        let (own, others) = (try MailSamples.segment(), try MailSamples.segment(of: MailSamples.bo))
        for question in [MailQuestion.vault(after: []), .keep(own)] {
            #expect(ask(&mailServer, question) == .refuse(.notProved))
        }
        let ana = MailSamples.ana.address
        _ = ask(&mailServer, .open(ana, device: MailSamples.phone))
        #expect(ask(&mailServer, .keep(own)) == .refuse(.notProved))
        _ = ask(&mailServer, .open(ana, device: MailSamples.phone))
        #expect(ask(&mailServer, proof(by: MailSamples.anasPhone, of: challenge)) == .welcome)
        let marks = MailSamples.marks
        #expect(ask(&mailServer, .vault(after: marks)) == .showVault(of: ana, after: marks))
        #expect(ask(&mailServer, .keep(own)) == .keep(own))
        #expect(ask(&mailServer, .keep(others)) == .refuse(.notProved))
        // The device was revoked meanwhile.
        let revoked = MailServer.Facts(isKeptHere: true)
        #expect(ask(&mailServer, .vault(after: []), revoked) == .refuse(.unknownDevice))
        #expect(ask(&mailServer, .keep(own), revoked) == .refuse(.unknownDevice))
    }

    @Test func `keeps mail only for accounts of this home and their devices`() throws {
        var mailServer = MailSamples.mailServer()
        let envelope = try MailSamples.envelope()
        let noDevice = MailServer.Facts(isKeptHere: true)

        let deposit = MailQuestion.deposit(MailDeposit(envelope))
        #expect(ask(&mailServer, deposit) == .store(envelope, as: .stranger))
        #expect(ask(&mailServer, deposit, noDevice) == .refuse(.unknownDevice))
        #expect(ask(&mailServer, deposit, MailSamples.unknown) == .refuse(.notKeptHere))
    }

    /// - From peers: a lease or mail for a home without room → refused before any work is asked for;
    ///   mail that it has is confirmed
    @Test func `a home without room asks for no work`() throws {
        var mailServer = MailSamples.mailServer()
        let envelope = try MailSamples.envelope()
        let deposit = MailQuestion.deposit(MailDeposit(envelope))
        var (known, unknown) = (MailSamples.known, MailSamples.unknown)
        (known.isFull, unknown.isFull) = (true, true)
        (known.strangersPercent, unknown.leases) = (50, MailLimits().leasesMax / 2)
        #expect(ask(&mailServer, deposit, known) == .refuse(.recipientOverQuota))
        let request = MailQuestion.lease(MailSamples.request())
        #expect(ask(&mailServer, request, unknown) == .refuse(.full))
        known.isHeld = true
        #expect(ask(&mailServer, deposit, known) == .confirm(envelope.hash))
    }

    @Test func `keeps mail for thirty days at most, and never beyond its expiry`() throws {
        var mailServer = MailSamples.mailServer()
        let dead = try MailSamples.envelope(expiresAt: now)
        let eternal = try MailSamples.envelope(expiresAt: now.advanced(by: .days(31)))
        #expect(ask(&mailServer, .deposit(MailDeposit(dead))) == .refuse(.wrongExpiry))
        #expect(ask(&mailServer, .deposit(MailDeposit(eternal))) == .refuse(.wrongExpiry))
    }

    @Test func `serves and stores keys for accounts of this home`() throws {
        var mailServer = MailSamples.mailServer()
        let bundle = try MailSamples.bundle()
        let other = try MailSamples.bundle(network: "other")
        let ana = MailSamples.ana.address

        #expect(ask(&mailServer, .keys(of: ana)) == .showKeys(of: ana))
        #expect(ask(&mailServer, .keys(of: ana), MailSamples.unknown) == .showRecords(of: ana))
        #expect(
            ask(&mailServer, .publish(bundle, records: [[1]])) == .take(bundle, records: [[1]])
        )
        #expect(
            ask(&mailServer, .publish(bundle, records: []), MailSamples.unknown)
                == .refuse(.notKeptHere)
        )
        #expect(ask(&mailServer, .publish(other, records: [])) == .refuse(.otherNetwork))
    }

    @Test func `a device that signs the challenge collects and deletes mail`() {
        var mailServer = MailSamples.mailServer()
        let ana = MailSamples.ana.address
        let phone = MailSamples.phone
        #expect(ask(&mailServer, .open(ana, device: phone)) == .challenge(challenge))
        #expect(ask(&mailServer, proof(by: MailSamples.anasPhone, of: challenge)) == .welcome)
        #expect(
            ask(&mailServer, .collect(after: 3)) == .serve(ana, device: phone, after: 3)
        )
        #expect(
            ask(&mailServer, .acknowledge([4, 5])) == .remove([4, 5], of: ana, device: phone)
        )
    }

    @Test func `a stranger collects nothing, whatever it signs`() {
        var mailServer = MailSamples.mailServer()
        let opening = MailQuestion.open(MailSamples.ana.address, device: MailSamples.phone)
        #expect(ask(&mailServer, .collect(after: 0)) == .refuse(.notProved))
        #expect(ask(&mailServer, .acknowledge([1])) == .refuse(.notProved))
        #expect(
            ask(&mailServer, proof(by: MailSamples.anasPhone, of: challenge)) == .refuse(.notProved)
        )

        _ = ask(&mailServer, opening)
        #expect(ask(&mailServer, proof(by: MailSamples.bo, of: challenge)) == .refuse(.notProved))
        // A challenge allows one attempt.
        #expect(
            ask(&mailServer, proof(by: MailSamples.anasPhone, of: challenge)) == .refuse(.notProved)
        )
        _ = ask(&mailServer, opening)
        let old = Bytes32(repeating: 8)
        #expect(
            ask(&mailServer, proof(by: MailSamples.anasPhone, of: old)) == .refuse(.notProved)
        )
        #expect(ask(&mailServer, .collect(after: 0)) == .refuse(.notProved))
    }

    @Test func `stops serving a device revoked mid-session`() {
        var mailServer = MailSamples.mailServer()
        let revoked = MailServer.Facts(isKeptHere: true)
        let opening = MailQuestion.open(MailSamples.ana.address, device: MailSamples.phone)
        #expect(ask(&mailServer, opening, revoked) == .refuse(.unknownDevice))
        #expect(ask(&mailServer, opening, MailSamples.unknown) == .refuse(.notKeptHere))
        _ = ask(&mailServer, opening)
        _ = ask(&mailServer, proof(by: MailSamples.anasPhone, of: challenge))
        #expect(ask(&mailServer, .collect(after: 0), revoked) == .refuse(.unknownDevice))
    }

    @Test func `looks up the facts of the account in question`() throws {
        var mailServer = MailSamples.mailServer()
        #expect(mailServer.subject(of: .collect(after: 0)) == nil)
        let deposit = try #require(
            mailServer.subject(of: .deposit(MailDeposit(MailSamples.envelope())))
        )
        #expect(deposit == (MailSamples.ana.address, MailSamples.phone))
        _ = ask(&mailServer, .open(MailSamples.ana.address, device: MailSamples.phone))
        let collect = try #require(mailServer.subject(of: .collect(after: 0)))
        #expect(collect == (MailSamples.ana.address, MailSamples.phone))
    }
}
