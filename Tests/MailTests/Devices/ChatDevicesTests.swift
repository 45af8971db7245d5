import AccountAccess
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

/// Accounts on several nodes, and nodes that come and go.
@Suite(.timeLimit(.minutes(5)))
struct ChatDevicesTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test func `an account sees the same on its two nodes and lists both as homes`()
        async throws
    {
        let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let three = try await harness.start("three", in: folders[2])
            let ana = try await one.createAccount("ana", phrase: Self.phrase)
            let again = try await three.createAccount("ana", phrase: Self.phrase)
            let bo = try await two.createAccount("bo")
            #expect(ana == again)
            await harness.runAll()

            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            for node in [one, three] {
                #expect(try await node.messages(of: ana).map(\.text) == ["Hello"])
            }
            try await one.write("Good morning", to: bo, by: ana)
            await harness.runAll()
            #expect(try await three.messages(of: ana).map(\.text) == ["Hello", "Good morning"])
            #expect(try await two.messages(of: bo).map(\.text) == ["Hello", "Good morning"])

            // Both nodes agree on the profile and leave it alone.
            let published = harness.publishedCount
            await harness.runAll()
            #expect(harness.publishedCount == published)
            for node in [one, three] {
                let homes = try await node.chat.homes.all(of: ana)
                let peers = [one, three].map(\.links.localPeer.text)
                #expect(Set(homes.map(\.peer)) == Set(peers))
                #expect(homes.first?.peer == node.links.localPeer.text)
            }
        }
    }

    @Test func `two concurrent passes open all mail sealed to the node`() async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let made = try await AccountCreator(for: one.accounts).create(
                AccountCreation(name: "ana", password: "a password")
            )
            try await one.signIn("ana")
            let ana = try Address(text: made.account.address)
            await withDiscardingTaskGroup { group in
                for _ in 0..<8 { group.addTask { await one.chat.runOnce() } }
            }
            let bo = try await two.createAccount("bo")
            try await two.write("Hello", to: ana, by: bo)
            await harness.runAll()
            #expect(try await one.messages(of: ana).map(\.text) == ["Hello"])
        }
    }

    @Test func `sends sealed envelopes while their account is locked`() async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, bo in
            let third = try harness.node("three")
            _ = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            try await two.write("first", to: ana, by: bo)
            await harness.runAll()
            await harness.stop(one)
            await harness.disconnect(two, third)
            try await two.write("second", to: ana, by: bo)
            await harness.runAll(times: 1)
            #expect(try await two.messages(of: bo).map(\.state) == ["delivered", "queued"])
            await two.signOut()

            harness.reconnect(two, third)
            harness.clock.advance(by: 60)
            await two.chat.runOnce()
            let entries = try two.store.read { transaction in
                try transaction.outboxTimes(until: Timestamp(milliseconds: .max)).compactMap {
                    try transaction.outboxEntry(of: $0.name.account, id: $0.name.id)
                }
            }
            #expect(entries.count == 1)
            // It is recorded that the third node has it.
            #expect(entries.first?.bytes.contains(third.links.localPeer.multihash) == true)
            try await two.signIn("bo")
            await harness.runAll()
            #expect(try await two.messages(of: bo).map(\.state) == ["delivered", "sent"])
        }
    }

    @Test func `a revoked device can no longer collect mail`() async throws {
        try await ChatHarness.pair { harness, one, two, ana, bo in
            let phone = testKey("ana's phone")
            let key = try #require(await one.accounts.key(of: ana))
            let certificate = try DeviceCertificate(key: phone.publicKey, name: "phone")
            _ = try await one.recordService.publish(.device(certificate), by: key)
            let home = one.links.localPeer
            try await two.exchange.reach(home, at: [one.links.address])
            let before = try await two.exchange.collect(ana, device: phone, from: home) { _ in
                true
            }
            #expect(before == 0)
            harness.clock.advance(by: 1)
            _ = try await one.recordService.publish(
                .withdrawal(.device),
                slot: certificate.slot,
                by: key
            )
            await #expect(throws: MailRefusal.unknownDevice) {
                try await two.exchange.collect(ana, device: phone, from: home) { _ in true }
            }
        }
    }

    @Test func `renews leases before they end`() async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, _, ana, _ in
            let third = try harness.node("three")
            let home = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            harness.clock.advance(by: 20 * 86_400)
            await harness.runAll()
            let kept = try await one.chat.homes.all(of: ana)
            #expect(kept.contains(home))
            harness.clock.advance(by: 20 * 86_400)
            await harness.runAll()
            let renewed = try await one.chat.homes.all(of: ana)
            #expect(renewed.count == 2)
            #expect(renewed.allSatisfy { $0.until > home.until })
            // Never renewed, a lease ends with all it kept.
            await harness.stop(one)
            harness.clock.advance(by: 100 * 86_400)
            await third.chat.runOnce()
            let facts = try await third.mailStore.facts(
                of: ana,
                device: nil,
                deposit: nil,
                from: .zero,
                at: Timestamp(milliseconds: UInt64(harness.clock.now.timeIntervalSince1970 * 1_000))
            )
            #expect(!facts.isKeptHere)
            #expect(try await third.mailStore.keys(of: ana).bundles.isEmpty)
        }
    }
}
