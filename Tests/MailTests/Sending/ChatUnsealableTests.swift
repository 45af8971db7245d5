import Client
import Foundation
import Gossip
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing
import WireMessages

// A device's key is seen by no caller of Mail, hence the testable import.
@testable import Mail

/// Accounts whose devices say that mail is to be sealed to what is no key.
@Suite(.timeLimit(.minutes(5)))
struct ChatUnsealableTests {
    /// - From peers: hundreds of messages or receipts that cannot be sealed or delivered → each is
    ///   put off and ends at its expiry; accounts and recipients take turns
    @Test func `unsealable mail delays no other mail and ends at its expiry`() async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        (settings.batchMax, settings.recipientBatchMax) = (4, 2)
        try await ChatHarness.pair(settings: settings) { harness, one, two, ana, bo in
            let (cy, dee) = (
                try await two.createAccount("cy"), try await one.createAccount("dee")
            )
            await harness.runAll()
            // Bo's node owes a receipt for it.
            try await one.write("Hello", to: bo, by: ana)
            await one.chat.runOnce()
            try await Self.poison(ana, at: one, harness)
            await one.signOut()
            for number in 1...9 { try await two.write("\(number)", to: ana, by: bo) }
            try await two.write("Are you there?", to: dee, by: cy)
            try await two.write("And you?", to: dee, by: bo)
            for _ in 0..<2 { await two.chat.runOnce() }
            #expect(try await two.messages(of: cy).map(\.state) == ["sent"])
            let toDee = try #require(
                try await two.conversations(of: bo).first { $0.with == dee.checksummed }
            )
            #expect(toDee.lastMessage?.state == "sent")
            #expect(try Self.outbox(of: two).count == 10)

            await harness.stop(one)
            harness.clock.advance(by: 31 * 86_400)
            for _ in 0..<8 {
                harness.clock.advance(by: 700)
                await two.chat.runOnce()
            }
            #expect(try Self.outbox(of: two).isEmpty)
            let toAna = try #require(
                try await two.conversations(of: bo).first { $0.with == ana.checksummed }
            )
            let own = try await two.chat.messages(in: toAna.id, of: bo, limit: 100)
                .filter { $0.sender == bo.checksummed }
            #expect(own.count == 9 && own.allSatisfy { $0.state == "failed" })
        }
    }

    @Test func `does not repeat a failed attempt in the next pass`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            try await Self.poison(ana, at: one, harness)
            await one.signOut()
            try await two.write("Hello", to: ana, by: bo)
            await two.chat.runOnce()
            // One that cannot be read is in nobody's way either.
            try await Self.putUnreadable(for: bo, at: two, harness.now)
            for _ in 0..<3 { await two.chat.runOnce() }
            #expect(try Self.attempts(at: two) == [1, 1])
        }
    }

    /// - From peers: a prekey bundle with an unusable key → refused; one that is already stored
    ///   counts as missing
    @Test func `a home refuses a bundle to which no mail can be sealed`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, _ in
            let home = one.links.localPeer
            try await two.exchange.reach(home, at: [one.links.address])
            let stream = try await two.links.open(protocols: [MailExchange.protocolID], to: home)
            var answers = stream.messages(bytesMax: 400_000)
            let held = try await one.mailStore.keys(of: ana).bundles
            let bundle = try await Self.poisoned(ana, at: one, harness)
            var frame = MailQuestionFrame()
            frame.publish.bundle = Data(bundle.bytes)
            try await stream.writeMessage(CanonicalMessage.bytes(of: frame))
            let answer = try? await answers.next()
            #expect(answer == nil)
            #expect(try await one.mailStore.keys(of: ana).bundles == held)
        }
    }

    /// Replaces the account's bundle at its home with one that no client can seal to.
    private static func poison(
        _ account: Address,
        at node: ChatNode,
        _ harness: ChatHarness
    ) async throws {
        let bundle = try await poisoned(account, at: node, harness)
        let isKept = try await node.store.write {
            try $0.putPrekeyBundle(
                bundle.bytes,
                of: account,
                device: DeviceCertificate.slot(of: bundle.device),
                createdAt: bundle.createdAt,
                newestMax: bundle.createdAt
            )
        }
        #expect(isKept)
    }

    /// A bundle of the account's device with a key whose half for X25519 is zero.
    private static func poisoned(
        _ account: Address,
        at node: ChatNode,
        _ harness: ChatHarness
    ) async throws -> (bytes: [UInt8], device: PublicKey, createdAt: Timestamp) {
        let device = try await node.chat.unlockedAccount(account).device
        let createdAt = harness.now.advanced(by: .seconds(1))
        var key = WirePrekey()
        key.id = 1
        key.key = Data(Prekey.random().publicKey.bytes.dropLast(32)) + Data(count: 32)
        key.validUntilMs = createdAt.advanced(by: .days(90)).milliseconds
        var wire = WirePrekeyStatement()
        wire.network = "test"
        wire.account = Data(account.bytes)
        wire.device = Data(device.publicKey.compressed)
        wire.createdAtMs = createdAt.milliseconds
        wire.prekeys = [key]
        let statement = CanonicalMessage.bytes(of: wire)
        var bundle = WirePrekeyBundle()
        bundle.statement = Data(statement)
        bundle.signature = Data(device.sign(statement, as: .prekeys).bytes)
        let bytes = CanonicalMessage.bytes(of: bundle)
        #expect(throws: MailFault.noKey) { try PrekeyBundle(bytes) }
        return (bytes, device.publicKey, createdAt)
    }

    private static func putUnreadable(
        for account: Address,
        at node: ChatNode,
        _ now: Timestamp
    ) async throws {
        let entry = OutboxEntry(
            nextAttemptAt: now,
            expiresAt: now.advanced(by: .days(30)),
            destination: OutboxDestination(recipient: .zero, isOfSale: false),
            bytes: [1, 2, 3]
        )
        let id = Bytes32(repeating: 7)
        try await node.store.write { try $0.putOutbox(entry, of: account, id: id) }
    }

    /// How often each piece of mail in the outbox was tried.
    private static func attempts(at node: ChatNode) throws -> [UInt32] {
        try node.store.read { transaction in
            try transaction.outboxTimes(until: Timestamp(milliseconds: .max)).compactMap {
                try transaction.outboxEntry(of: $0.name.account, id: $0.name.id)?.attempts
            }
        }
    }

    private static func outbox(of node: ChatNode) throws -> [OutboxName] {
        try node.store.read { try $0.outboxTimes(until: Timestamp(milliseconds: .max)).map(\.name) }
    }
}
