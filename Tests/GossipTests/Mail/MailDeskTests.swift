import Gossip
import Keys
import Market
import Support
import Testing

struct MailDeskTests {
    private let challenge = Bytes32(repeating: 7)
    private let now = MailSamples.now

    private func ask(
        _ desk: inout MailDesk,
        _ question: MailQuestion,
        _ facts: MailDesk.Facts = MailSamples.known,
        after wait: Duration = .zero
    ) -> MailDesk.Directive {
        desk.handle(question, facts, challenge: challenge, at: now.advanced(by: wait))
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

    @Test func `a home keeps mail for whoever asks in his own name`() {
        var desk = MailSamples.desk()
        let ana = MailSamples.ana.address
        #expect(
            ask(&desk, .lease(MailSamples.request()), MailSamples.unknown) == .grant(to: ana)
        )
    }

    @Test func `a lease asked for wrongly is refused with the reason`() {
        var desk = MailSamples.desk()
        var closed = MailSamples.desk(acceptsHomes: false)
        let request = MailSamples.request()
        let unknown = MailSamples.unknown
        let full = MailDesk.Facts(isKeptHere: false, leases: MailLimits().leasesMax)
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
        #expect(ask(&desk, .lease(request), full) == .refuse(.full))
        #expect(ask(&desk, .lease(elsewhere), unknown) == .refuse(.wrongSignature))
        #expect(ask(&desk, .lease(stolen), unknown) == .refuse(.wrongSignature))
        #expect(
            ask(&desk, .lease(MailSamples.request(network: "other")), unknown)
                == .refuse(.wrongSignature)
        )
        #expect(
            ask(&desk, .lease(request), unknown, after: .seconds(600))
                == .grant(to: MailSamples.ana.address)
        )
        #expect(
            ask(&desk, .lease(request), unknown, after: .seconds(601)) == .refuse(.clockOff)
        )
    }

    @Test func `mail is kept for accounts of this home and their devices alone`() throws {
        var desk = MailSamples.desk()
        let envelope = try MailSamples.envelope()
        let noDevice = MailDesk.Facts(isKeptHere: true)

        let deposit = MailQuestion.deposit(MailDeposit(envelope))
        #expect(ask(&desk, deposit) == .store(envelope, as: .stranger))
        #expect(ask(&desk, deposit, noDevice) == .refuse(.unknownDevice))
        #expect(ask(&desk, deposit, MailSamples.unknown) == .refuse(.notKeptHere))
    }

    @Test func `mail is kept for thirty days at most, and not when its time is over`() throws {
        var desk = MailSamples.desk()
        let dead = try MailSamples.envelope(expiresAt: now)
        let eternal = try MailSamples.envelope(expiresAt: now.advanced(by: .days(31)))
        #expect(ask(&desk, .deposit(MailDeposit(dead))) == .refuse(.wrongExpiry))
        #expect(ask(&desk, .deposit(MailDeposit(eternal))) == .refuse(.wrongExpiry))
    }

    @Test func `keys are shown and taken for accounts of this home`() throws {
        var desk = MailSamples.desk()
        let bundle = try MailSamples.bundle()
        let other = try MailSamples.bundle(network: "other")
        let ana = MailSamples.ana.address

        #expect(ask(&desk, .keys(of: ana)) == .showKeys(of: ana))
        #expect(ask(&desk, .keys(of: ana), MailSamples.unknown) == .showRecords(of: ana))
        #expect(
            ask(&desk, .publish(bundle, records: [[1]])) == .take(bundle, records: [[1]])
        )
        #expect(
            ask(&desk, .publish(bundle, records: []), MailSamples.unknown)
                == .refuse(.notKeptHere)
        )
        #expect(ask(&desk, .publish(other, records: [])) == .refuse(.otherNetwork))
    }

    @Test func `a device that signs the challenge collects and lets go`() {
        var desk = MailSamples.desk()
        let ana = MailSamples.ana.address
        let phone = MailSamples.phone
        #expect(ask(&desk, .open(ana, device: phone)) == .challenge(challenge))
        #expect(ask(&desk, proof(by: MailSamples.anasPhone, of: challenge)) == .welcome)
        #expect(
            ask(&desk, .collect(after: 3)) == .serve(ana, device: phone, after: 3)
        )
        #expect(
            ask(&desk, .acknowledge([4, 5])) == .remove([4, 5], of: ana, device: phone)
        )
    }

    @Test func `a stranger collects nothing, whatever he signs`() {
        var desk = MailSamples.desk()
        let opening = MailQuestion.open(MailSamples.ana.address, device: MailSamples.phone)
        #expect(ask(&desk, .collect(after: 0)) == .refuse(.notProved))
        #expect(ask(&desk, .acknowledge([1])) == .refuse(.notProved))
        #expect(
            ask(&desk, proof(by: MailSamples.anasPhone, of: challenge)) == .refuse(.notProved)
        )

        _ = ask(&desk, opening)
        #expect(ask(&desk, proof(by: MailSamples.bo, of: challenge)) == .refuse(.notProved))
        // A challenge is for one try.
        #expect(
            ask(&desk, proof(by: MailSamples.anasPhone, of: challenge)) == .refuse(.notProved)
        )
        _ = ask(&desk, opening)
        let old = Bytes32(repeating: 8)
        #expect(
            ask(&desk, proof(by: MailSamples.anasPhone, of: old)) == .refuse(.notProved)
        )
        #expect(ask(&desk, .collect(after: 0)) == .refuse(.notProved))
    }

    @Test func `a revoked device is served no more, even in the middle`() {
        var desk = MailSamples.desk()
        let revoked = MailDesk.Facts(isKeptHere: true)
        let opening = MailQuestion.open(MailSamples.ana.address, device: MailSamples.phone)
        #expect(ask(&desk, opening, revoked) == .refuse(.unknownDevice))
        #expect(ask(&desk, opening, MailSamples.unknown) == .refuse(.notKeptHere))
        _ = ask(&desk, opening)
        _ = ask(&desk, proof(by: MailSamples.anasPhone, of: challenge))
        #expect(ask(&desk, .collect(after: 0), revoked) == .refuse(.unknownDevice))
    }

    @Test func `facts are asked for whom the question is about`() throws {
        var desk = MailSamples.desk()
        #expect(desk.subject(of: .collect(after: 0)) == nil)
        let deposit = try #require(desk.subject(of: .deposit(MailDeposit(MailSamples.envelope()))))
        #expect(deposit == (MailSamples.ana.address, MailSamples.phone))
        _ = ask(&desk, .open(MailSamples.ana.address, device: MailSamples.phone))
        let collect = try #require(desk.subject(of: .collect(after: 0)))
        #expect(collect == (MailSamples.ana.address, MailSamples.phone))
    }
}
