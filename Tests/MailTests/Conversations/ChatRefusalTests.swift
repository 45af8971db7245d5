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

/// What strangers and faults do to chats: nothing that lasts.
@Suite(.timeLimit(.minutes(5)))
struct ChatRefusalTests {
    /// A message of Bo's, or of who claims to be Bo, to Ana's device.
    private static func envelope(
        from sender: Address,
        device: PrivateKey,
        text: String,
        number: UInt64 = 1,
        to ana: Address,
        at node: ChatNode,
        now: Timestamp
    ) async throws -> MailEnvelope {
        let found = try await node.mailStore.keys(of: ana)
        let bundle = try PrekeyBundle(try #require(found.bundles.first))
        let key = try #require(bundle.key(at: now))
        let mail = try MailMessage(
            network: "test",
            sender: sender,
            device: device.publicKey,
            recipient: ana,
            listing: nil,
            number: number,
            sentAt: now,
            body: .text(text)
        ).signed(by: device)
        let header = MailEnvelope.Header(
            recipient: ana,
            device: DeviceCertificate.slot(of: bundle.device),
            prekey: key.id,
            expiresAt: now.advanced(by: .days(30))
        )
        return try .seal(mail, under: header, to: key.key)
    }

    private static func now(_ harness: ChatHarness) -> Timestamp {
        Timestamp(milliseconds: UInt64(harness.clock.now.timeIntervalSince1970 * 1_000))
    }

    /// - From peers: a message in another account's name → not shown
    @Test func `hides a message from a device that its account has not certified`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let forged = try await Self.envelope(
                from: bo,
                device: testKey("thief"),
                text: "Send the money to my new address",
                to: ana,
                at: one,
                now: Self.now(harness)
            )
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            let refusals = try await two.exchange.deposit([forged], at: one.links.localPeer)
            #expect(refusals.isEmpty)
            for _ in 0..<12 {
                await harness.runAll(times: 1)
                harness.clock.advance(by: 2_000)
            }

            #expect(try await one.conversations(of: ana).isEmpty)
            let devices = try await one.mailStore.keys(of: ana)
            let bundle = try PrekeyBundle(try #require(devices.bundles.first))
            let slot = DeviceCertificate.slot(of: bundle.device)
            let waiting = try one.store.read { try $0.envelopes(for: ana, device: slot, limit: 9) }
            #expect(waiting.isEmpty)
        }
    }

    @Test func `shows a message only once if it is deposited or sealed again`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            // A device of Bo's, certified by him, but driven by this test.
            let device = testKey("bo's phone")
            let key = try #require(await two.accounts.key(of: bo))
            let certificate = try DeviceCertificate(key: device.publicKey, name: "phone")
            _ = try await two.recordService.publish(.device(certificate), by: key)
            try await two.exchange.reach(one.links.localPeer, at: [one.links.address])
            for _ in 0..<2 {
                let envelope = try await Self.envelope(
                    from: bo,
                    device: device,
                    text: "Hello",
                    to: ana,
                    at: one,
                    now: Self.now(harness)
                )
                for _ in 0..<2 {
                    let home = one.links.localPeer
                    let refusals = try await two.exchange.deposit([envelope], at: home)
                    #expect(refusals.isEmpty)
                }
                await harness.runAll()
            }

            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
        }
    }

    /// - From peers: mail collection by a stranger → refused
    @Test func `refuses to let a stranger collect mail from a home`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            await one.signOut()
            try await two.write("Hello", to: ana, by: bo)
            await two.chat.runOnce()
            let home = one.links.localPeer
            try await two.exchange.reach(home, at: [one.links.address])
            let known = try await one.mailStore.keys(of: ana)
            let slot = DeviceCertificate.slot(
                of: try PrekeyBundle(try #require(known.bundles.first)).device
            )
            let stranger = testKey("stranger")
            await #expect(throws: MailRefusal.unknownDevice) {
                try await two.exchange.collect(ana, device: stranger, from: home) { _ in true }
            }
            let stream = try await two.links.open(protocols: [MailExchange.protocolID], to: home)
            var answers = stream.messages(bytesMax: 400_000)
            var heard: [MailAnswer] = []
            for question in [
                .collect(after: 0), .acknowledge([1]), .open(ana, device: slot),
                .prove(stranger.sign(slot)), .collect(after: 0),
            ] as [MailQuestion] {
                try await stream.writeMessage(question.bytes)
                let answer = try #require(try await answers.next())
                heard.append(try MailAnswer(answer, limits: MailLimits()))
            }
            #expect(heard[0] == .refused(.notProved) && heard[1] == .refused(.notProved))
            #expect(heard[3] == .refused(.notProved) && heard[4] == .refused(.notProved))
            let waiting = try one.store.read { try $0.envelopes(for: ana, device: slot, limit: 9) }
            #expect(waiting.count == 1)
        }
    }

    @Test func `garbage ends only its stream`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let home = one.links.localPeer
            try await two.exchange.reach(home, at: [one.links.address])
            let stream = try await two.links.open(protocols: [MailExchange.protocolID], to: home)
            try await stream.writeMessage([0xFF, 0xFF, 1])
            var answers = stream.messages(bytesMax: 400_000)
            await #expect(throws: LinkError.streamReset) { try await answers.next() }

            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
        }
    }

    /// - From peers: mail over quota → refused; it waits at its sender
    @Test func `mail over quota waits at the sender until there is room`() async throws {
        var limits = StoreLimits()
        limits.depositorEnvelopesMax = 2
        try await ChatHarness.pair(limits: limits) { harness, one, two, ana, bo in
            await one.signOut()
            for number in 1...3 { try await two.write("\(number)", to: ana, by: bo) }
            await two.chat.runOnce()
            let first = try await two.messages(of: bo)
            #expect(first.filter { $0.state == "sent" }.count == 2)
            let refused = try #require(first.first { $0.state == "queued" })
            #expect(refused.problem?.contains("is already waiting there") == true)

            try await one.signIn("ana")
            for _ in 0..<4 { await harness.runAll() }
            #expect(Set(try await one.messages(of: ana).map(\.text)) == ["1", "2", "3"])
            let last = try await two.messages(of: bo)
            #expect(last.allSatisfy { $0.state == "delivered" && $0.problem == nil })
        }
    }

    /// - From people: a node that keeps mail only for its own accounts → home_refused
    @Test func `a node that accepts no guests' mail says so`() async throws {
        try await ChatHarness.pair(withThird: true, acceptsHomes: false) {
            harness,
            one,
            _,
            ana,
            _ in
            func refusal(_ address: String) async -> Refusal? {
                do {
                    _ = try await one.chat.homes.add(HomeRequest(address: address), for: ana)
                    return nil
                } catch {
                    return error as? Refusal
                }
            }
            let third = try harness.node("three")
            let refused = await refusal(third.address)
            #expect(refused?.code == .homeRefused)
            #expect(refused?.detail.contains("keeps mail only for its own accounts") == true)
            #expect(await refusal("/ip4/127.0.0.1/tcp/1")?.code == .malformedValue)
            #expect(await refusal(one.address)?.code == .malformedValue)
            await harness.stop(third)
            #expect(await refusal(third.address)?.code == .peerUnreachable)
            #expect(try await one.chat.homes.all(of: ana).map(\.isThisNode) == [true])
        }
    }

    @Test func `a message that no home accepts within thirty days fails`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            await harness.stop(one)
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            harness.clock.advance(by: 31 * 86_400)
            await harness.runAll()
            let message = try #require(try await two.messages(of: bo).first)
            #expect(message.state == "failed")
            #expect(message.problem?.contains("Send it again") == true)
            let outbox = try two.store.read {
                try $0.outboxTimes(until: Timestamp(milliseconds: .max))
            }
            #expect(outbox.isEmpty)
        }
    }

    @Test func `replaces prekeys weekly and deletes old private keys on time`()
        async throws
    {
        try await ChatHarness.pair { harness, one, _, ana, _ in
            func bundle() async throws -> PrekeyBundle {
                try PrekeyBundle(try #require(try await one.mailStore.keys(of: ana).bundles.first))
            }
            func privateHalves() throws -> Set<UInt32> {
                var ids: Set<UInt32> = []
                try one.store.read { transaction in
                    try transaction.scanKeys(Prekeys.self, .prefix(ana)) { key in
                        ids.insert(key.second)
                        return true
                    }
                }
                return ids
            }
            let first = try await bundle()
            let firstKey = try #require(first.key(at: Self.now(harness)))
            #expect(first.keys.map(\.isLastResort).sorted { !$0 && $1 } == [false, true])
            harness.clock.advance(by: 6 * 86_400)
            await one.chat.runOnce()
            #expect(try await bundle() == first)
            harness.clock.advance(by: 86_400 + 1)
            await one.chat.runOnce()
            let second = try await bundle()
            #expect(second.key(at: Self.now(harness)) != firstKey)
            #expect(try privateHalves().isSuperset(of: [firstKey.id]))
            // Valid for 14 days, and kept for 30 more.
            harness.clock.advance(by: 38 * 86_400)
            await one.chat.runOnce()
            #expect(try !privateHalves().contains(firstKey.id))
        }
    }
}
