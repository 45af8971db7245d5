import Answers
import Client
import Foundation
import Gossip
import GossipProtocol
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// What an account keeps of others, and what of it others can make grow.
@Suite(.timeLimit(.minutes(5)))
struct ChatContactsTests {
    /// An account, and a device of it that the test drives.
    private struct Writer {
        let account: Address
        let device: PrivateKey
        let node: ChatNode
    }

    private static func settings(_ change: (inout ChatSettings) -> Void) -> ChatSettings {
        var settings = ChatSettings(network: "test", deviceName: "test")
        change(&settings)
        return settings
    }

    private static func writer(_ account: Address, on node: ChatNode) async throws -> Writer {
        let device = try await ChatStrangerTests.phone(of: account, on: node)
        return Writer(account: account, device: device, node: node)
    }

    /// Seals a message of the writer's for an account on `home`, and deposits it there.
    private static func send(
        _ body: MailMessage.Body,
        _ number: UInt64,
        about listing: Bytes32? = nil,
        from writer: Writer,
        to recipient: Address,
        for account: Address? = nil,
        at home: ChatNode,
        _ harness: ChatHarness
    ) async throws {
        let message = MailMessage(
            network: "test",
            sender: writer.account,
            device: writer.device.publicKey,
            recipient: recipient,
            listing: listing,
            number: number,
            sentAt: harness.now,
            body: body
        )
        let envelope = try await MailSample.seal(
            message,
            by: writer.device,
            for: account ?? recipient,
            at: home,
            harness
        )
        try await writer.node.exchange.reach(home.links.localPeer, at: [home.links.address])
        let peer = home.links.localPeer
        let refusals = try await writer.node.exchange.deposit([envelope], at: peer)
        #expect(refusals.isEmpty)
    }

    private static func rows<T: Table>(
        _ table: T.Type,
        of account: Address,
        on node: ChatNode
    ) throws -> Int where T.Key == CompositeKey<Address, Bytes32> {
        var count = 0
        try node.store.read { transaction in
            try transaction.scanKeys(table, .prefix(account)) { _ in
                count += 1
                return true
            }
        }
        return count
    }

    /// - From peers: strangers that come and go → only their requests are kept
    @Test func `forgets a stranger once its last request is gone`() async throws {
        var limits = StoreLimits()
        limits.requestsMax = 2
        try await ChatHarness.pair(limits: limits, strangers: true) { harness, one, two, ana, bo in
            for name in ["c", "d", "e"] {
                let other = try await one.createAccount(name)
                try await one.write("from \(name)", to: ana, by: other)
                await harness.runAll()
            }
            #expect(try Self.rows(Contacts.self, of: ana, on: one) == 2)
            for request in try await one.requests(of: ana) {
                try await one.chat.delete(request.id, of: ana)
            }
            #expect(try Self.rows(Contacts.self, of: ana, on: one) == 0)
            // Blocked, it is known; let in again, no more.
            _ = try await one.chat.block(bo.checksummed, by: ana)
            #expect(try Self.rows(BlockedContacts.self, of: ana, on: one) == 1)
            try await one.chat.unblock(bo.checksummed, by: ana)
            #expect(try Self.rows(BlockedContacts.self, of: ana, on: one) == 0)
            #expect(try Self.rows(Contacts.self, of: ana, on: one) == 0)
        }
    }

    /// - From peers: receipts from strangers → dropped, counted; nothing is kept
    @Test func `drops a stranger's receipt without a trace`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let writer = try await Self.writer(bo, on: two)
            var numbers = NumberRanges()
            numbers.insert(1)
            let mark = MailMark(device: .zero, delivered: numbers, readThrough: 0)
            try await Self.send(.receipt([mark]), 1, from: writer, to: ana, at: one, harness)
            await harness.runAll()
            #expect(try Self.rows(Contacts.self, of: ana, on: one) == 0)
            let told = try ChatStrangerTests.events("mail_dropped", one, ana)
            #expect(told.map(\.data) == [["over_limits": "1"]])
        }
    }

    /// - From peers: more conversations by one known sender than it may begin → they wait in the
    ///   mailbox
    @Test func `limits conversations per accepted account and leaves room for others`()
        async throws
    {
        let settings = Self.settings { $0.conversationsWithOneMax = 2 }
        try await ChatHarness.pair(settings: settings) { harness, one, two, ana, bo in
            let writer = try await Self.writer(bo, on: two)
            for number in 1...3 as ClosedRange<UInt64> {
                let slot = Keccak256.hash("listing \(number)".utf8)
                let body = MailMessage.Body.text("\(number)")
                try await Self.send(body, 1, about: slot, from: writer, to: ana, at: one, harness)
            }
            await harness.runAll()
            #expect(try await one.conversations(of: ana).count == 2)
            // The third waits.
            #expect(try one.store.read { try $0.mailLoads(of: ana).strangers.envelopes } == 1)
            let refusal = await #expect(throws: Refusal.self) {
                try await one.chat.open(ConversationOpening(with: bo.checksummed), by: ana)
            }
            #expect(refusal?.code == .notAllowed)
            let eve = try await one.createAccount("eve")
            try await one.write("Hello", to: eve, by: ana)
            #expect(try await one.conversations(of: ana).count == 3)
        }
    }

    /// - From peers: thousands of requests in the event log → 32 an hour are reported
    @Test func `strangers do not fill an account's event log`() async throws {
        let settings = Self.settings { $0.requestEventsMax = 2 }
        try await ChatHarness.pair(settings: settings, strangers: true) {
            harness,
            one,
            two,
            ana,
            bo in
            for number in 1...4 { try await two.write("\(number)", to: ana, by: bo) }
            await harness.runAll()
            #expect(try await one.messages(of: ana).count == 4)
            #expect(try ChatStrangerTests.events("message", one, ana).count == 2)
            harness.clock.advance(by: 3_601)
            try await two.write("5", to: ana, by: bo)
            await harness.runAll()
            #expect(try ChatStrangerTests.events("message", one, ana).count == 3)
        }
    }

    @Test func `a request stays unanswered while there is no room for the answer`() async throws {
        let settings = Self.settings { $0.conversationsMax = 1 }
        try await ChatHarness.pair(settings: settings, strangers: true) {
            harness,
            one,
            two,
            ana,
            bo in
            let eve = try await one.createAccount("eve")
            try await one.write("Hello", to: eve, by: ana)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            // Ana answers on her phone, in a conversation that has no place here.
            let phone = try await Self.writer(ana, on: one)
            let slot = Keccak256.hash("listing".utf8)
            try await Self.send(
                .text("Yes?"),
                1,
                about: slot,
                from: phone,
                to: bo,
                for: ana,
                at: one,
                harness
            )
            await harness.runAll()
            #expect(try await one.requests(of: ana).map(\.with) == [bo.checksummed])
        }
    }

    @Test func `counts texts sent from another node until they are answered`()
        async throws
    {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let phone = try await Self.writer(ana, on: one)
            for number in 1...16 as ClosedRange<UInt64> {
                let body = MailMessage.Body.text("\(number)")
                try await Self.send(body, number, from: phone, to: bo, for: ana, at: one, harness)
            }
            await harness.runAll()
            #expect(try await one.messages(of: ana).count == 16)
            let refusal = await #expect(throws: Refusal.self) {
                try await one.write("17", to: bo, by: ana)
            }
            #expect(refusal?.detail.contains("has not answered yet") == true)
        }
    }

    /// - From peers: a copy of a deleted message → dropped
    @Test(arguments: [true, false])
    func `a copy of a deleted message does not reopen the conversation`(
        strangers: Bool
    ) async throws {
        try await ChatHarness.pair(strangers: strangers) { harness, one, two, ana, bo in
            let writer = try await Self.writer(bo, on: two)
            func send(_ text: String, _ number: UInt64) async throws {
                try await Self.send(.text(text), number, from: writer, to: ana, at: one, harness)
                await harness.runAll()
            }
            try await send("Hello", 1)
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.chat.delete(talk.id, of: ana)
            // Sealed anew, it is another envelope with the same message.
            try await send("Hello", 1)
            #expect(try await one.conversations(of: ana).isEmpty)
            try await send("Still there?", 2)
            #expect(try await one.messages(of: ana).map(\.text) == ["Still there?"])
            try await one.chat.delete(talk.id, of: ana)
            #expect(try Self.rows(DeletedConversations.self, of: ana, on: one) == 1)
            // No copy is older than mail can be.
            harness.clock.advance(by: 31 * 86_400)
            await harness.runAll()
            // Of one in which this node has used numbers itself, by a receipt, those stay.
            let kept = try Self.rows(DeletedConversations.self, of: ana, on: one)
            #expect(kept == (strangers ? 0 : 1))
        }
    }

    @Test func `a slow deposit does not start over with the first envelope`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            var mailLimits = ChatNode.mailLimits
            // Room for one envelope with its work in a stream, and not for a second.
            mailLimits.questionsMax = 3
            let one = try await harness.start("one", in: folders[0], mailLimits: mailLimits)
            let two = try await harness.start("two", in: folders[1])
            let (ana, bo) = (try await one.createAccount("ana"), try await two.createAccount("bo"))
            let phone = try await Self.writer(ana, on: one)
            let prekeys = try #require(try await one.mailStore.keys(of: ana).bundles.first)
            let bundle = try PrekeyBundle(
                network: "test",
                account: ana,
                createdAt: harness.now,
                keys: try PrekeyBundle(prekeys).keys,
                signedBy: phone.device
            )
            try await one.mailStore.keep(bundle, at: harness.now)
            await one.signOut()
            try await two.write("Hello", to: ana, by: bo)
            for _ in 0..<4 {
                await two.chat.runOnce()
                harness.clock.advance(by: 100)
            }
            let waiting = try one.store.read { try $0.mailLoads(of: ana).strangers.envelopes }
            #expect(waiting == 2)
            let outbox = try two.store.read {
                try $0.outboxTimes(until: Timestamp(milliseconds: .max))
            }
            #expect(outbox.isEmpty)
        }
    }

    @Test func `a home confirms a held envelope even if strangers' room is full`()
        async throws
    {
        var limits = StoreLimits()
        (limits.strangersEnvelopesMax, limits.originEnvelopesMax) = (2, 2)
        try await ChatHarness.pair(limits: limits) { harness, one, two, ana, bo in
            await one.signOut()
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            let noise = try await ChatStrangerTests.noise(3, for: ana, at: one, harness)
            let home = one.links.localPeer
            for _ in 0..<2 {
                let refusals = try await two.exchange.deposit(noise, at: home)
                #expect(refusals == [noise[2].hash: .strangersOverQuota])
            }
        }
    }

    /// - From peers: more ended grants than a home remembers of one account → refused; reported to
    ///   the account once a day, and tried again once they change
    @Test func `repeats grants to a full home when they change`() async throws {
        var limits = StoreLimits()
        limits.endedGrantsMax = 1
        try await ChatHarness.pair(limits: limits) { harness, one, two, ana, bo in
            let eve = try await one.createAccount("eve")
            func refused() throws -> [[String: String]] {
                try ChatStrangerTests.events("grants_refused", one, ana).map(\.data)
            }
            _ = try await one.chat.block(bo.checksummed, by: ana)
            await harness.runAll()
            #expect(try refused().isEmpty)
            _ = try await one.chat.block(eve.checksummed, by: ana)
            await harness.runAll(times: 9)
            let data = ["home": one.links.localPeer.text, "reason": "too_many_grants"]
            #expect(try refused() == [data])
            try await one.chat.unblock(eve.checksummed, by: ana)
            await harness.runAll()
            _ = try await one.chat.block(eve.checksummed, by: ana)
            await harness.runAll()
            #expect(try refused() == [data, data])
            harness.clock.advance(by: 86_401)
            await harness.runAll()
            #expect(try refused() == [data, data, data])
        }
    }

    @Test func `applies its store's limits to others' mail`() {
        var limits = StoreLimits()
        (limits.homedAccountsMax, limits.endedGrantsMax) = (3, 7)
        let mail = MailLimits(limits)
        #expect(mail.leasesMax == 3 && mail.endedGrantsMax == 7)
        #expect(MailLimits(StoreLimits()).endedGrantsMax == MailLimits().endedGrantsMax)
    }
}
