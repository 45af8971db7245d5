import AccountAccess
import Client
import Concurrency
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

/// Chats that run on their own, and chats over a network that fails.
struct ChatRunTests {
    /// Settings with which work is done at once or not at all, not at the next poll.
    private static let unpolled: ChatSettings = {
        var settings = ChatSettings(network: "test", deviceName: "test")
        settings.pollInterval = .seconds(3_600)
        return settings
    }()
    /// Settings with times that are longer than a test may take.
    private static let patient: ChatSettings = {
        var settings = unpolled
        (settings.requestTimeMax, settings.collectionTimeMax) = (.seconds(600), .seconds(600))
        return settings
    }()

    @Test(.timeLimit(.minutes(1)))
    func `a running node sends, opens and answers by itself`() async throws {
        try await ChatHarness.pair(settings: Self.unpolled) { _, one, two, ana, bo in
            try await withThrowingTaskGroup { group in
                group.addTask { try await one.chat.run() }
                group.addTask { try await two.chat.run() }
                try await two.write("Hello", to: ana, by: bo)
                let arrival = try await Self.first("message", of: ana, at: one)
                #expect(arrival["state"] == "received")
                let receipt = try await Self.first("receipt", of: bo, at: two)
                #expect(receipt["state"] == "delivered")

                let talk = try #require(try await one.conversations(of: ana).first)
                try await one.readAll(talk.id, by: ana)
                let last = try two.store.read { try $0.lastEventNumber(of: bo) }
                var states = try await two.messages(of: bo).map(\.state)
                if states != ["read"] {
                    _ = try await Self.first("receipt", of: bo, at: two, after: last)
                    states = try await two.messages(of: bo).map(\.state)
                }
                #expect(states == ["read"])
                group.cancelAll()
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `opens and sends other mail while a home does not answer`() async throws {
        try await ChatHarness.pair(withThird: true, settings: Self.patient) {
            harness,
            one,
            two,
            ana,
            bo in
            let third = try harness.node("three")
            _ = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            await harness.runAll()
            await MailClientTests.silence(third)
            // Ana's mail is due at the home that does not answer.
            harness.clock.advance(by: 61)
            try await withThrowingTaskGroup { group in
                group.addTask { try await one.chat.run() }
                group.addTask { try await two.chat.run() }
                try await two.write("Hello", to: ana, by: bo)
                let arrival = try await Self.first("message", of: ana, at: one)
                #expect(arrival["state"] == "received")
                let receipt = try await Self.first("receipt", of: bo, at: two)
                #expect(receipt["state"] == "delivered")
                group.cancelAll()
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `sends mail to others while a recipient's home does not answer`() async throws {
        try await ChatHarness.pair(withThird: true, settings: Self.patient) {
            harness,
            one,
            two,
            ana,
            bo in
            let third = try harness.node("three")
            let cy = try await third.createAccount("cy")
            await harness.runAll()
            let asked = await MailClientTests.silence(third)
            try await withThrowingTaskGroup { group in
                group.addTask { try await one.chat.run() }
                group.addTask { try await two.chat.run() }
                // Its keys are asked for at a home that does not answer.
                try await two.write("Are you there?", to: cy, by: bo)
                _ = await asked.receive()
                try await two.write("Hello", to: ana, by: bo)
                let arrival = try await Self.first("message", of: ana, at: one)
                #expect(arrival["state"] == "received")
                group.cancelAll()
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a running node sends a changed vault to its other homes at once`() async throws {
        try await ChatHarness.pair(withThird: true, settings: Self.unpolled) {
            harness,
            one,
            _,
            ana,
            bo in
            let third = try harness.node("three")
            _ = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            await harness.runAll()
            try await withThrowingTaskGroup { group in
                group.addTask { try await one.chat.run() }
                // The pass with which the node starts may do the first, but not the second.
                for other in [bo, testKey("cy").publicKey.address] {
                    let before = try third.store.read { try $0.vaultMarks(of: ana) }
                    _ = try await one.chat.block(other.checksummed, by: ana)
                    try await waitUntil {
                        try third.store.read { try $0.vaultMarks(of: ana) } != before
                    }
                }
                group.cancelAll()
            }
        }
    }

    /// The data of an account's first event of a type, waited for.
    private static func first(
        _ type: String,
        of account: Address,
        at node: ChatNode,
        after number: UInt64 = 0
    ) async throws -> [String: String] {
        for try await event in node.events.events(of: account, after: number)
        where event.type == type {
            return event.data
        }
        return [:]
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `shows and acknowledges each message once, whatever the network loses`(
        seed: UInt64
    ) async throws {
        try await ChatHarness.pair(withThird: true) { harness, one, two, ana, bo in
            var random = SeededRandom(seed: seed)
            let third = try harness.node("three")
            _ = try await one.chat.homes.add(HomeRequest(address: third.address), for: ana)
            await harness.runAll()
            let nodes = [one, two, third]
            var written: Set<String> = []
            for step in 0..<40 {
                let pick = nodes.shuffled(using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: await harness.disconnect(pick[0], pick[1])
                case 1, 2:
                    harness.reconnect(pick[0], pick[1])
                    await pick[0].chat.linked(pick[1].links.localPeer)
                case 3:
                    let isBos = Bool.random(using: &random)
                    written.insert("\(step)")
                    if isBos {
                        try await two.write("\(step)", to: ana, by: bo)
                    } else {
                        try await one.write("\(step)", to: bo, by: ana)
                    }
                default: await pick[0].chat.runOnce()
                }
                harness.clock.advance(by: Double(Int.random(in: 0..<90, using: &random)))
            }
            #expect(!written.isEmpty)
            for pair in [(one, two), (one, third), (two, third)] {
                harness.reconnect(pair.0, pair.1)
            }
            for _ in 0..<6 {
                harness.clock.advance(by: 700)
                await harness.runAll(times: 1)
            }

            for (node, account) in [(one, ana), (two, bo)] {
                let talk = try await node.messages(of: account)
                #expect(talk.count == written.count, "seed \(seed)")
                #expect(Set(talk.map(\.text)) == written, "seed \(seed)")
                let own = talk.filter { $0.sender == account.checksummed }
                #expect(own.allSatisfy { $0.state == "delivered" }, "seed \(seed)")
                let outbox = try node.store.read {
                    try $0.outboxTimes(until: Timestamp(milliseconds: .max))
                }
                #expect(outbox.isEmpty, "seed \(seed)")
            }
        }
    }
}
