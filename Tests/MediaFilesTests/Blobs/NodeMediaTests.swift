import Concurrency
import Gossip
import GossipProtocol
import Keys
import Market
import Storage
import Support
import Testing

@testable import MediaFiles

/// Nodes that keep files and fetch them from each other over real links.
@Suite(.timeLimit(.minutes(5)))
struct NodeMediaTests {
    private static let ana = testKey(1).address

    private static func file(_ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 5) }
    }

    /// Answers every question with chunks of which one byte is wrong.
    private static func lie(_ node: MediaNode, with bytes: [UInt8]) async throws {
        let tree = try #require(BlobTree(of: bytes))
        let length = try #require(BlobLength(bytes.count))
        await node.links.handle(protocol: BlobExchange.protocolID) { stream in
            var frames = stream.messages(bytesMax: 64)
            while let frame = try await frames.next() {
                guard let question = BlobQuestion(frame, limits: BlobExchangeLimits()) else {
                    return
                }
                for index in question.chunks {
                    var chunk = Array(bytes[length.range(of: index)])
                    chunk[0] ^= 1
                    let answer = BlobAnswer.chunk(
                        BlobChunk(
                            length: length,
                            index: index,
                            bytes: chunk,
                            proof: tree.proof(of: index)
                        )
                    )
                    try await stream.writeMessage(answer.bytes)
                }
            }
        }
    }

    @Test func `fetches 15 MiB from two peers, one of which lies`() async throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let asker = try await MediaNode(in: folders[0])
        let holder = try await MediaNode(in: folders[1])
        let liar = try await MediaNode(in: folders[2])
        let bytes = Self.file(15_728_640)
        await holder.exchange.register()
        try await Self.lie(liar, with: bytes)
        let media = try await holder.media.add(bytes, form: .png, by: Self.ana)
        try await holder.name(media)
        try await asker.name(media)

        try await MediaNode.run([asker, holder, liar]) {
            #expect(try await asker.media.media(media.id) == nil)
            let file = try #require(try await asker.media.file(media.id))
            #expect(file.media == media && file.bytes == bytes)
            #expect(try await asker.media.media(media.id) == media)
            #expect(asker.offences.names(of: liar.links.localPeer) == ["wrong_blob"])
            #expect(asker.offences.names(of: holder.links.localPeer).isEmpty)
        }
        // It is held now: no peer is needed.
        #expect(try await asker.media.file(media.id)?.bytes == bytes)
    }

    @Test func `an encrypted file that differs from its promise uses no room`() async throws {
        let folder = try TemporaryFolder()
        let node = try await MediaNode(in: folder)
        let bo = testKey(2).address
        let media = try await node.media.add(Self.file(50_000), form: .sealed, by: Self.ana)
        func pinned() throws -> UInt64 { try node.store.read { try $0.pinnedBytes(of: bo) } }
        let short = Media(id: media.id, byteCount: 1, form: .sealed)
        #expect(try await node.media.sealed(short, for: bo) == nil)
        #expect(try pinned() == 0)
        let absent = Media(id: Bytes32(repeating: 8), byteCount: 100, form: .sealed)
        #expect(try await node.media.sealed(absent, for: bo) == nil)
        #expect(try pinned() == 0)
        #expect(try await node.media.sealed(media, for: bo)?.bytes.count == 50_000)
        #expect(try pinned() == 53_248)
        // It did not open: it goes, unless it is a work of the account.
        try await node.store.write {
            try $0.putWork(Bytes32(repeating: 1), of: bo, sealed: [1], blob: media.id)
        }
        try await node.media.releaseSealed(media.id, by: bo)
        #expect(try pinned() == 53_248)
        try await node.store.write {
            try $0.removeWork(Bytes32(repeating: 1), of: bo, blob: media.id)
        }
        try await node.media.releaseSealed(media.id, by: bo)
        #expect(try pinned() == 0)
    }

    /// - From peers: a question for a blob that no stored record names → refused as not held
    @Test func `serves and fetches only files that a record names`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        var limits = BlobFetchLimits()
        limits.pause = .zero
        let asker = try await MediaNode(in: folders[0], fetchLimits: limits)
        let holder = try await MediaNode(in: folders[1])
        await holder.exchange.register()
        let bytes = Self.file(100_000)
        let media = try await holder.media.add(bytes, form: .png, by: Self.ana)

        try await MediaNode.run([asker, holder]) {
            // Named nowhere, then only where it is wanted, then only where it is held.
            let unnamed = try await asker.media.file(media.id)
            #expect(unnamed == nil)
            try await asker.name(media)
            #expect(try await asker.media.file(media.id) == nil)
            try await holder.name(media)
            #expect(try await asker.media.file(media.id)?.bytes == bytes)
        }
    }

    /// - From peers: a record that states a wrong length of a blob → the lengths that peers show
    ///   are tried
    @Test func `a record with a wrong length does not block a file`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        let asker = try await MediaNode(in: folders[0])
        let holder = try await MediaNode(in: folders[1])
        await holder.exchange.register()
        let bytes = Self.file(200_000)
        let media = try await holder.media.add(bytes, form: .png, by: Self.ana)
        try await holder.name(media)
        try await asker.name(media)
        for number in [2, 3, 4] as [UInt8] {
            try await asker.name(
                Media(id: media.id, byteCount: 70_000, form: .png),
                by: number
            )
        }

        try await MediaNode.run([asker, holder]) {
            let found = try await asker.media.file(media.id)
            #expect(found?.bytes == bytes)
            #expect(asker.offences.names(of: holder.links.localPeer).isEmpty)
        }
    }

    /// - From peers: many records that state wrong lengths of a blob → the lengths that peers show,
    ///   then those that most records state are tried, twelve in all
    @Test func `many records with wrong lengths do not block a file`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        let asker = try await MediaNode(in: folders[0])
        let holder = try await MediaNode(in: folders[1])
        await holder.exchange.register()
        let bytes = Self.file(200_000)
        let media = try await holder.media.add(bytes, form: .png, by: Self.ana)
        try await holder.name(media)
        try await asker.name(media)
        // Eight lengths of two records each: the right one has one, and is not among the first four.
        for number in 2...17 as ClosedRange<UInt8> {
            try await asker.name(
                Media(id: media.id, byteCount: 70_000 + UInt64(number) / 2, form: .png),
                by: number
            )
        }
        try await MediaNode.run([asker, holder]) {
            let found = try? await asker.media.file(media.id)
            #expect(found?.bytes == bytes)
            #expect(asker.offences.names(of: holder.links.localPeer).isEmpty)
        }
    }

    @Test func `concurrent callers of a file share one fetch`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        let asker = try await MediaNode(in: folders[0])
        let holder = try await MediaNode(in: folders[1])
        await holder.exchange.register()
        let bytes = Self.file(2_000_000)
        let media = try await holder.media.add(bytes, form: .webp, by: Self.ana)
        try await holder.name(media)
        try await asker.name(media)

        try await MediaNode.run([asker, holder]) {
            try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await asker.media.file(media.id)?.bytes }
                }
                for try await found in group { #expect(found == bytes) }
            }
        }
    }

    /// - From peers: a blob that does not arrive in time → tried again after 30 s; received chunks
    ///   stay
    @Test func `a fetch ends at its time limit and keeps its chunks`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        var limits = BlobFetchLimits()
        limits.fetchMax = .seconds(2)
        let asker = try await MediaNode(in: folders[0], fetchLimits: limits)
        let holder = try await MediaNode(in: folders[1])
        let bytes = Self.file(300_000)
        let media = try await holder.media.add(bytes, form: .webp, by: Self.ana)
        try await asker.name(media)
        let file = try #require(try await holder.files.open(media.id))
        await holder.links.handle(protocol: BlobExchange.protocolID) { stream in
            var frames = stream.messages(bytesMax: 64)
            _ = try await frames.next()
            for index in 0..<2 {
                let chunk = BlobChunk(
                    length: file.length,
                    index: index,
                    bytes: try file.chunk(index),
                    proof: file.proof(of: index)
                )
                try await stream.writeMessage(BlobAnswer.chunk(chunk).bytes)
            }
            while try await frames.next() != nil {}
        }

        try await MediaNode.run([asker, holder]) {
            #expect(try await asker.media.file(media.id) == nil)
            #expect(try await asker.files.beginFetch(of: media) == [2, 3, 4])
            #expect(try await !asker.files.endFetch(of: media.id))
            await holder.exchange.register()
            try await holder.name(media)
            // Not tried again at once.
            #expect(try await asker.media.file(media.id) == nil)
        }
    }

    /// - From peers: many files that free records name and no peer sends → they can use 6 of the 8
    ///   fetches
    @Test(.timeLimit(.minutes(1)))
    func `files of free records leave room for files of sales`() async throws {
        let folders = try (0..<2).map { _ in try TemporaryFolder() }
        var limits = BlobFetchLimits()
        (limits.fetchesMax, limits.openFetchesMax) = (2, 1)
        // Longer than the test may take.
        var exchangeLimits = BlobExchangeLimits()
        exchangeLimits.chunkMax = .seconds(600)
        let asker = try await MediaNode(
            in: folders[0],
            limits: exchangeLimits,
            fetchLimits: limits
        )
        let holder = try await MediaNode(in: folders[1])
        let bytes = Self.file(300_000)
        let sold = try await holder.media.add(bytes, form: .webp, by: Self.ana)
        try await holder.name(sold)
        try await asker.name(sold, lane: .anchored)
        // Of these files the holder sends nothing, and does not say so.
        var silent: [Media] = []
        for number in 2...5 as ClosedRange<UInt8> {
            let tree = try #require(BlobTree(of: [number]))
            let media = Media(id: tree.root, byteCount: 1, form: .webp)
            try await asker.name(media, by: number)
            silent.append(media)
        }
        let held = BoundedQueue<Int>(elementsMax: 16)
        await holder.links.handle(protocol: BlobExchange.protocolID) { stream in
            var frames = stream.messages(bytesMax: 64)
            while let frame = try await frames.next() {
                guard let question = BlobQuestion(frame, limits: BlobExchangeLimits()),
                    let file = try await holder.files.open(question.id)
                else {
                    _ = held.offer(1)
                    continue
                }
                for index in question.chunks {
                    let chunk = BlobChunk(
                        length: file.length,
                        index: index,
                        bytes: try file.chunk(index),
                        proof: file.proof(of: index)
                    )
                    try await stream.writeMessage(BlobAnswer.chunk(chunk).bytes)
                }
            }
        }

        try await MediaNode.run([asker, holder]) { [silent] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for media in silent {
                    group.addTask { _ = try await asker.media.file(media.id) }
                }
                _ = await held.receive()
                let found = try await asker.media.file(sold.id)
                #expect(found?.bytes == bytes)
                group.cancelAll()
            }
        }
    }

    @Test func `refuses files that it cannot store, with the reason`() async throws {
        let folder = try TemporaryFolder()
        let node = try await MediaNode(in: folder, quotaBytes: 409_600)
        await #expect(throws: BlobFault.empty) {
            _ = try await node.media.add([], form: .png, by: Self.ana)
        }
        await #expect(throws: BlobFault.tooLong(byteCountMax: 15_728_640)) {
            let long = [UInt8](repeating: 0, count: 15_728_641)
            _ = try await node.media.add(long, form: .png, by: Self.ana)
        }
        await #expect(throws: BlobFault.accountFull(bytesMax: 102_400)) {
            _ = try await node.media.add(Self.file(102_401), form: .png, by: Self.ana)
        }
        for number in 1...3 as ClosedRange<UInt8> {
            let bytes = [UInt8](repeating: number, count: 99_000)
            _ = try await node.media.add(bytes, form: .png, by: testKey(number).address)
        }
        let account = testKey(5).address
        await #expect(throws: BlobFault.noRoom(quotaBytes: 409_600)) {
            _ = try await node.media.add(
                [UInt8](repeating: 7, count: 99_999),
                form: .png,
                by: testKey(4).address
            )
            _ = try await node.media.add(
                [UInt8](repeating: 8, count: 9_999),
                form: .png,
                by: account
            )
        }
        // What was refused takes nothing of the account's share.
        #expect(try node.store.read { try $0.pinnedBytes(of: account) } == 0)
    }

    @Test func `an account can remove its file unless one of its records names it`() async throws {
        let folder = try TemporaryFolder()
        let node = try await MediaNode(in: folder, quotaBytes: 400_000)
        let (one, other) = (testKey(1).address, testKey(2).address)
        let free = try await node.media.add(Self.file(60_000), form: .png, by: one)
        let named = try await node.media.add(Self.file(10_000), form: .png, by: one)
        let work = try await node.media.add(Self.file(20_000), form: .sealed, by: one)
        // Another account's record keeps nobody from removing his own file.
        try await node.name(free, by: 2)
        try await node.name(named, by: 1)
        let added = try await node.media.added(by: one, after: nil, limit: 10)
        #expect(Set(added.map(\.id)) == [free.id, named.id, work.id])
        #expect(added.filter(\.isNamed).map(\.id) == [named.id])
        #expect(try await node.media.added(by: other, after: nil, limit: 10).isEmpty)

        #expect(try await node.media.release(free.id, by: other) == .unknown)
        #expect(try await node.media.release(named.id, by: one) == .named)
        #expect(try await node.media.release(work.id, by: one) == .work)
        await #expect(throws: BlobFault.accountFull(bytesMax: 100_000)) {
            _ = try await node.media.add(Self.file(50_000), form: .jpeg, by: one)
        }
        #expect(try await node.media.release(free.id, by: one) == .released)
        #expect(try await node.media.release(free.id, by: one) == .unknown)
        _ = try await node.media.add(Self.file(50_000), form: .jpeg, by: one)
    }

    @Test func `a file that two accounts added stays until both accounts are gone`() async throws {
        let folder = try TemporaryFolder()
        let node = try await MediaNode(in: folder, quotaBytes: 400_000)
        let bytes = Self.file(90_000)
        let first = try await node.media.add(bytes, form: .png, by: testKey(1).address)
        let second = try await node.media.add(bytes, form: .jpeg, by: testKey(2).address)
        #expect(first == second)
        func fill() async throws {
            for number in 10...14 as ClosedRange<UInt8> {
                let other = [UInt8](repeating: number, count: 95_000)
                let media = try await node.media.add(other, form: .png, by: testKey(3).address)
                try await node.store.write { try $0.unpin(media.id, for: testKey(3).address) }
            }
        }

        try await node.store.write { try $0.removeAccount(testKey(1).address) }
        try await fill()
        #expect(try await node.media.file(first.id)?.bytes == bytes)
        try await node.store.write { try $0.removeAccount(testKey(2).address) }
        try await fill()
        #expect(try await node.media.media(first.id) == nil)
    }
}
