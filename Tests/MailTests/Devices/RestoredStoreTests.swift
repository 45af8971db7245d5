import Client
import Foundation
import Keys
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import Mail

/// A node whose store is that of an earlier time, as after a restore from a backup.
///
/// Mail is imported as testable, because sections have no API of their own.
@Suite(.timeLimit(.minutes(5)))
struct RestoredStoreTests {
    /// Copies the store of a node as a backup does, for the next start.
    private static func backup(
        of node: ChatNode,
        in folder: TemporaryFolder,
        to copy: TemporaryFolder,
        _ harness: ChatHarness
    ) async throws {
        try StoreCopy.make(of: folder.path, in: copy.path)
        let store = try Store(folder: copy.path, mapBytes: 1 << 28)
        try await store.write { try $0.noteRestored(at: harness.now) }
    }

    private static func texts(_ node: ChatNode, _ account: Address) async throws -> Set<String> {
        Set(try await node.messages(of: account).map(\.text))
    }

    private static func state(
        _ text: String,
        _ node: ChatNode,
        _ account: Address
    ) async throws -> String? {
        try await node.messages(of: account).first { $0.text == text }?.state
    }

    /// - From peers: a store that was restored from a backup → new devices, which reuse no number;
    ///   the former log arrives as another device's
    @Test func `delivers a restored node's messages and the former device's mail`() async throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            var two = try await harness.start("two", in: folders[1])
            let ana = try await one.createAccount("ana")
            let bo = try await two.createAccount("bo")
            try await two.write("first", to: ana, by: bo)
            await harness.runAll()
            try await one.chat.accept(bo, by: ana)
            try await one.write("yes?", to: bo, by: ana)
            await harness.runAll()
            try await Self.backup(of: two, in: folders[1], to: folders[2], harness)
            try await two.write("after the backup", to: ana, by: bo)
            await harness.runAll()
            let talk = try #require(try await one.conversations(of: ana).first)
            try await one.readAll(talk.id, by: ana)
            await harness.runAll()
            await harness.stop(two)
            // Sealed for the device that the backup has.
            try await one.write("while you were away", to: bo, by: ana)
            await harness.runAll(times: 1)

            two = try await harness.start("two", in: folders[2])
            try await two.signIn("bo")
            await harness.runAll()
            try await two.write("second", to: ana, by: bo)
            try await two.write("third", to: ana, by: bo)
            await harness.runAll(times: 20)
            #expect(
                try await Self.texts(one, ana) == [
                    "first", "yes?", "after the backup", "while you were away", "second", "third",
                ]
            )
            let boHas = try await Self.texts(two, bo)
            #expect(boHas == ["first", "yes?", "while you were away", "second", "third"])
            // What Ana read before is not taken for what was written since.
            #expect(try await Self.state("second", two, bo) == "delivered")
            #expect(try await one.conversations(of: ana).map(\.unread) == [2])
            try await one.readAll(talk.id, by: ana)
            await harness.runAll(times: 5)
            #expect(try await Self.state("third", two, bo) == "read")
        }
    }

    /// - From peers: a restored store, and a home that withholds what arrived after the backup →
    ///   new
    ///   devices, so that no number is used twice
    @Test func `a restored node that writes before it syncs splits no vault`() async throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            var two = try await harness.start("two", in: folders[1])
            let bo = try await two.createAccount("bo")
            _ = try await two.chat.homes.add(HomeRequest(address: one.address), for: bo)
            await harness.runAll()
            try await Self.add("before", on: two, bo)
            await harness.runAll()
            try await Self.backup(of: two, in: folders[1], to: folders[2], harness)
            for number in 1...4 { try await Self.add("after \(number)", on: two, bo) }
            await harness.runAll()
            await harness.stop(two)

            two = try await harness.start("two", in: folders[2])
            await harness.disconnect(one, two)
            try await two.signIn("bo")
            for number in 1...5 { try await Self.add("alone \(number)", on: two, bo) }
            await harness.runAll()
            harness.reconnect(one, two)
            harness.clock.advance(by: 90)
            await harness.runAll(times: 20)
            let expected =
                ["before"] + (1...4).map { "after \($0)" } + (1...5).map { "alone \($0)" }
            #expect(try await Self.names(two, bo) == Set(expected))
            let vault = try await two.chat.context.keyring.unlockedVault(bo)
            let atHome = try one.store.read { try vault.stored(in: $0).contents }
            #expect(Self.names(atHome) == Set(expected))
        }
    }

    private static func add(_ name: String, on node: ChatNode, _ account: Address) async throws {
        let change = Vault.Change(section: .favourites, name: Array(name.utf8), value: [1])
        try await node.chat.vault.write(of: account) { _ in [change] }
    }

    private static func names(_ node: ChatNode, _ account: Address) async throws -> Set<String> {
        names(try await node.chat.vault.contents(of: account))
    }

    private static func names(_ contents: VaultContents) -> Set<String> {
        Set(contents.present(in: .favourites).map { String(decoding: $0.name, as: UTF8.self) })
    }
}
