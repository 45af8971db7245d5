import Concurrency
import Foundation
import Keys
import Market
import Storage
import Support
import Synchronization
import Testing

struct BlobFilesTests {
    private static let chunk = BlobLength.chunkByteCountMax

    private static func file(_ byteCount: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        let block = random.bytes(count: 997)
        return (0..<byteCount).map { block[$0 % block.count] }
    }

    private static func open(
        _ folder: TemporaryFolder,
        quotaBytes: Int = 64 << 20,
        pins: BlobPinsBox = BlobPinsBox()
    ) throws -> BlobFiles {
        try BlobFiles(
            folder: folder.path("blobs"),
            limits: BlobLimits(quotaBytes: quotaBytes),
            isPinned: { pins.has($0) }
        )
    }

    private static func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("blobs")).sorted()
    }

    @Test func `serves an added file with a proof of each chunk, even after a restart`()
        async throws
    {
        let folder = try TemporaryFolder()
        let bytes = Self.file(3 * Self.chunk + 5, seed: 1)
        let tree = try #require(BlobTree(of: bytes))
        let media = try await Self.open(folder).add(bytes, tree: tree, form: .png)

        let files = try Self.open(folder)
        let held = try #require(try await files.open(media.id))
        #expect(media.byteCount == UInt64(bytes.count) && media.form == .png)
        #expect(await files.media(media.id) == media)
        #expect(try held.bytes() == bytes)
        for index in 0..<4 {
            #expect(
                BlobTree.proves(
                    BlobHash.leaf(try held.chunk(index)),
                    at: index,
                    of: 4,
                    by: held.proof(of: index),
                    root: media.id
                )
            )
        }
        #expect(try Self.names(in: folder).count == 1)
    }

    @Test func `adding the same bytes again yields the same file`() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.open(folder)
        let bytes = Self.file(10, seed: 2)
        let tree = try #require(BlobTree(of: bytes))
        let first = try await files.add(bytes, tree: tree, form: .jpeg)
        let again = try await files.add(bytes, tree: tree, form: .pdf)

        #expect(first == again)
        #expect(try Self.names(in: folder).count == 1)
    }

    @Test func `hides a damaged file until it is added again`() async throws {
        let folder = try TemporaryFolder()
        let bytes = Self.file(2 * Self.chunk, seed: 3)
        let tree = try #require(BlobTree(of: bytes))
        let media = try await Self.open(folder).add(bytes, tree: tree, form: .pdf)
        let path = folder.path("blobs") + "/" + (try #require(try Self.names(in: folder).first))
        func spoil(at place: UInt64) throws {
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: place)
            try file.write(contentsOf: [0x55, 0xAA, 0x55])
            try file.close()
        }

        try spoil(at: 70_000)
        let files = try Self.open(folder)
        let held = try #require(try await files.open(media.id))
        #expect(try held.chunk(0) == Array(bytes[..<Self.chunk]))
        #expect(throws: BlobFault.damaged) { try held.chunk(1) }
        #expect(throws: BlobFault.damaged) { try held.bytes() }
        _ = try await files.add(bytes, tree: tree, form: .pdf)
        #expect(try await files.open(media.id)?.bytes() == bytes)

        try spoil(at: UInt64(bytes.count))
        #expect(try await Self.open(folder).open(media.id) == nil)
        #expect(try Self.names(in: folder).isEmpty)
    }

    @Test func `resumes a fetch after a restart with the missing chunks`() async throws {
        let folder = try TemporaryFolder()
        let bytes = Self.file(4 * Self.chunk + 1, seed: 4)
        let tree = try #require(BlobTree(of: bytes))
        let media = Media(id: tree.root, byteCount: UInt64(bytes.count), form: .webp)
        let length = try #require(BlobLength(bytes.count))
        func put(_ chunks: [Int], into files: BlobFiles) async throws {
            for chunk in chunks {
                try await files.put(Array(bytes[length.range(of: chunk)]), at: chunk, of: media.id)
            }
        }
        do {
            let files = try Self.open(folder)
            #expect(try await files.beginFetch(of: media) == [0, 1, 2, 3, 4])
            await #expect(throws: BlobFault.busy) { _ = try await files.beginFetch(of: media) }
            try await put([4, 0, 2], into: files)
            #expect(try await files.endFetch(of: media.id) == false)
            #expect(await files.media(media.id) == nil)
        }
        // A crash may leave a chunk's hash without its bytes.
        let path = folder.path("blobs") + "/" + (try #require(try Self.names(in: folder).first))
        let part = try FileHandle(forUpdating: URL(filePath: path))
        try part.seek(toOffset: 2 * UInt64(Self.chunk))
        try part.write(contentsOf: [1, 2, 3])
        try part.close()

        let files = try Self.open(folder)
        #expect(try await files.beginFetch(of: media) == [1, 2, 3])
        try await put([1, 2, 3], into: files)
        #expect(try await files.endFetch(of: media.id))
        #expect(try await Self.open(folder).open(media.id)?.bytes() == bytes)
        #expect(try Self.names(in: folder).count == 1)
        #expect(try await files.beginFetch(of: media).isEmpty)
    }

    @Test func `a fetch continues whatever form records give for the file`() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.open(folder)
        let bytes = Self.file(2 * Self.chunk, seed: 9)
        let tree = try #require(BlobTree(of: bytes))
        func media(_ form: Media.Form) -> Media {
            Media(id: tree.root, byteCount: UInt64(bytes.count), form: form)
        }
        #expect(try await files.beginFetch(of: media(.png)) == [0, 1])
        try await files.put(Array(bytes[..<Self.chunk]), at: 0, of: tree.root)
        #expect(try await !files.endFetch(of: tree.root))
        #expect(await files.begunByteCount(of: tree.root) == UInt64(bytes.count))
        #expect(try await files.beginFetch(of: media(.jpeg)) == [1])
        try await files.put(Array(bytes[Self.chunk...]), at: 1, of: tree.root)
        #expect(try await files.endFetch(of: tree.root))
        #expect(await files.begunByteCount(of: tree.root) == nil)
    }

    @Test func `discards chunks that do not form the blob when the fetch ends`() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.open(folder)
        let media = Media(id: .random(), byteCount: 3, form: .png)
        _ = try await files.beginFetch(of: media)
        try await files.put([1, 2, 3], at: 0, of: media.id)

        await #expect(throws: BlobFault.damaged) { _ = try await files.endFetch(of: media.id) }
        #expect(try Self.names(in: folder).isEmpty)
        #expect(await files.usage.bytes == 0)
    }

    @Test func `refuses a file that does not fit beside pinned files`()
        async throws
    {
        let (folder, pins) = (try TemporaryFolder(), BlobPinsBox())
        let files = try Self.open(folder, quotaBytes: 3 * Self.chunk, pins: pins)
        func add(_ byteCount: Int, _ seed: UInt64) async throws -> Bytes32 {
            let bytes = Self.file(byteCount, seed: seed)
            let tree = try #require(BlobTree(of: bytes))
            return try await files.add(bytes, tree: tree, form: .png).id
        }
        let pinned = try await add(Self.chunk, 1)
        pins.pin(pinned)
        let cached = try await add(Self.chunk / 2, 2)

        await #expect(throws: BlobFault.noRoom(quotaBytes: 3 * Self.chunk)) {
            _ = try await add(2 * Self.chunk, 3)
        }
        #expect(await files.media(cached) != nil)
        _ = try await add(Self.chunk + Self.chunk / 2, 4)
        _ = try await add(Self.chunk, 5)
        #expect(await files.media(cached) == nil)
        #expect(await files.media(pinned) != nil)
        let text = BlobFault.noRoom(quotaBytes: 5 << 20).description
        #expect(text.contains("5 MiB") && text.contains("media.mebibytes"))
    }

    /// - From peers: records that state long files, and peers that send nothing of them → they take
    ///   no room and evict nothing; parts of files are evicted before whole ones
    @Test func `a stated length takes no room; incomplete files are removed first`() async throws {
        let folder = try TemporaryFolder()
        let files = try Self.open(folder, quotaBytes: 10 * Self.chunk)
        let bytes = Self.file(3 * Self.chunk, seed: 1)
        let whole = try await files.add(bytes, tree: try #require(BlobTree(of: bytes)), form: .png)
        let used = await files.usage.bytes
        func stated(_ chunks: Int) -> Media {
            Media(id: .random(), byteCount: UInt64(chunks * Self.chunk), form: .png)
        }
        // Each would need the place of the whole file.
        for _ in 0..<4 {
            let claim = stated(8)
            #expect(try await files.beginFetch(of: claim).count == 8)
            #expect(try await !files.endFetch(of: claim.id))
        }
        #expect(await files.usage.bytes == used)
        #expect(try Self.names(in: folder).count == 1)

        // What is fetched at the same time must fit together.
        let first = stated(6)
        _ = try await files.beginFetch(of: first)
        await #expect(throws: BlobFault.noRoom(quotaBytes: 10 * Self.chunk)) {
            _ = try await files.beginFetch(of: stated(6))
        }
        // A part counts with what has come, and goes before a whole file, however lately it came.
        for index in 0..<4 {
            try await files.put(Self.file(Self.chunk, seed: 2), at: index, of: first.id)
        }
        #expect(try await !files.endFetch(of: first.id))
        let more = await files.usage.bytes - used
        #expect(more > 4 * Self.chunk && more < 5 * Self.chunk)
        let reopened = try Self.open(folder, quotaBytes: 10 * Self.chunk)
        #expect(await reopened.usage.bytes - used < 5 * Self.chunk)
        let other = Self.file(6 * Self.chunk, seed: 3)
        _ = try await files.add(other, tree: try #require(BlobTree(of: other)), form: .png)
        #expect(await files.begunByteCount(of: first.id) == nil)
        #expect(await files.media(whole.id) != nil)
    }

    @Test func `removes temporary files and leaves other files alone`() async throws {
        let folder = try TemporaryFolder()
        let bytes = Self.file(7, seed: 9)
        let tree = try #require(BlobTree(of: bytes))
        _ = try await Self.open(folder).add(bytes, tree: tree, form: .png)
        let name = try #require(try Self.names(in: folder).first)
        for other in ["notes.txt", name + ".new", name.uppercased()] {
            #expect(
                FileManager.default.createFile(
                    atPath: folder.path("blobs") + "/" + other,
                    contents: Data([1])
                )
            )
        }

        let files = try Self.open(folder)
        #expect(await files.usage.count == 1)
        #expect(try Self.names(in: folder) == [name, name.uppercased(), "notes.txt"].sorted())
    }

    @Test func `refuses a folder that is not writable, with the reason`() throws {
        #expect(throws: StorageError.self) {
            _ = try BlobFiles(
                folder: "/proc/no/such",
                limits: BlobLimits(quotaBytes: 1 << 20),
                isPinned: { _ in false }
            )
        }
    }
}

/// The pinned blobs of a test.
final class BlobPinsBox: Sendable {
    private let ids = Mutex<Set<Bytes32>>([])

    func pin(_ id: Bytes32) { ids.withLock { _ = $0.insert(id) } }

    func has(_ id: Bytes32) -> Bool { ids.withLock { $0.contains(id) } }
}
