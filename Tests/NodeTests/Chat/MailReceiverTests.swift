import Client
import Gossip
import Keys
import Market
import Node
import Storage
import Support
import Synchronization
import Testing

/// Mail of senders who become known to the recipient's node only after it has come.
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
            device: ChatNode.key("phone of \(bo)"),
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
        let one = harness.state.withLock { $0.up.removeValue(forKey: "one") }
        _ = try await ChatStrangerTests.phone(of: bo, on: two)
        harness.state.withLock { $0.up["one"] = one }
    }

    private static func waiting(for ana: Address, at one: ChatNode) throws -> UInt64 {
        try one.store.read { transaction in
            let keys = try transaction.mailLoads().strangers.envelopes
            // What has been opened once takes nothing of the part for other strangers' mail.
            #expect(try transaction.mailLoads(of: ana).strangers == MailLoad())
            return keys
        }
    }

    @Test func `mail of a sender who is found minutes later arrives`() async throws {
        try await ChatTests.pair(strangers: true) { harness, one, two, ana, bo in
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

    @Test func `mail whose sender nobody knows is dropped after eight lookups`() async throws {
        try await ChatTests.pair(strangers: true) { harness, one, two, ana, bo in
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
    func `while nobody can be asked, no mail is dropped for its sender`(
        isAlone: Bool
    ) async throws {
        var settings = ChatSettings(network: "test", deviceName: "test")
        if !isAlone { settings.lookupsMax = 0 }
        try await ChatTests.pair(settings: settings, strangers: true) {
            harness,
            one,
            two,
            ana,
            bo in
            try await Self.send(harness, from: bo, on: two, to: ana, at: one)
            if isAlone { await harness.disconnect(one, two) }
            await harness.runAll(times: 300)
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
}
