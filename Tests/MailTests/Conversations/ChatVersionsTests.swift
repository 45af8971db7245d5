import Client
import Concurrency
import Foundation
import Gossip
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

// What an account keeps of a message is seen by no caller of Mail, hence the testable import.
@testable import Mail

/// Mail of a kind that the recipient's version does not know.
@Suite(.timeLimit(.minutes(5)))
struct ChatVersionsTests {
    private static let picture = MailMessage.Body.unknown(
        UnknownMailBody(field: 40, content: Array("a picture".utf8))
    )

    /// Writes as a version that knows the kind does, which shows it as `text`.
    private static func write(
        _ body: MailMessage.Body,
        shownAs text: String,
        to other: Address,
        by account: Address,
        on node: ChatNode
    ) async throws {
        let unlocked = try await node.chat.unlockedAccount(account)
        let opening = ConversationOpening(with: other.checksummed)
        let id = try Chat.id(try await node.chat.open(opening, by: account).id)
        let date = node.chat.context.clock.now
        try await node.store.write { transaction in
            var kept = try #require(try transaction.conversation(id, of: unlocked))
            let message = StoredMessage(
                sender: account.checksummed,
                device: unlocked.slot.text,
                number: kept.lastNumber + 1,
                text: text,
                sentAt: date,
                state: .queued
            )
            _ = try unlocked.queue(
                body,
                shownAs: message,
                to: id,
                &kept,
                network: "test",
                at: date,
                in: &transaction
            )
        }
    }

    /// Messages of unknown kinds that a node stores for an account.
    private static func unknown(
        of account: Address,
        on node: ChatNode
    ) async throws -> [(key: MessageKey, message: StoredMessage)] {
        let unlocked = try await node.chat.unlockedAccount(account)
        return try node.store.read { transaction in
            try transaction.keys(UnknownMessages.self, .prefix(account)).map { key in
                (key, try #require(try transaction.message(at: key, of: unlocked)))
            }
        }
    }

    @Test func `keeps, acknowledges and shows mail of an unknown kind`()
        async throws
    {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await two.write("Look:", to: ana, by: bo)
            try await Self.write(Self.picture, shownAs: "(picture)", to: ana, by: bo, on: two)
            await harness.runAll()
            let received = try await one.messages(of: ana)
            #expect(received.map(\.kind) == ["text", "unknown"])
            #expect(received.map(\.text) == ["Look:", ""])
            #expect(received.map(\.state) == ["received", "received"])
            let talk = try #require(try await one.conversations(of: ana).first)
            #expect(talk.unread == 2 && talk.lastMessage?.kind == "unknown")
            let loads = try one.store.read { try $0.mailLoads(of: ana) }
            #expect(loads.contacts == MailLoad() && loads.strangers == MailLoad())

            let sent = try await two.messages(of: bo)
            #expect(sent.map(\.state) == ["delivered", "not_understood"])
            #expect(sent.map(\.text) == ["Look:", "(picture)"])
            let end = Timestamp(milliseconds: .max)
            #expect(try two.store.read { try $0.outboxTimes(until: end) }.isEmpty)
            // What shows no more than that there is something is not read.
            try await one.readAll(talk.id, by: ana)
            await harness.runAll()
            #expect(try await two.messages(of: bo).map(\.state) == ["read", "not_understood"])
        }
    }

    @Test func `a receipt for a message not understood is a separate event`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await Self.write(Self.picture, shownAs: "(picture)", to: ana, by: bo, on: two)
            await harness.runAll()
            let told = try ChatStrangerTests.events("receipt", two, bo)
            #expect(told.map(\.data) == [["state": "not_understood"]])
        }
    }

    @Test func `a newer version reads stored mail and notifies the sender`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await Self.write(Self.picture, shownAs: "(picture)", to: ana, by: bo, on: two)
            await harness.runAll()
            let stored = try #require(try await Self.unknown(of: ana, on: one).first)
            let kept = try SignedMail([UInt8](try #require(stored.message.mail)))
            #expect(try kept.verified(for: ana, network: "test").body == Self.picture)

            // After a start of the same version nothing changes.
            await MailReceiver(one.chat.context, client: one.chat.client).runPass()
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.kind) == ["unknown"])
            #expect(try await two.messages(of: bo).map(\.state) == ["not_understood"])

            // To a newer version the stored bytes are what a text is to this one.
            try await Self.replace(kept.message, by: "A picture", stored.key, of: ana, one, two)
            await MailReceiver(one.chat.context, client: one.chat.client).runPass()
            #expect(try await one.messages(of: ana).map(\.kind) == ["text"])
            #expect(try await one.messages(of: ana).map(\.text) == ["A picture"])
            #expect(try await Self.unknown(of: ana, on: one).isEmpty)
            await harness.runAll()
            #expect(try await two.messages(of: bo).map(\.state) == ["delivered"])
            let told = try ChatStrangerTests.events("receipt", two, bo)
            #expect(told.map(\.data) == [["state": "not_understood"], ["state": "delivered"]])
        }
    }

    /// Replaces the bytes that node one stores of a message by those of a text.
    private static func replace(
        _ message: MailMessage,
        by text: String,
        _ key: MessageKey,
        of account: Address,
        _ one: ChatNode,
        _ sending: ChatNode
    ) async throws {
        let sender = try await sending.chat.unlockedAccount(message.sender)
        let signed = try MailMessage(
            network: message.network,
            sender: message.sender,
            device: message.device,
            recipient: message.recipient,
            listing: message.listing,
            number: message.number,
            sentAt: message.sentAt,
            body: .text(text)
        ).signed(by: sender.device)
        let unlocked = try await one.chat.unlockedAccount(account)
        try await one.store.write { transaction in
            var stored = try #require(try transaction.message(at: key, of: unlocked))
            stored.mail = Data(signed.bytes)
            try unlocked.replaceMessage(stored, at: key, in: &transaction)
        }
    }

    @Test(arguments: [(20, 10, 16), (3, 32_000, 2)])
    func `messages of unknown kinds count towards a stranger's limits`(
        count: UInt64,
        byteCount: Int,
        keptCount: Int
    ) async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            let phone = try await ChatStrangerTests.phone(of: bo, on: two)
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            for number in 1...count {
                let content = [UInt8](repeating: UInt8(number), count: byteCount)
                let message = MailMessage(
                    network: "test",
                    sender: bo,
                    device: phone.publicKey,
                    recipient: ana,
                    listing: nil,
                    number: number,
                    sentAt: harness.now,
                    body: .unknown(UnknownMailBody(field: 40, content: content))
                )
                let envelope = try await MailSample.seal(
                    message,
                    by: phone,
                    for: ana,
                    at: one,
                    harness
                )
                _ = try await two.exchange.deposit([envelope], at: one.links.localPeer)
            }
            await harness.runAll()
            let request = try #require(try await one.requests(of: ana).first)
            #expect(request.isRequest && request.lastMessage?.kind == "unknown")
            #expect(try await one.messages(of: ana).count == keptCount)
            #expect(try await Self.unknown(of: ana, on: one).count == keptCount)
            let held = try one.store.read { try $0.requests(of: ana) }
            #expect(held.values.map(\.bytes) == [UInt64(keptCount * byteCount)])
            let dropped = try ChatStrangerTests.events("mail_dropped", one, ana)
            #expect(dropped.map(\.data) == [["over_limits": "\(Int(count) - keptCount)"]])
            // Nothing of it is left when the conversation goes.
            try await one.chat.delete(request.id, of: ana)
            #expect(try await Self.unknown(of: ana, on: one).isEmpty)
        }
    }

    @Test func `shows mail from the account's newer node and sends no receipt`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
        let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let three = try await harness.start("three", in: folders[2])
            let ana = try await one.createAccount("ana", phrase: phrase)
            _ = try await three.createAccount("ana", phrase: phrase)
            let bo = try await two.createAccount("bo")
            await harness.runAll()
            try await Self.write(Self.picture, shownAs: "(picture)", to: bo, by: ana, on: three)
            await harness.runAll()
            let shown = try #require(try await one.messages(of: ana).first)
            #expect(shown.kind == "unknown" && shown.state == "sent")
            #expect(shown.sender == ana.checksummed)

            let stored = try #require(try await Self.unknown(of: ana, on: one).first)
            let kept = try SignedMail([UInt8](try #require(stored.message.mail)))
            try await Self.replace(kept.message, by: "A picture", stored.key, of: ana, one, three)
            await MailReceiver(one.chat.context, client: one.chat.client).runPass()
            #expect(try await one.messages(of: ana).map(\.text) == ["A picture"])
            let unlocked = try await one.chat.unlockedAccount(ana)
            let talk = try one.store.read {
                try $0.conversation(stored.key.conversation, of: unlocked)
            }
            #expect(try #require(talk).owed.isEmpty)
        }
    }
}
