import Gossip
import Keys
import Market
import Storage
import Support
import Synchronization
import Testing

@testable import MediaFiles

/// What a home keeps of the files of accounts with a lease.
@Suite(.timeLimit(.minutes(5)))
struct HomedFilesTests {
    private static let origin = Bytes32(repeating: 9)

    private static func file(_ byteCount: Int, _ byte: UInt8) -> [UInt8] {
        [UInt8](repeating: byte, count: byteCount)
    }

    /// A home and a node that holds files, linked.
    private static func run(
        quotaBytes: Int = 256 << 20,
        fault: Store.FaultHook? = nil,
        _ body: @Sendable (_ home: MediaNode, _ holder: MediaNode) async throws -> Void
    ) async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        let home = try await MediaNode(in: folders[0], quotaBytes: quotaBytes, fault: fault)
        let holder = try await MediaNode(in: folders[1])
        await holder.exchange.register()
        for number in [2, 3] as [UInt8] {
            let account = testKey(number).address
            try await home.store.write { _ = try $0.addHomed(account, from: Self.origin) }
        }
        try await MediaNode.run([home, holder]) { try await body(home, holder) }
    }

    /// Has both nodes know a file of an account, which the holder has.
    private static func add(
        _ bytes: [UInt8],
        by number: UInt8,
        lane: RecordLane,
        _ home: MediaNode,
        _ holder: MediaNode,
        later: UInt64 = 0
    ) async throws -> Media {
        let media = try await holder.media.add(bytes, form: .png, by: testKey(1).address)
        for node in [home, holder] {
            try await node.name(media, by: number, lane: lane, later: later)
        }
        return media
    }

    /// Gives each of the two accounts two turns.
    private static func serve(_ home: MediaNode) async throws {
        for _ in 0..<4 { try await home.homed.serveNext() }
    }

    private static func isPinned(_ media: Media, _ home: MediaNode) throws -> Bool {
        try home.store.read { try $0.isMediaPinned(media.id) }
    }

    @Test func `a home keeps the files of its guests' sales until the lease ends`() async throws {
        try await Self.run { home, holder in
            let bytes = Self.file(100_000, 2)
            let sold = try await Self.add(bytes, by: 2, lane: .anchored, home, holder)
            let free = try await Self.add(
                Self.file(90_000, 3),
                by: 3,
                lane: .open,
                home,
                holder
            )
            let foreign = try await Self.add(
                Self.file(80_000, 4),
                by: 4,
                lane: .anchored,
                home,
                holder
            )
            try await Self.serve(home)
            #expect(try await home.media.file(sold.id)?.bytes == bytes)
            #expect(try Self.isPinned(sold, home))
            for media in [free, foreign] {
                #expect(try await home.media.media(media.id) == nil)
                #expect(try !Self.isPinned(media, home))
            }
            // Looked at again, nothing changes.
            try await Self.serve(home)
            #expect(try Self.isPinned(sold, home))
            try await home.store.write { try $0.removeHomed(testKey(2).address) }
            #expect(try !Self.isPinned(sold, home))
        }
    }

    /// - From peers: more files named by guests' sales than their part of a home's room → treated
    ///   like any other copies; there are parts for the account, for the address that leased it,
    ///   and for all guests
    @Test func `an account has a share of the room, and its former files use none`() async throws {
        // A 64th of it for one account is 1 MiB.
        try await Self.run(quotaBytes: 64 << 20) { home, holder in
            let large = Self.file(1_200_000, 2)
            let big = try await Self.add(large, by: 2, lane: .anchored, home, holder)
            let first = try await Self.add(
                Self.file(900_000, 3),
                by: 3,
                lane: .anchored,
                home,
                holder
            )
            try await Self.serve(home)
            #expect(try !Self.isPinned(big, home) && Self.isPinned(first, home))
            #expect(try await home.media.media(big.id) == nil)
            // Another file takes its place, although both together would be too much.
            let second = try await Self.add(
                Self.file(900_000, 5),
                by: 3,
                lane: .anchored,
                home,
                holder,
                later: 1_000
            )
            try await Self.serve(home)
            #expect(try !Self.isPinned(first, home) && Self.isPinned(second, home))
        }
    }

    @Test func `unpins a file that nobody has, so that it delays no other`() async throws {
        try await Self.run { home, holder in
            let lost = Media(id: Bytes32(repeating: 7), byteCount: 5_000, form: .png)
            try await home.name(lost, by: 2, lane: .anchored)
            let bytes = Self.file(70_000, 3)
            let kept = try await Self.add(bytes, by: 3, lane: .anchored, home, holder)
            try await Self.serve(home)
            #expect(try !Self.isPinned(lost, home) && Self.isPinned(kept, home))
            #expect(try await home.media.file(kept.id)?.bytes == bytes)
        }
    }

    @Test func `a full store makes no file be fetched again at each turn`() async throws {
        let isFull = Mutex(false)
        let fault: Store.FaultHook = { _ in
            isFull.withLock { $0 } ? .failure(.mapFull(.commit)) : nil
        }
        try await Self.run(fault: fault) { home, holder in
            let lost = Media(id: Bytes32(repeating: 7), byteCount: 5_000, form: .png)
            try await home.name(lost, by: 2, lane: .anchored)
            let isPinned = try await home.store.write {
                try $0.pin(lost, for: testKey(2).address, bytesMax: 1 << 20)
            }
            #expect(isPinned)
            isFull.withLock { $0 = true }
            // It cannot be released.
            await #expect(throws: StorageError.self) {
                for _ in 0..<2 { try await home.homed.serveNext() }
            }
            try await Self.serve(home)
            #expect(try Self.isPinned(lost, home))
        }
    }

    @Test func `keeps the files of a guest that became a local account`() async throws {
        try await Self.run { home, holder in
            let media = try await home.media.add(
                Self.file(60_000, 3),
                form: .png,
                by: testKey(3).address
            )
            try await home.store.write { transaction in
                try transaction.put(AccountEntries.self, testKey(3).address, [1])
            }
            try await Self.serve(home)
            #expect(try Self.isPinned(media, home))
            try await home.store.write { try $0.removeHomed(testKey(3).address) }
            #expect(try Self.isPinned(media, home))
        }
    }

    @Test func `a record with a wrong length pins the file with the right one`() async throws {
        // A 64th of it for one account is 1 MiB.
        try await Self.run(quotaBytes: 64 << 20) { home, holder in
            let bytes = Self.file(1_200_000, 2)
            let media = try await holder.media.add(bytes, form: .png, by: testKey(1).address)
            try await holder.name(media, by: 4, lane: .anchored)
            try await home.name(media, by: 4, lane: .anchored)
            let small = Media(id: media.id, byteCount: 1_000, form: .png)
            try await home.name(small, by: 2, lane: .anchored)
            try await Self.serve(home)
            #expect(try await home.media.media(media.id) == media)
            #expect(try !Self.isPinned(media, home))
        }
    }
}
