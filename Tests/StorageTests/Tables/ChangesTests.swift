import Keys
import Market
import Storage
import Support
import Testing

struct ChangesTests {
    private func record(_ number: UInt8) -> RecordID {
        RecordID(Bytes32(repeating: number))
    }

    @Test func `a follower continues from its last change, even after a restart`() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try Store(folder: folder.path)
            for number in 1...5 as ClosedRange<UInt8> {
                try await store.write { try $0.noteChange(of: record(number)) }
            }
        }
        let store = try Store(folder: folder.path)
        try await store.write { try $0.noteChange(of: record(6)) }

        let page = try store.changes(after: 3, limit: 2)
        #expect(page.changes.map(\.record) == [record(4), record(5)])
        #expect(page.last == 6 && !page.isGap)
        #expect(try store.changes(after: 6).changes.isEmpty)
    }

    @Test func `treats a number from another store as a gap`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        try await store.write { try $0.noteChange(of: record(1)) }

        #expect(try store.changes(after: 2).isGap)
        #expect(try !store.changes(after: 1).isGap)
    }

    @Test func `the feed drops the oldest changes and says so`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.changesMax = 100
        let store = try Store(folder: folder.path, limits: limits)

        try await store.write { transaction in
            for _ in 0..<2_048 { try transaction.noteChange(of: record(1)) }
        }

        let behind = try store.changes(after: 0)
        #expect(behind.isGap && behind.changes.count == 100 && behind.last == 2_048)
        #expect(try !store.changes(after: 1_948).isGap)
        #expect(try store.changes(after: 1_947).isGap)
    }

    @Test func `gives a slow follower only the latest number and misses no change`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var numbers = store.changeNumbers().makeAsyncIterator()
        #expect(await numbers.next() == 0)

        for number in 1...4 as ClosedRange<UInt8> {
            try await store.write { try $0.noteChange(of: record(number)) }
        }

        #expect(await numbers.next() == 4)
        #expect(try store.changes(after: 0).changes.map(\.record) == (1...4).map(record))
    }
}
