import Keys
import Market
import Storage
import Support
import Testing

struct RecordSweepTests {
    private func open(_ slot: UInt8) throws -> RecordEntry {
        RecordEntry(try SampleRecords.record(slot: slot, at: .sample()), lane: .open)
    }

    @Test func `the open lane keeps to its budget, the oldest out first`() async throws {
        let folder = try TemporaryFolder()
        var limits = Limits()
        let byteCount = try open(1).bytes.count
        limits.openLaneBytesMax = byteCount * 3 + byteCount / 2
        let store = try Store(folder: folder.path, limits: limits)
        var ids: [RecordID] = []
        for slot in 1...6 as ClosedRange<UInt8> {
            let entry = try open(slot)
            ids.append(entry.version.id)
            _ = try await store.ingest([entry], at: .sample(UInt64(slot)))
        }

        try store.read { transaction in
            let kept = try transaction.recordIDs(in: .open, limit: 10)
            let bytes = try transaction.openLaneBytes()
            #expect(kept == Array(ids.suffix(3)))
            #expect(bytes == UInt64(kept.count * byteCount))
        }
    }

    @Test func `an open record goes after its days, an anchored one stays`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let (first, second) = (try open(1), try open(2))
        _ = try await store.ingest([first, second], at: .sample())
        let isHere = try await store.write { try $0.anchor(first.version.id, at: .sample(5)) }
        #expect(isHere)

        let later = Timestamp.sample().advanced(by: .days(8))
        let removed = try await store.write { try $0.sweepRecords(at: later) }

        #expect(removed == 1)
        try store.read { transaction in
            let anchored = try transaction.record(first.version.id)
            let open = try transaction.record(second.version.id)
            let bytes = try transaction.openLaneBytes()
            #expect(anchored?.lane == .anchored && anchored?.orderTime == .sample(5))
            #expect(open == nil && bytes == 0)
        }
        let end = Timestamp.sample().advanced(by: .days(401))
        #expect(try await store.write { try $0.sweepRecords(at: end) } == 1)
        #expect(try store.read { try $0.recordCount() } == 0)
    }

    @Test func `a refused record goes and is not taken again until it expires`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let entry = try open(1)
        _ = try await store.ingest([entry], at: .sample())

        let wasHere = try await store.write { try $0.refuse(entry.version.id) }

        #expect(wasHere)
        #expect(try await store.ingest([entry], at: .sample()) == [.forgotten(.refused)])
        let later = Timestamp.sample().advanced(by: .days(8))
        _ = try await store.write { try $0.sweepRecords(at: later) }
        let again = try await store.ingest([entry], at: later)
        #expect(again == [.stored(replaced: nil)])
    }

    @Test func `ids are remembered up to a limit, the first to expire dropped`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var limits = Limits()
        limits.forgottenRecordsMax = 3
        let ids = (1...5).map { RecordID(Bytes32(repeating: $0)) }

        try await store.write { [limits] transaction in
            for (index, id) in ids.enumerated() {
                let until = Timestamp.sample(UInt64(100 - index))
                try transaction.forget(id, .refused, until: until, limits: limits)
            }
        }

        let remembered = try store.read { transaction in
            try ids.map { try transaction.forgettingReason(of: $0) != nil }
        }
        #expect(remembered == [true, true, true, false, false].map { $0 })
    }

    @Test func `held records wait a day, within a limit`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var limits = Limits()
        limits.heldRecordsMax = 2
        let ids = (1...3).map { RecordID(Bytes32(repeating: $0)) }

        let held = try await store.write { [limits] transaction in
            try ids.map { try transaction.hold($0, bytes: [1], at: .sample(), limits: limits) }
        }
        #expect(held == [true, true, false])
        try await store.write { try $0.release(ids[0]) }
        #expect(try store.read { try $0.heldRecords(limit: 9).map(\.place.second) } == [ids[1]])

        let later = Timestamp.sample().advanced(by: .days(1))
        let fits = try await store.write { [limits] transaction in
            try transaction.hold(ids[2], bytes: [1], at: later, limits: limits)
        }
        #expect(fits)
        #expect(try store.read { try $0.heldRecords(limit: 9).map(\.place.second) } == [ids[2]])
    }
}
