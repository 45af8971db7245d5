import AccountAccess
import Answers
import Client
import Foundation
import Gossip
import GossipProtocol
import Keys
import Mail
import MailSupport
import Market
import Records
import Storage
import Support
import Testing

/// What accounts that nobody has answered can do to an account's mail, and what they cannot.
@Suite(.timeLimit(.minutes(5)))
struct ChatStrangerTests {
    @Test func `a stranger's message is a request until it is answered`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            let request = try #require(try await one.requests(of: ana).first)
            #expect(request.isRequest && request.lastMessage?.text == "Hello")
            #expect(try await one.chat.conversations(of: ana, limit: 9).items.isEmpty)
            try await one.readAll(request.id, by: ana)
            await harness.runAll()
            // Bo is not told that anybody is there.
            #expect(try await two.messages(of: bo).map(\.state) == ["sent"])

            try await one.write("Good day", in: request.id, by: ana)
            await harness.runAll()
            #expect(try await one.requests(of: ana).isEmpty)
            #expect(try await one.conversations(of: ana).map(\.isRequest) == [false])
            #expect(try await two.messages(of: bo).map(\.state) == ["read", "received"])
            #expect(try await two.requests(of: bo).isEmpty)
        }
    }

    @Test func `an account that got an answer has a grant and is a known sender`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            try await two.write("Hello", to: ana, by: bo)
            await two.chat.runOnce()
            #expect(try one.store.read { try $0.mailLoads(of: ana).strangers.envelopes } == 1)
            await harness.runAll()
            let talk = try #require(try await one.requests(of: ana).first)
            try await one.write("Good day", in: talk.id, by: ana)
            // Bo wrote first, so that the answer comes under the grant that he sent along.
            await one.chat.runOnce()
            let answered = try two.store.read { try $0.mailLoads(of: bo) }
            #expect(answered.contacts.envelopes > 0 && answered.strangers.envelopes == 0)
            await harness.runAll()
            await one.signOut()
            try await two.write("And you?", to: ana, by: bo)
            await two.chat.runOnce()
            let loads = try one.store.read { try $0.mailLoads(of: ana) }
            #expect(loads.contacts.envelopes > 0 && loads.strangers.envelopes == 0)
        }
    }

    /// - From peers: more mail from strangers than their part of a mailbox → refused; known
    ///   senders' mail
    ///   is still accepted
    /// - From peers: mail that no key opens → dropped, counted, reported in one event
    @Test func `strangers' noise fills only their part of a mailbox`() async throws {
        var limits = StoreLimits()
        (limits.strangersEnvelopesMax, limits.originEnvelopesMax) = (6, 6)
        try await ChatHarness.pair(withThird: true, limits: limits) { harness, one, two, ana, bo in
            for (node, writer, reader) in [(one, ana, bo), (two, bo, ana)] {
                try await node.write("Hello", to: reader, by: writer)
                await harness.runAll()
            }
            await one.signOut()
            let third = try harness.node("three")
            try await third.exchange.reach(one.links.localPeer, at: [one.links.address])
            let noise = try await Self.noise(10, for: ana, at: one, harness)
            let refusals = try await third.exchange.deposit(noise, at: one.links.localPeer)
            #expect(refusals.count == 4)
            #expect(refusals.values.allSatisfy { $0 == .strangersOverQuota })
            try await two.write("Still there?", to: ana, by: bo)
            await two.chat.runOnce()
            #expect(try await two.messages(of: bo).last?.state == "sent")

            try await one.signIn("ana")
            await harness.runAll()
            #expect(try await one.messages(of: ana).last?.text == "Still there?")
            #expect(try one.store.read { try $0.mailLoads(of: ana).strangers } == MailLoad())
            // Told once, in one piece.
            #expect(try Self.events("mail_dropped", one, ana).map(\.data) == [["unopened": "6"]])
        }
    }

    @Test func `shows a sender why a home refused the message`() async throws {
        var limits = StoreLimits()
        limits.originEnvelopesMax = 1
        try await ChatHarness.pair(limits: limits, strangers: true) { harness, one, two, ana, bo in
            await one.signOut()
            for text in ["1", "2"] { try await two.write(text, to: ana, by: bo) }
            await two.chat.runOnce()
            let texts = try await two.messages(of: bo)
            #expect(texts.map(\.state) == ["sent", "queued"])
            #expect(texts.last?.problem?.contains("Too much mail") == true)
            try await one.signIn("ana")
            for _ in 0..<3 { await harness.runAll() }
            #expect(try await two.messages(of: bo).map(\.state) == ["sent", "sent"])
            #expect(try await one.messages(of: ana).map(\.text) == ["1", "2"])
        }
    }

    /// - From people: more messages than an account may send before it is answered → not_allowed
    @Test func `limits a stranger's messages before an answer and shows the limit`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            for number in 1...16 { try await two.write("\(number)", to: ana, by: bo) }
            let refusal = await #expect(throws: Refusal.self) {
                try await two.write("17", to: ana, by: bo)
            }
            #expect(refusal?.code == .notAllowed)
            #expect(refusal?.detail.contains("has not answered yet") == true)
            await harness.runAll()
            let talk = try #require(try await one.requests(of: ana).first)
            #expect(try await one.messages(of: ana).count == 16)
            try await one.write("Yes?", in: talk.id, by: ana)
            await harness.runAll()
            try await two.write("17", to: ana, by: bo)
        }
    }

    /// - From peers: more messages than may be sent before an answer → dropped, counted
    @Test func `drops mail that a program sends beyond the limits`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let phone = try await Self.phone(of: bo, on: two)
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            for number in 1...20 as ClosedRange<UInt64> {
                let slot = Keccak256.hash("listing \(number % 12)".utf8)
                let envelope = try await MailSample.envelope(
                    from: bo,
                    device: phone,
                    text: "\(number)",
                    listing: slot,
                    number: number,
                    to: ana,
                    at: one,
                    harness
                )
                _ = try await two.exchange.deposit([envelope], at: one.links.localPeer)
            }
            await harness.runAll()
            #expect(try await one.requests(of: ana).count == 8)
            let told = try Self.events("mail_dropped", one, ana)
            #expect(told.map(\.data) == [["over_limits": "4"]])
        }
    }

    /// - From peers: a flood of first contacts → they go to the request box; the address with most
    ///   loses its oldest
    @Test func `a full request box makes room for a sender from another origin`() async throws {
        var limits = StoreLimits()
        limits.requestsMax = 3
        try await ChatHarness.pair(limits: limits, strangers: true) { harness, one, two, ana, bo in
            for name in ["c", "d", "e", "f"] {
                let other = try await one.createAccount(name)
                try await one.write("from \(name)", to: ana, by: other)
                await harness.runAll()
            }
            try await two.write("from bo", to: ana, by: bo)
            await harness.runAll()
            let texts = try await one.requests(of: ana).compactMap(\.lastMessage?.text)
            #expect(Set(texts) == ["from e", "from f", "from bo"])
        }
    }

    /// - From people: a message to a blocked account → not_allowed
    /// - From peers: mail of a blocked account → dropped, counted; its grant is no longer valid
    @Test func `drops mail of a blocked account and ends its grant`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await one.write("Hello", to: bo, by: ana)
            await harness.runAll()
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            let blocked = try await one.chat.block(bo.checksummed, by: ana)
            #expect(try await one.chat.blocked(by: ana) == [blocked])
            await #expect(throws: Refusal.self) { try await one.write("?", to: bo, by: ana) }
            await one.chat.runOnce()
            await one.signOut()
            try await two.write("Why?", to: ana, by: bo)
            await two.chat.runOnce()
            // The home takes him for a stranger again.
            let loads = try one.store.read { try $0.mailLoads(of: ana) }
            #expect(loads.contacts == MailLoad() && loads.strangers.envelopes == 1)
            try await one.signIn("ana")
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello", "Hello"])
            #expect(try Self.events("mail_dropped", one, ana).map(\.data) == [["blocked": "1"]])

            try await one.chat.unblock(bo.checksummed, by: ana)
            try await two.write("Again", to: ana, by: bo)
            await harness.runAll()
            #expect(try await one.messages(of: ana).last?.text == "Again")
            #expect(try await one.chat.blocked(by: ana).isEmpty)
        }
    }

    /// - From people: deleting a conversation twice → unknown_conversation
    @Test func `a deleted conversation is gone until a new message reopens it`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await one.write("Hello", to: bo, by: ana)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            #expect(try await one.conversations(of: ana).isEmpty)
            await #expect(throws: Refusal.self) { try await one.chat.delete(talk.id, of: ana) }
            try await two.write("Still there?", to: ana, by: bo)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Still there?"])
            // Numbers go on, so that nothing new is taken for a repeat.
            try await one.write("Yes", to: bo, by: ana)
            await harness.runAll()
            #expect(try await two.messages(of: bo).last?.text == "Yes")
        }
    }

    @Test func `a known sender's message waits if its conversation has no room`() async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        settings.conversationsMax = 1
        try await ChatHarness.pair(settings: settings) { harness, one, two, ana, bo in
            let eve = try await one.createAccount("eve")
            try await one.write("Hello", to: eve, by: ana)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            #expect(try await one.conversations(of: ana).count == 1)
            #expect(try one.store.read { try $0.mailLoads(of: ana).strangers.envelopes } == 1)
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            for _ in 0..<3 {
                harness.clock.advance(by: 700)
                await harness.runAll()
            }
            let texts = try await one.conversations(of: ana).compactMap(\.lastMessage?.text)
            #expect(texts == ["Hello"])
        }
    }

    /// - From peers: ten thousand conversations of one known sender → those that wait are tried
    ///   every ten minutes, and opened once there is room
    @Test func `does not open waiting mail until there is room`() async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        settings.conversationsMax = 1
        try await ChatHarness.pair(settings: settings) { harness, one, two, ana, bo in
            let eve = try await one.createAccount("eve")
            try await one.write("Hello", to: eve, by: ana)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            // Without them it would be dropped as soon as it is tried to open it.
            let prekeys = try await one.store.write { transaction in
                let held = try transaction.entries(Prekeys.self, .prefix(ana))
                for (key, _) in held { try transaction.remove(Prekeys.self, key) }
                return held
            }
            for _ in 0..<3 {
                harness.clock.advance(by: 700)
                await harness.runAll()
            }
            #expect(try one.store.read { try $0.mailLoads(of: ana).strangers.envelopes } == 1)
            try await one.store.write { transaction in
                for (key, entry) in prekeys { try transaction.put(Prekeys.self, key, entry) }
            }
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            harness.clock.advance(by: 700)
            await harness.runAll()
            let texts = try await one.conversations(of: ana).compactMap(\.lastMessage?.text)
            #expect(texts == ["Hello"])
        }
    }

    /// Envelopes that no key of the account opens.
    static func noise(
        _ count: Int,
        for account: Address,
        at node: ChatNode,
        _ harness: ChatHarness
    ) async throws -> [MailEnvelope] {
        let keys = try await node.mailStore.keys(of: account)
        let bundle = try PrekeyBundle(try #require(keys.bundles.first))
        return (0..<count).map { index in
            MailEnvelope(
                header: MailEnvelope.Header(
                    recipient: account,
                    device: DeviceCertificate.slot(of: bundle.device),
                    prekey: 7,
                    expiresAt: harness.now.advanced(by: .days(30))
                ),
                sealed: [UInt8](repeating: UInt8(index), count: Sealing.overheadBytes + 1_024)
            )
        }
    }

    /// A device of the account's that this test drives.
    static func phone(of account: Address, on node: ChatNode) async throws -> PrivateKey {
        let device = testKey("phone of \(account)")
        let key = try #require(await node.accounts.key(of: account))
        let certificate = try DeviceCertificate(key: device.publicKey, name: "phone")
        _ = try await node.recordService.publish(.device(certificate), by: key)
        return device
    }

    static func events(
        _ type: String,
        _ node: ChatNode,
        _ account: Address
    ) throws -> [Client.Event] {
        try node.store.read { try $0.events(of: account, after: 0, limit: 100).events }
            .map { try $0.event.shown($0.number) }
            .filter { $0.type == type }
    }
}

/// Sealed messages that the tests make by hand.
enum MailSample {
    static func envelope(
        from sender: Address,
        device: PrivateKey,
        text: String,
        listing: Bytes32? = nil,
        number: UInt64 = 1,
        to recipient: Address,
        at node: ChatNode,
        _ harness: ChatHarness
    ) async throws -> MailEnvelope {
        let message = MailMessage(
            network: "test",
            sender: sender,
            device: device.publicKey,
            recipient: recipient,
            listing: listing,
            number: number,
            sentAt: harness.now,
            body: .text(text)
        )
        return try await seal(message, by: device, for: recipient, at: node, harness)
    }

    /// Seals a message to the first device of an account of that node.
    static func seal(
        _ message: MailMessage,
        by device: PrivateKey,
        for account: Address,
        at node: ChatNode,
        _ harness: ChatHarness
    ) async throws -> MailEnvelope {
        let found = try await node.mailStore.keys(of: account)
        let bundle = try PrekeyBundle(try #require(found.bundles.first))
        let key = try #require(bundle.key(at: harness.now))
        let header = MailEnvelope.Header(
            recipient: account,
            device: DeviceCertificate.slot(of: bundle.device),
            prekey: key.id,
            expiresAt: harness.now.advanced(by: .days(30))
        )
        return try .seal(message.signed(by: device), under: header, to: key.key)
    }
}
