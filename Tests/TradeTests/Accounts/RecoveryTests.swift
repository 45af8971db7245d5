import AccountAccess
import Client
import Foundation
import Gossip
import Keys
import Mail
import MailSupport
import Market
import Records
import Storage
import Support
import Testing
import Trade

/// An account that comes to an empty node with its recovery phrase.
@Suite(.timeLimit(.minutes(5)))
struct RecoveryTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private static func profile(_ node: ChatNode, _ account: Address) throws -> Profile? {
        try node.store.read { try $0.profile(of: account)?.profile }
    }

    private static func report(_ node: ChatNode, _ account: Address) async throws -> RecoveryReport
    {
        try await Recovery(chat: node.chat, accounts: node.accounts, saleIndexes: nil)
            .report(for: account)
    }

    private static func link(_ node: ChatNode, to other: ChatNode) async throws {
        let exchange = node.exchange
        try await exchange.reach(other.links.localPeer, at: [other.links.address], own: true)
    }

    /// Node one with Ana's account and something in its vault, and an empty node that heard nothing.
    private static func pair(
        _ body: (ChatHarness, ChatNode, ChatNode, Address) async throws -> Void
    ) async throws {
        let folders = [try TemporaryFolder(), try TemporaryFolder()]
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let ana = try await one.createAccount("ana", phrase: phrase)
            let favourite = Vault.Change(section: .favourites, name: [1], value: [])
            try await one.chat.vault.write(of: ana) { _ in [favourite] }
            await harness.runAll()
            let two = try await harness.start(
                "two",
                in: folders[1],
                getsMissed: false,
                settings: ChatSettings(network: "test", deviceName: "test")
            )
            try await body(harness, one, two, ana)
        }
    }

    @Test func `an account on an empty node finds its profile, homes and vault`() async throws {
        try await Self.pair { harness, one, two, ana in
            #expect(try Self.profile(two, ana) == nil)
            try await Self.link(two, to: one)
            _ = try await two.createAccount("another", phrase: Self.phrase)
            for _ in 0..<4 {
                await harness.runAll()
                harness.clock.advance(by: 15)
            }
            for node in [one, two] {
                let profile = try #require(try Self.profile(node, ana))
                #expect(profile.name == "ana" && profile.homes.count == 2)
            }
            let report = try await Self.report(two, ana)
            #expect(!report.isLooking && report.profile == "ana" && report.vaultEntries == 1)
            #expect(Set(report.homes.map(\.vault)) == ["own", "exchanged"])
            #expect(report.gaps.map(\.what) == ["sales"])
        }
    }

    @Test func `publishes no profile while an existing one may still be found`() async throws {
        try await Self.pair { harness, one, two, ana in
            await harness.disconnect(one, two)
            _ = try await two.createAccount("another", phrase: Self.phrase)
            await harness.runAll()
            #expect(try Self.profile(two, ana) == nil)
            let alone = try await Self.report(two, ana)
            #expect(alone.isLooking && alone.profile == nil && alone.vaultEntries == 0)
            #expect(alone.gaps.map(\.what) == ["peers", "profile", "vault", "sales"])

            harness.reconnect(one, two)
            try await Self.link(two, to: one)
            harness.clock.advance(by: 15)
            await harness.runAll()
            #expect(try Self.profile(two, ana)?.name == "ana")
            #expect(try Self.profile(one, ana)?.name == "ana")
        }
    }

    @Test func `publishes a profile eventually if it finds none`() async throws {
        try await Self.pair { harness, one, two, ana in
            await harness.disconnect(one, two)
            _ = try await two.createAccount("another", phrase: Self.phrase)
            harness.clock.advance(by: 3_601)
            await harness.runAll()
            #expect(try Self.profile(two, ana)?.name == "another")
            let report = try await Self.report(two, ana)
            #expect(!report.isLooking && report.gaps.map(\.what) == ["peers", "vault", "sales"])
            // A key that was made here can have no other profile.
            let bo = try await two.createAccount("bo")
            #expect(try Self.profile(two, bo)?.name == "bo")
        }
    }

    @Test func `reads back a mark and removes it once it has expired`() {
        let began = Timestamp(milliseconds: 1_000_000)
        let marks = [
            RecoveryMark(began: began),
            RecoveryMark(began: began, answered: began.advanced(by: .seconds(50))),
        ]
        for mark in marks { #expect(RecoveryMark(mark.bytes) == mark) }
        #expect(RecoveryMark([1, 2, 3]) == nil)
        let ends = marks.map { mark in
            (0..<4_000).first { second in
                !mark.isLooking(
                    at: began.advanced(by: .seconds(second)),
                    patience: .seconds(300),
                    alone: .seconds(3_600)
                )
            }
        }
        #expect(ends == [3_600, 350])
    }
}
