import Client
import Foundation
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Mail

/// Logs of vaults in which a segment is missing or spoilt.
///
/// Mail is imported as testable, because sections have no API of their own.
@Suite(.timeLimit(.minutes(5)))
struct VaultGapTests {
    @Test func `fills a gap in a log from any holder`() async throws {
        try await VaultExchangeTests.pair { harness, one, two, ana in
            for number in 1...4 as ClosedRange<UInt8> {
                try await VaultExchangeTests.add("name \(number)", number, on: one, ana)
            }
            await harness.runAll()
            let whole = try await VaultExchangeTests.contents(one, ana)
            #expect(try await VaultExchangeTests.contents(two, ana) == whole && whole.count == 4)
            let device = try await one.chat.context.keyring.unlockedVault(ana).device
            let second = CompositeKey(CompositeKey(ana, device), UInt64(2))
            _ = try await two.store.write { try $0.remove(VaultSegments.self, second) }
            #expect(try await VaultExchangeTests.contents(two, ana)["name 2"] == nil)

            harness.clock.advance(by: 90)
            await harness.runAll()
            #expect(try await VaultExchangeTests.contents(two, ana) == whole)
        }
    }

    @Test func `asks for a segment that nobody has after ever longer pauses`() {
        var now = Timestamp(milliseconds: 1_763_700_000_000)
        var pause = VaultGapPause(.seconds(600), at: now)
        let minutes = (0..<8).map { _ in
            defer { (now, pause) = (pause.end, pause.doubled(at: pause.end)) }
            return (pause.end.milliseconds - now.milliseconds) / 60_000
        }
        #expect(minutes == [10, 20, 40, 80, 160, 320, 360, 360])
    }

    /// A node of Ana's, and a home that has her vault without being hers; both have four segments.
    private static func atHome(
        _ body: (ChatHarness, ChatNode, ChatNode, Address, CompositeKey<Address, Bytes32>)
            async throws -> Void
    ) async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, two, ana, _ in
            _ = try await one.chat.homes.add(HomeRequest(address: two.address), for: ana)
            await harness.runAll()
            for number in 1...4 as ClosedRange<UInt8> {
                try await VaultExchangeTests.add("name \(number)", number, on: one, ana)
            }
            await harness.runAll()
            let device = try await one.chat.context.keyring.unlockedVault(ana).device
            #expect(try VaultExchangeTests.segmentCount(two, ana) == 4)
            try await body(harness, one, two, ana, CompositeKey(ana, device))
        }
    }

    @Test func `asks a home again at most ten minutes after its return`() async throws {
        try await Self.atHome { harness, one, two, ana, log in
            let second = CompositeKey(log, UInt64(2))
            _ = try await one.store.write { try $0.remove(VaultSegments.self, second) }
            await harness.disconnect(one, two)
            for _ in 0..<40 {
                harness.clock.advance(by: 1_200)
                await harness.runAll(times: 1)
            }
            #expect(try one.store.read { try $0.vaultGaps(of: ana) } != nil)
            harness.reconnect(one, two)
            harness.clock.advance(by: 700)
            await harness.runAll()
            #expect(try one.store.read { try $0.vaultGaps(of: ana) } == nil)
        }
    }

    @Test func `replaces an unreadable row at a home without resending the rest`() async throws {
        try await Self.atHome { harness, one, two, ana, log in
            let whole = try two.store.read { try $0.vaultMarks(of: ana) }
            for number in [2, 4] as [UInt64] {
                let key = CompositeKey(log, number)
                _ = try await two.store.write { try $0.put(VaultSegments.self, key, [9, 9]) }
            }
            #expect(
                try two.store.read { try $0.vaultGaps(of: ana) }
                    == [VaultLogMark(device: log.second, last: 1)]
            )
            harness.clock.advance(by: 90)
            await harness.runAll()
            #expect(try two.store.read { try $0.vaultGaps(of: ana) } == nil)
            #expect(try two.store.read { try $0.vaultMarks(of: ana) } == whole)
            #expect(try VaultExchangeTests.segmentCount(two, ana) == 4)
        }
    }

    @Test func `sends no log beyond a forged or unreadable segment`() async throws {
        for damage in [{ _ in [9, 9] }, { $0.dropLast() + [$0.last.map { $0 ^ 1 } ?? 0] }]
            as [@Sendable ([UInt8]) -> [UInt8]]
        {
            try await Self.atHome { harness, one, two, ana, log in
                let second = CompositeKey(log, UInt64(2))
                for number in 2...4 as ClosedRange<UInt64> {
                    let key = CompositeKey(log, number)
                    _ = try await two.store.write { try $0.remove(VaultSegments.self, key) }
                }
                let spoilt = damage(
                    try #require(try one.store.read { try $0.get(VaultSegments.self, second) })
                )
                // What is missing at both cannot come from the other.
                _ = try await one.store.write { try $0.put(VaultSegments.self, second, spoilt) }
                harness.clock.advance(by: 90)
                await harness.runAll()
                let marks = try two.store.read { try $0.vaultMarks(of: ana) }
                #expect(marks == [VaultLogMark(device: log.second, last: 1)])
            }
        }
    }

    @Test func `resends the missing middle of a log to a home`() async throws {
        try await Self.atHome { harness, _, two, ana, log in
            for number in [2, 3] as [UInt64] {
                let key = CompositeKey(log, number)
                _ = try await two.store.write { try $0.remove(VaultSegments.self, key) }
            }
            harness.clock.advance(by: 90)
            await harness.runAll()
            #expect(try two.store.read { try $0.vaultGaps(of: ana) } == nil)
            #expect(try VaultExchangeTests.segmentCount(two, ana) == 4)
        }
    }

    @Test func `sends no log beyond a gap`() async throws {
        try await VaultExchangeTests.pair { harness, one, two, ana in
            for number in 1...3 as ClosedRange<UInt8> {
                try await VaultExchangeTests.add("name \(number)", number, on: one, ana)
            }
            let device = try await one.chat.context.keyring.unlockedVault(ana).device
            let second = CompositeKey(CompositeKey(ana, device), UInt64(2))
            _ = try await one.store.write { try $0.remove(VaultSegments.self, second) }
            await harness.runAll()
            let marks = try two.store.read { try $0.vaultMarks(of: ana) }
            #expect(marks == [VaultLogMark(device: device, last: 1)])
        }
    }
}
