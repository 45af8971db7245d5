import Keys
import Market
import Storage
import Support
import Testing

/// Random additions, fetches, uses and restarts, against a list in memory.
struct BlobFilesModelTests {
    private struct Model {
        /// The whole blobs, the longest unused first.
        var held: [(id: Bytes32, fileBytes: Int)] = []
        var pinned: Set<Bytes32> = []
        let quotaBytes: Int

        mutating func use(_ id: Bytes32) {
            guard let index = held.firstIndex(where: { $0.id == id }) else { return }
            held.append(held.remove(at: index))
        }

        /// Returns whether there is room, made by dropping what was unused longest.
        mutating func add(_ id: Bytes32, _ fileBytes: Int) -> Bool {
            if held.contains(where: { $0.id == id }) {
                use(id)
                return true
            }
            let fixed = held.filter { pinned.contains($0.id) }.reduce(0) { $0 + $1.fileBytes }
            guard fixed + fileBytes <= quotaBytes else { return false }
            while held.reduce(fileBytes, { $0 + $1.fileBytes }) > quotaBytes {
                guard let index = held.firstIndex(where: { !pinned.contains($0.id) }) else {
                    return false
                }
                held.remove(at: index)
            }
            held.append((id, fileBytes))
            return true
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `the store contains exactly what the model contains`(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (folder, pins) = (try TemporaryFolder(), BlobPinsBox())
        var model = Model(quotaBytes: 400_000)
        func open() throws -> BlobFiles {
            try BlobFiles(
                folder: folder.path("blobs"),
                limits: BlobLimits(quotaBytes: model.quotaBytes),
                isPinned: { pins.has($0) }
            )
        }
        let files = try open()
        let blobs = (0..<24).map { number in
            let byteCount = Int.random(in: 1...150_000, using: &random)
            return [UInt8](repeating: UInt8(number), count: byteCount)
        }
        for _ in 0..<300 {
            let bytes = blobs[Int.random(in: 0..<blobs.count, using: &random)]
            let tree = try #require(BlobTree(of: bytes))
            let length = try #require(BlobLength(bytes.count))
            // A file takes blocks of 4 KiB.
            let fileBytes = (bytes.count + 32 * length.chunkCount + 4_095) / 4_096 * 4_096
            switch random.next() % 10 {
            case 0...3:
                let hasRoom = model.add(tree.root, fileBytes)
                do {
                    _ = try await files.add(bytes, tree: tree, form: .png)
                    #expect(hasRoom)
                } catch BlobFault.noRoom {
                    #expect(!hasRoom)
                }
            case 4...6:
                let media = Media(id: tree.root, byteCount: UInt64(bytes.count), form: .png)
                let isHeld = model.held.contains { $0.id == tree.root }
                let hasRoom = isHeld || model.add(tree.root, fileBytes)
                do {
                    for index in try await files.beginFetch(of: media) {
                        let chunk = Array(bytes[length.range(of: index)])
                        try await files.put(chunk, at: index, of: media.id)
                    }
                    #expect(try await files.endFetch(of: media.id))
                    #expect(hasRoom)
                } catch BlobFault.noRoom {
                    #expect(!hasRoom)
                }
            case 7 where model.pinned.count < 12 && model.held.contains { $0.id == tree.root }:
                model.pinned.insert(tree.root)
                pins.pin(tree.root)
            default:
                let isHeld = model.held.contains { $0.id == tree.root }
                model.use(tree.root)
                #expect(try await files.open(tree.root)?.bytes() == (isHeld ? bytes : nil))
            }
            let usage = await files.usage
            #expect(usage.bytes == model.held.reduce(0) { $0 + $1.fileBytes })
            #expect(usage.bytes <= model.quotaBytes && usage.count == model.held.count)
        }
        #expect(model.pinned.allSatisfy { id in model.held.contains { $0.id == id } })
        // With all pinned, one byte more than the rest has no room.
        let used = model.held.reduce(0) { $0 + $1.fileBytes }
        for (id, _) in model.held { pins.pin(id) }
        let long = [UInt8](repeating: 99, count: model.quotaBytes - used + 1)
        let tree = try #require(BlobTree(of: long))
        await #expect(throws: BlobFault.noRoom(quotaBytes: model.quotaBytes)) {
            _ = try await files.add(long, tree: tree, form: .png)
        }
        let reopened = try open()
        for (id, _) in model.held { #expect(await reopened.media(id) != nil) }
        #expect(await reopened.usage.count == model.held.count)
    }
}
