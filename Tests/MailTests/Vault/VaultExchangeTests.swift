import Client
import Foundation
import Gossip
import GossipProtocol
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Mail

/// Vaults of an account on two nodes, and at a home that is neither.
///
/// Mail is imported as testable, because sections have no API of their own.
@Suite(.timeLimit(.minutes(5)))
struct VaultExchangeTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    static func add(_ name: String, _ value: UInt8?, on node: ChatNode, _ account: Address)
        async throws
    {
        let change = Vault.Change(
            section: .favourites,
            name: Array(name.utf8),
            value: value.map { [$0] }
        )
        try await node.chat.vault.write(of: account) { _ in [change] }
    }

    static func contents(_ node: ChatNode, _ account: Address) async throws -> [String:
        UInt8]
    {
        let all = try await node.chat.vault.contents(of: account).present(in: .favourites)
        return Dictionary(
            uniqueKeysWithValues: all.map {
                (String(decoding: $0.name, as: UTF8.self), $0.value?.first ?? 0)
            }
        )
    }

    static func segmentCount(_ node: ChatNode, _ account: Address) throws -> Int {
        try node.store.read { transaction in
            try transaction.vaultSegments(
                of: account,
                after: [],
                limit: 1_000,
                byteCountMax: 1 << 24
            ).count
        }
    }

    /// Two nodes with Ana's account, each of which knows the other as a home.
    static func pair(
        _ body: (ChatHarness, ChatNode, ChatNode, Address) async throws -> Void
    ) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let ana = try await one.createAccount("ana", phrase: phrase)
            _ = try await two.createAccount("ana", phrase: phrase)
            await harness.runAll()
            try await body(harness, one, two, ana)
        }
    }

    @Test func `one node's write reaches the other in one pass`() async throws {
        try await Self.pair { harness, one, two, ana in
            try await Self.add("bicycle", 1, on: one, ana)
            await one.chat.runOnce()
            #expect(try await Self.contents(two, ana) == ["bicycle": 1])
            harness.clock.advance(by: 1)
            try await Self.add("bicycle", nil, on: two, ana)
            try await Self.add("lamp", 2, on: two, ana)
            await two.chat.runOnce()
            #expect(try await Self.contents(one, ana) == ["lamp": 2])
        }
    }

    @Test func `after a partition both nodes agree, and the later write wins`() async throws {
        try await Self.pair { harness, one, two, ana in
            try await Self.add("both", 1, on: one, ana)
            await harness.runAll()
            await harness.disconnect(one, two)
            try await Self.add("both", 2, on: one, ana)
            try await Self.add("only one", 1, on: one, ana)
            await harness.runAll()
            try await Self.add("both", 3, on: two, ana)
            try await Self.add("only two", 1, on: two, ana)
            await harness.runAll()
            #expect(try await Self.contents(one, ana) == ["both": 2, "only one": 1])
            #expect(try await Self.contents(two, ana) == ["both": 3, "only two": 1])

            harness.reconnect(one, two)
            harness.clock.advance(by: 90)
            await harness.runAll()
            let expected: [String: UInt8] = ["both": 3, "only one": 1, "only two": 1]
            #expect(try await Self.contents(one, ana) == expected)
            #expect(try await Self.contents(two, ana) == expected)
            // What is known is not sent again.
            let count = try Self.segmentCount(one, ana)
            harness.clock.advance(by: 90)
            await harness.runAll()
            #expect(try Self.segmentCount(one, ana) == count)
            #expect(try Self.segmentCount(two, ana) == count)
        }
    }

    @Test func `exchanges long logs and compacts them the same on each node`() async throws {
        try await Self.pair { harness, one, two, ana in
            for number in 0..<160 {
                let node = number % 2 == 0 ? one : two
                try await Self.add("name \(number % 50)", UInt8(number), on: node, ana)
                harness.clock.advance(by: 1)
                if number % 20 == 0 { await harness.runAll(times: 1) }
            }
            harness.clock.advance(by: 90)
            await harness.runAll()
            let contents = try await Self.contents(one, ana)
            #expect(contents.count == 50 && contents["name 9"] == 159)
            #expect(try await Self.contents(two, ana) == contents)
            #expect(try Self.segmentCount(one, ana) == Self.segmentCount(two, ana))
        }
    }

    /// - From peers: a vault segment by another account's device → refused
    @Test func `a home stores a guest's sealed vault, and no stranger's`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, bo in
            _ = try await one.chat.homes.add(HomeRequest(address: two.address), for: ana)
            await harness.runAll()
            try await Self.add("bicycle", 1, on: one, ana)
            await one.chat.runOnce()
            #expect(try Self.segmentCount(two, ana) == 1)

            // Bo's device proves itself for Bo alone.
            let stranger = try await two.chat.unlockedAccount(bo)
            await #expect(throws: MailRefusal.self) {
                try await two.exchange.exchangeVault(
                    of: ana,
                    device: stranger.device,
                    with: one.links.localPeer
                ) { _ in }
            }
            var log = VaultLog(device: stranger.slot)
            let part = try #require(log.compact(VaultContents()).first)
            let foreign = VaultSegment(
                part,
                of: ana,
                network: "test",
                key: VaultKey(of: testKey(9)),
                signer: stranger.device
            )
            #expect(try await one.mailStore.keep(foreign) == .unknownDevice)
            // A device of the account writes its own log, and no other's.
            let own = try await one.chat.unlockedAccount(ana)
            var others = VaultLog(device: own.slot)
            for signer in [stranger.device, nil] {
                let forged = VaultSegment(
                    try #require(others.compact(VaultContents()).first),
                    of: ana,
                    network: "test",
                    key: try VaultKey(of: own.key),
                    signer: signer
                )
                #expect(try await two.mailStore.keep(forged) == .wrongSignature)
            }
            // A stream that was proved before the lease ended brings nothing more.
            let late = VaultSegment(
                try #require(others.compact(VaultContents()).first),
                of: ana,
                network: "test",
                key: try VaultKey(of: own.key),
                signer: own.device
            )
            try await two.store.write { try $0.removeHomed(ana) }
            #expect(try await two.mailStore.keep(late) == .notKeptHere)
            #expect(try Self.segmentCount(one, ana) == 1)
        }
    }

    @Test func `a log that a home refuses delays no other log`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, _ in
            let own = try await one.chat.unlockedAccount(ana)
            // A device that is not certified any more, and whose log comes first.
            var gone = PrivateKey.random()
            while !DeviceCertificate.slot(of: gone.publicKey).bytes
                .lexicographicallyPrecedes(own.slot.bytes)
            {
                gone = PrivateKey.random()
            }
            let slot = DeviceCertificate.slot(of: gone.publicKey)
            let entry = try VaultEntry(
                section: .favourites,
                name: Array("lamp".utf8),
                value: [7],
                time: harness.now,
                device: slot
            )
            var log = VaultLog(device: slot)
            let segment = VaultSegment(
                try #require(log.append([entry]).first),
                of: ana,
                network: "test",
                key: try VaultKey(of: own.key),
                signer: gone
            )
            try await one.store.write { _ = try $0.keepVault(segment) }
            try await Self.add("bicycle", 1, on: one, ana)
            _ = try await one.chat.homes.add(HomeRequest(address: two.address), for: ana)
            await harness.runAll()
            let held = try two.store.read { try $0.vaultMarks(of: ana) }
            #expect(held == [VaultLogMark(device: own.slot, last: 1)])

            // What the former device wrote comes there in the log of the present one, once.
            for _ in 0..<4 {
                harness.clock.advance(by: 700)
                await harness.runAll()
            }
            let adopted = try two.store.read { try $0.vaultMarks(of: ana) }
            #expect(adopted == [VaultLogMark(device: own.slot, last: 2)])
            #expect(try await Self.contents(one, ana) == ["bicycle": 1, "lamp": 7])
        }
    }
}
