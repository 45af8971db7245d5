import AccountAccess
import Client
import Gossip
import Keys
import MailSupport
import Market
import Storage
import Support
import Synchronization
import Testing

@testable import Mail

/// Mail of senders whom the recipient's node does not know when it comes.
///
/// Mail is imported as testable, because what waits in the outbox has no API.
@Suite(.timeLimit(.minutes(2)))
struct MailReceiverTests {
    /// Brings Ana a message of a device of Bo's that nobody knows yet.
    private static func send(
        _ harness: ChatHarness,
        from bo: Address,
        on two: ChatNode,
        to ana: Address,
        at one: ChatNode
    ) async throws {
        let envelope = try await MailSample.envelope(
            from: bo,
            device: testKey("phone of \(bo)"),
            text: "Hello",
            to: ana,
            at: one,
            harness
        )
        try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
        let refusals = try await two.exchange.deposit([envelope], at: one.links.localPeer)
        #expect(refusals.isEmpty)
    }

    /// Certifies that device, where node one does not hear of it.
    private static func certify(_ harness: ChatHarness, _ bo: Address, on two: ChatNode)
        async throws
    {
        try await harness.keepingRecords(from: "one") {
            _ = try await ChatStrangerTests.phone(of: bo, on: two)
        }
    }

    private static func waiting(for ana: Address, at one: ChatNode) throws -> UInt64 {
        try one.store.read { transaction in
            let keys = try transaction.mailLoads().strangers.envelopes
            // What has been opened once takes nothing of the part for other strangers' mail.
            #expect(try transaction.mailLoads(of: ana).strangers == MailLoad())
            return keys
        }
    }

    @Test func `delivers mail of a sender that is found minutes later`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            try await Self.send(harness, from: bo, on: two, to: ana, at: one)
            // However many passes the node runs, it asks others at growing intervals.
            for _ in 0..<20 { await one.chat.runOnce() }
            #expect(try Self.waiting(for: ana, at: one) == 1)
            await harness.runAll(times: 50)
            #expect(try Self.waiting(for: ana, at: one) == 1)
            #expect(try await one.conversations(of: ana).isEmpty)

            try await Self.certify(harness, bo, on: two)
            await harness.runAll(times: 60)
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
            #expect(try Self.waiting(for: ana, at: one) == 0)
        }
    }

    /// - From peers: mail of an unknown sender → dropped after eight searches in 21 minutes,
    ///   counted
    @Test func `drops mail after eight lookups of an unknown sender`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            try await Self.send(harness, from: bo, on: two, to: ana, at: one)
            // The waits between eight searches are 21 minutes.
            await harness.runAll(times: 200)
            #expect(try Self.waiting(for: ana, at: one) == 1)
            await harness.runAll(times: 30)
            #expect(try Self.waiting(for: ana, at: one) == 0)
            let told = try ChatStrangerTests.events("mail_dropped", one, ana)
            #expect(told.map(\.data) == [["uncertified": "1"]])
        }
    }

    @Test(arguments: [true, false])
    func `drops no mail of an unknown sender while no peer can be asked`(
        isAlone: Bool
    ) async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        if !isAlone { settings.lookupsMax = 0 }
        try await ChatHarness.pair(settings: settings, strangers: true) {
            harness,
            one,
            two,
            ana,
            bo in
            try await Self.send(harness, from: bo, on: two, to: ana, at: one)
            if isAlone { await harness.disconnect(one, two) }
            // Half an hour, of which eight searches would take 21 minutes.
            await harness.runAll(times: 100, every: 18)
            #expect(try Self.waiting(for: ana, at: one) == 1)
            harness.reconnect(one, two)
            try await Self.certify(harness, bo, on: two)
            if isAlone {
                try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
                await harness.runAll(times: 60)
                #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
            }
        }
    }

    /// A message of a phone of Bo's that brings a certificate of it.
    private static func message(
        _ harness: ChatHarness,
        from bo: PrivateKey,
        number: UInt64,
        certificate: [UInt8],
        to ana: Address
    ) -> MailMessage {
        MailMessage(
            network: "test",
            sender: bo.address,
            device: testKey("phone").publicKey,
            recipient: ana,
            listing: nil,
            number: number,
            sentAt: harness.now,
            body: .text("Hello"),
            certificate: certificate
        )
    }

    private static func certificate(
        _ harness: ChatHarness,
        by bo: PrivateKey,
        days: UInt64 = 0
    ) throws -> [UInt8] {
        let phone = testKey("phone").publicKey
        let certificate = try DeviceCertificate(key: phone, name: "phone")
        let draft = RecordDraft(
            network: "test",
            author: bo.address,
            content: .device(certificate),
            slot: certificate.slot,
            createdAt: Timestamp(milliseconds: harness.now.milliseconds - days * 86_400_000)
        )
        return try draft.signed(by: bo).bytes
    }

    /// - From peers: mail of a sender who is unknown here, while strangers use up the lookups → its
    ///   certificate comes with it
    /// - From peers: a certificate in a message that is another account's, old or cut off → proves
    ///   nothing; the sender is looked up
    @Test func `a first message with its device's certificate needs no lookup`() async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        settings.lookupsMax = 0
        try await ChatHarness.pair(settings: settings, strangers: true) {
            harness,
            one,
            two,
            ana,
            bo in
            let bosKey = try #require(await two.accounts.key(of: bo))
            let other = testKey(7)
            let made = try [
                // Of another account, too old, cut off; then a good one.
                Self.certificate(harness, by: other),
                Self.certificate(harness, by: bosKey, days: 11),
                Self.certificate(harness, by: bosKey).dropLast(),
                Self.certificate(harness, by: bosKey),
            ]
            var envelopes: [MailEnvelope] = []
            for (index, certificate) in made.enumerated() {
                let message = Self.message(
                    harness,
                    from: bosKey,
                    number: UInt64(index + 1),
                    certificate: Array(certificate),
                    to: ana
                )
                envelopes.append(
                    try await MailSample.seal(
                        message,
                        by: testKey("phone"),
                        for: ana,
                        at: one,
                        harness
                    )
                )
            }
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            let refusals = try await two.exchange.deposit(envelopes, at: one.links.localPeer)
            #expect(refusals.isEmpty)
            await one.chat.runOnce()
            #expect(try await one.requests(of: ana).map(\.lastMessage?.text) == ["Hello"])
            #expect(try await one.requests(of: ana).map(\.unread) == [1])
            let waiting = try Self.waiting(for: ana, at: one)
            #expect(waiting == 3)
        }
    }

    /// - From peers: a certificate in a message, of a device that was revoked → proves nothing; the
    ///   sender is looked up
    @Test func `a certificate in a message does not restore a revoked device`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let bosKey = try #require(await two.accounts.key(of: bo))
            let certificate = try Self.certificate(harness, by: bosKey)
            let withdrawal = try RecordDraft(
                network: "test",
                author: bo,
                content: .withdrawal(.device),
                slot: DeviceCertificate.slot(of: testKey("phone").publicKey),
                createdAt: harness.now.advanced(by: .seconds(1))
            ).signed(by: bosKey)
            _ = try await one.store.write {
                try $0.put([RecordEntry(withdrawal, lane: .open)], at: harness.now)
            }
            let message = Self.message(
                harness,
                from: bosKey,
                number: 1,
                certificate: certificate,
                to: ana
            )
            let envelope = try await MailSample.seal(
                message,
                by: testKey("phone"),
                for: ana,
                at: one,
                harness
            )
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            _ = try await two.exchange.deposit([envelope], at: one.links.localPeer)
            await one.chat.runOnce()
            #expect(try await one.requests(of: ana).isEmpty)
            #expect(try Self.waiting(for: ana, at: one) == 1)
        }
    }

    @Test func `only a node's first message carries the certificate`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            try await two.write("Hello", to: ana, by: bo)
            #expect(try await Self.certificates(of: bo, on: two) == [true])
            await harness.runAll()
            let talk = try #require(try await one.requests(of: ana).first)
            try await one.write("Good day", in: talk.id, by: ana)
            await harness.runAll()
            try await two.write("And you?", in: talk.id, by: bo)
            #expect(try await Self.certificates(of: bo, on: two) == [false])
        }
    }

    /// Whether each message in the outbox brings a certificate.
    private static func certificates(of bo: Address, on two: ChatNode) async throws -> [Bool] {
        let unlocked = try await two.chat.unlockedAccount(bo)
        return try two.store.read { transaction in
            try transaction.outboxTimes(until: Timestamp(milliseconds: .max)).map { entry in
                let found = try transaction.outboxEntry(of: bo, id: entry.name.id)
                let outgoing = try OutgoingMail(storedBytes: #require(found).bytes)
                let bytes = try unlocked.seal.open(outgoing.mail, for: .outgoing(entry.name.id))
                let message = try SignedMail(bytes).message
                return !message.certificate.isEmpty && message.provesDevice(at: message.sentAt)
            }
        }
    }
}
