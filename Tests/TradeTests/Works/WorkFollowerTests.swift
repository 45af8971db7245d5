import Answers
import Client
import Ethereum
import Foundation
import Keys
import Mail
import MailSupport
import Market
import Storage
import Support
import Testing

@testable import MediaFiles
@testable import Trade

/// Digital works on several nodes of their account.
///
/// Node is imported as testable: no API makes a node of these parts.
@Suite(.timeLimit(.minutes(5)))
struct WorkFollowerTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let song = [UInt8](repeating: 7, count: 150_000)

    /// Two nodes with Ana's account, which know each other as homes.
    private static func pair(
        _ body: (ChatHarness, WorkNode, WorkNode, Address) async throws -> Void
    ) async throws {
        let folders = try (0..<4).map { _ in try TemporaryFolder() }
        try await ChatHarness.run { harness in
            let one = try await harness.start("one", in: folders[0])
            let two = try await harness.start("two", in: folders[1])
            let ana = try await one.createAccount("ana", phrase: phrase)
            _ = try await two.createAccount("ana", phrase: phrase)
            await harness.runAll()
            try await body(
                harness,
                try await WorkNode(one, in: folders[2]),
                try await WorkNode(two, in: folders[3]),
                ana
            )
        }
    }

    private static func gaps(_ node: WorkNode, _ account: Address) async throws -> [RecoveryGap] {
        let recovery = Recovery(
            chat: node.chat.chat,
            accounts: node.chat.accounts,
            saleIndexes: nil
        )
        return try await recovery.report(for: account).gaps.filter { $0.what == "works" }
    }

    @Test func `a work's key arrives by the vault, and its file from its node`() async throws {
        try await Self.pair { harness, one, two, ana in
            let work = try await one.add(Self.song, named: "song.flac", by: ana)
            #expect(work.isHere)
            await harness.runAll()
            await harness.disconnect(one.chat, two.chat)
            await two.follower.runPass()
            #expect(try await two.works(of: ana) == ["song.flac": false])
            #expect(try await Self.gaps(one, ana).isEmpty)
            let gap = try #require(try await Self.gaps(two, ana).first)
            #expect(gap.reason.detail.contains("'song.flac'"))
            let recovery = Recovery(
                chat: two.chat.chat,
                accounts: two.chat.accounts,
                saleIndexes: nil
            )
            #expect(try await recovery.report(for: ana).works == 1)
            // What is not here takes no room.
            #expect(try two.chat.store.read { try $0.pinnedBytes(of: ana) } == 0)

            harness.reconnect(one.chat, two.chat)
            // A home that did not answer is left alone for a while.
            harness.clock.advance(by: 90)
            await harness.runAll()
            // A file that did not come is left alone for ten minutes.
            await two.follower.runPass()
            #expect(try await two.works(of: ana) == ["song.flac": false])
            two.clock.advance(.seconds(600))
            await two.follower.runPass()
            #expect(try await two.works(of: ana) == ["song.flac": true])
            #expect(try await Self.gaps(two, ana).isEmpty)

            // Here as there it opens, and is what a listing names.
            await harness.stop(one.chat)
            let sealed = try #require(
                try two.chat.store.read { try $0.keys(SealedFiles.self, .all()) }.first
            )
            let bytes = try await two.media.file(sealed.first)?.bytes ?? []
            let unlocked = try await two.chat.chat.unlockedAccount(ana)
            let kept = try #require(try two.chat.store.read { try $0.works(of: unlocked) }.first)
            #expect(kept.decrypt(bytes, expecting: work.identifier) == Self.song)
        }
    }

    @Test func `names, removals and re-added files reach the other nodes`()
        async throws
    {
        try await Self.pair { harness, one, two, ana in
            let work = try await one.add(Self.song, named: "song.flac", by: ana)
            _ = try await one.add([1, 2, 3], named: "other", by: ana)
            func follow() async {
                await harness.runAll()
                for node in [one, two] {
                    await node.follower.runPass()
                    await node.follower.runPass()
                }
            }
            await follow()
            #expect(try await two.works(of: ana) == ["song.flac": true, "other": true])
            let digits = String(work.identifier.prefix(8))
            let renamed = try await two.works.rename(digits, to: "A song", by: ana)
            #expect(renamed.name == "A song" && renamed.isHere)
            await follow()
            #expect(try await one.works(of: ana) == ["A song": true, "other": true])

            try await one.works.remove("A song", by: ana)
            #expect(try await one.works(of: ana) == ["other": true])
            await follow()
            #expect(try await two.works(of: ana) == ["other": true])
            // Neither keeps the file any more, nor gives it to anybody.
            for node in [one, two] {
                #expect(try node.chat.store.read { try $0.pinnedBytes(of: ana) } == 4_096)
                let given = try node.chat.store.read { try $0.keys(SealedFiles.self, .all()) }
                #expect(given.count == 1)
            }
            _ = try await two.add(Self.song, named: "again", by: ana)
            await follow()
            #expect(try await one.works(of: ana) == ["again": true, "other": true])
        }
    }

    @Test func `refuses a removal while a sale on a chain may need the work`() async throws {
        try await Self.pair { harness, one, two, ana in
            _ = try await one.add(Self.song, named: "song.flac", by: ana)
            await harness.runAll()
            for _ in 0..<2 { await two.follower.runPass() }
            #expect(try await two.works(of: ana) == ["song.flac": true])
            two.index.set(health: .unreachable)
            try await one.works.remove("song.flac", by: ana)
            await harness.runAll()
            await two.follower.runPass()
            #expect(try await two.works(of: ana) == ["song.flac": true])
            // Nothing new comes by the vault.
            two.index.set(health: .following)
            await two.follower.runPass()
            #expect(try await two.works(of: ana).isEmpty)
            #expect(try two.chat.store.read { try $0.pinnedBytes(of: ana) } == 0)
        }
    }

    @Test func `keeps a picture that a seller names as a work`() async throws {
        try await Self.pair { _, one, _, ana in
            let picture = try await one.media.add(Self.song, form: .jpeg, by: ana)
            let named = Media(id: picture.id, byteCount: picture.byteCount, form: .sealed)
            let pinned = try one.chat.store.read { try $0.pinnedBytes(of: ana) }
            #expect(pinned > 0)
            #expect(try await one.media.sealed(named, for: ana) == nil)
            #expect(try one.chat.store.read { try $0.pinnedBytes(of: ana) } == pinned)
            #expect(try await one.media.file(picture.id)?.bytes == Self.song)
        }
    }

    @Test func `a work that was released on its way is pinned again`() async throws {
        try await Self.pair { _, one, _, ana in
            _ = try await one.add(Self.song, named: "song.flac", by: ana)
            let unlocked = try await one.chat.chat.unlockedAccount(ana)
            let work = try #require(try one.chat.store.read { try $0.works(of: unlocked) }.first)
            let blob = try #require(Bytes32(hex: work.blob))
            try await one.chat.store.write { try $0.unpin(blob, for: ana) }
            try await one.works.put(work, isHere: true, of: unlocked)
            #expect(try one.chat.store.read { try $0.isMediaAdded(blob, by: ana) })
        }
    }

    /// - From people: the file of a sale while no node that has it is running → unknown_media
    @Test func `receives a bought work on the account's other node`() async throws {
        try await Self.pair { harness, one, two, ana in
            let work = try await one.add(Self.song, named: "song.flac", by: ana)
            let sale = try WorkSale(of: work, by: testKey(9), to: ana)
            for node in [one, two] { try await sale.show(to: node) }
            let id = sale.sample.reference.id.hash.hex
            func got(_ node: WorkNode) async -> ([UInt8]?, ProblemCode?) {
                do {
                    return (try await node.works.bought(id, by: ana).bytes, nil)
                } catch {
                    return (nil, (error as? Refusal)?.code)
                }
            }
            #expect(await got(two) == (nil, .notFound))
            await harness.runAll()
            await harness.disconnect(one.chat, two.chat)
            await two.follower.runPass()
            #expect(await got(two) == (nil, .unknownMedia))
            harness.reconnect(one.chat, two.chat)
            // A home that did not answer is left alone for a while.
            harness.clock.advance(by: 90)
            await harness.runAll()
            #expect(await got(two) == (Self.song, nil))
            #expect(try await two.works(of: ana) == ["song.flac": true])
            #expect(await got(one) == (Self.song, nil))
        }
    }

    @Test func `announces works stored by an earlier version`() async throws {
        try await Self.pair { harness, one, two, ana in
            let unlocked = try await one.chat.chat.unlockedAccount(ana)
            let (file, key, sealed) = try StoredWork.encrypt(Self.song)
            let media = try await one.media.add(sealed, form: .sealed, by: ana)
            let old = StoredWork(
                file: file,
                blob: media.id,
                byteCount: media.byteCount,
                key: key,
                name: "old"
            )
            try await one.works.put(old, isHere: true, of: unlocked)
            await one.follower.runPass()
            await harness.runAll()
            await two.follower.runPass()
            #expect(try await two.works(of: ana) == ["old": true])
        }
    }

    @Test func `does not touch an unknown work entry in a vault`() throws {
        func entry(_ name: [UInt8], _ value: [UInt8]?) throws -> VaultEntry {
            try VaultEntry(
                section: .works,
                name: name,
                value: value,
                time: Timestamp(milliseconds: 1),
                device: .zero
            )
        }
        let work = StoredWork(
            file: Bytes32(repeating: 1),
            blob: Bytes32(repeating: 2),
            byteCount: 258,
            key: Bytes32(repeating: 3),
            name: "ä.flac"
        )
        let file = Bytes32(repeating: 1).bytes
        let value = try #require(work.vaultValue)
        #expect(value.count == 68 + 7 && value[32..<36] == [0, 0, 1, 2])
        let read = try #require(StoredWork(try entry(file, value)))
        #expect(read.hasKey(of: work) && read.name == work.name && read.isFollowed == true)
        var short = value
        short.replaceSubrange(32..<36, with: [0, 0, 0, 28])
        for (name, value) in [
            (file, nil), (file, []), (file, Array(value.prefix(68))), (file, short),
            (Array(file.dropLast()), value), (file, value + [0xFF]), (file, value + [0x2F]),
        ] {
            #expect(StoredWork(try entry(name, value)) == nil)
        }
        let sent = DeliveredWork(
            sentAt: Timestamp(milliseconds: 1_763_700_000_123),
            count: 2,
            isAcknowledged: true
        )
        #expect(DeliveredWork(vaultValue: sent.vaultValue) == sent)
        for value in [[], sent.vaultValue + [0], sent.vaultValue.dropLast() + [2]] {
            #expect(DeliveredWork(vaultValue: Array(value)) == nil)
        }
    }

    @Test func `slow uploads of works do not block other uploads`() async throws {
        try await Self.pair { _, one, _, ana in
            let bo = try await one.chat.createAccount("bo")
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        // What is added below may have the permit just then.
                        while !Task.isCancelled {
                            _ = try? await one.works.add(Halted(), named: "a", by: ana)
                        }
                    }
                }
                func refused(_ account: Address) async -> ProblemCode? {
                    do {
                        _ = try await one.add([1], named: "b", by: account)
                        return nil
                    } catch {
                        return (error as? Refusal)?.code
                    }
                }
                while await refused(ana) != .tooManyTries { await Task.yield() }
                #expect(await refused(bo) == nil)
                group.cancelAll()
            }
            _ = try await one.add([1], named: "c", by: ana)
        }
    }
}
