import Answers
import Client
import Foundation
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Mail

/// Vaults as a node stores them, hence the testable import: sections have no API of their own.
@Suite(.timeLimit(.minutes(5)))
struct VaultTests {
    /// Expects a refusal with a code, or none.
    private static func expect(
        _ code: ProblemCode?,
        _ body: () async throws -> some Sendable
    ) async {
        var found: ProblemCode?
        do { _ = try await body() } catch { found = (error as? Refusal)?.code }
        #expect(found == code)
    }

    private static func name(_ number: Int) -> [UInt8] { Array("name \(number)".utf8) }

    private static func put(_ number: Int, _ value: [UInt8]?) -> Vault.Change {
        Vault.Change(section: .favourites, name: name(number), value: value)
    }

    private static func segments(_ node: ChatNode, of account: Address) throws -> [[UInt8]] {
        try node.store.read { transaction in
            var found: [[UInt8]] = []
            try transaction.scan(VaultSegments.self, .prefix(account)) { _, bytes in
                found.append(bytes)
                return true
            }
            return found
        }
    }

    /// - From people: a favourite, a name of a contact or another entry of a vault while the store
    ///   has little room → store_full; removals are taken
    @Test func `takes only removals while the store has little room`() async throws {
        var limits = StoreLimits()
        limits.reservedBytes = 240 << 20
        try await ChatHarness.pair(limits: limits, strangers: true) { _, one, _, ana, bo in
            let vault = one.chat.vault
            try await vault.write(of: ana) { _ in [Self.put(1, [1])] }
            _ = try await one.chat.block(bo.checksummed, by: ana)
            // The reserve is all that is left of 256 MiB.
            let rest = [UInt8](repeating: 0, count: 24 << 20)
            try await one.store.write { try $0.put(Settings.self, "rest", rest) }
            await #expect(throws: StorageError.mapFull(.begin)) {
                try await vault.write(of: ana) { _ in [Self.put(2, [2])] }
            }
            await #expect(throws: StorageError.mapFull(.begin)) {
                try await one.chat.accept(testKey(7).address, by: ana)
            }
            try await vault.write(of: ana, isAddition: false) { _ in [Self.put(1, nil)] }
            try await one.chat.unblock(bo.checksummed, by: ana)
            #expect(try await vault.contents(of: ana).present(in: .favourites).isEmpty)
        }
    }

    @Test func `reads back a write that the store holds only in sealed form`() async throws {
        try await ChatHarness.pair(strangers: true) { harness, one, _, ana, _ in
            let vault = one.chat.vault
            let secret = Array("a secret value".utf8)
            try await vault.write(of: ana) { _ in [Self.put(1, secret), Self.put(2, [2])] }
            harness.clock.advance(by: 1)
            try await vault.write(of: ana) { contents in
                #expect(contents.value(Self.name(2), in: .favourites) == [2])
                return [Self.put(2, nil)]
            }
            let contents = try await vault.contents(of: ana)
            #expect(contents.value(Self.name(1), in: .favourites) == secret)
            #expect(contents.present(in: .favourites).count == 1 && contents.count == 2)
            let segments = try Self.segments(one, of: ana)
            #expect(segments.count == 2)
            for bytes in segments {
                #expect(!bytes.indices.contains { bytes[$0...].starts(with: secret) })
                #expect(!bytes.indices.contains { bytes[$0...].starts(with: Self.name(1)) })
            }
        }
    }

    @Test func `compacting a long log keeps its contents`() async throws {
        try await ChatHarness.pair(strangers: true) { _, one, _, ana, _ in
            let vault = one.chat.vault
            for number in 0..<150 {
                try await vault.write(of: ana) { _ in
                    [Self.put(number % 7, [UInt8(number)])]
                }
            }
            let contents = try await vault.contents(of: ana)
            for number in 143..<150 {
                let name = Self.name(number % 7)
                #expect(contents.value(name, in: .favourites) == [UInt8(number)])
            }
            #expect(try Self.segments(one, of: ana).count <= VaultLog.tailMax + 5)
        }
    }

    /// - From people: a vault segment that does not open → skipped, counted and logged; the others
    ///   are used
    @Test func `skips and counts segments that do not open, and reads the others`() async throws {
        try await ChatHarness.pair(strangers: true) { _, one, _, ana, _ in
            let vault = one.chat.vault
            for number in 1...3 {
                try await vault.write(of: ana) { _ in [Self.put(number, [1])] }
            }
            let unlocked = try await one.chat.context.keyring.unlockedVault(ana)
            let device = CompositeKey(ana, unlocked.device)
            let strange = Bytes32(repeating: 7)
            var log = VaultLog(device: strange)
            let foreign = VaultSegment(
                try #require(log.compact(VaultContents()).first),
                of: ana,
                network: unlocked.network,
                key: VaultKey(of: testKey(9)),
                signer: nil
            )
            let other = CompositeKey(CompositeKey(ana, strange), UInt64(1))
            try await one.store.write { transaction in
                let key = CompositeKey(device, UInt64(2))
                var bytes = try #require(try transaction.get(VaultSegments.self, key))
                bytes[100] ^= 1
                try transaction.put(VaultSegments.self, key, bytes)
                try transaction.put(VaultSegments.self, other, foreign.bytes)
            }
            let stored = try one.store.read { try unlocked.stored(in: $0) }
            #expect(stored.refusedCount == 2)
            #expect(stored.contents.present(in: .favourites).count == 2)
            // A number is used once, also if its segment is damaged.
            try await vault.write(of: ana) { _ in [Self.put(4, [1])] }
            #expect(try Self.segments(one, of: ana).count == 5)
        }
    }

    /// - From people: favourites or a cart while the account is locked → needs_unlock
    @Test func `does not read a locked account's vault`() async throws {
        try await ChatHarness.pair(strangers: true) { _, one, two, ana, bo in
            let vault = one.chat.vault
            try await vault.write(of: ana) { _ in [Self.put(1, [1])] }
            // Bo's key is on the other node.
            await Self.expect(.nodeLocked) { try await vault.contents(of: bo) }
            await Self.expect(.nodeLocked) { try await two.chat.vault.contents(of: ana) }
            #expect(try await two.chat.vault.contents(of: bo).count == 0)
        }
    }
}
