import Keys
import Market
import Storage
import Support
import Testing

struct RecordSweepTests {
    private func open(_ slot: UInt8) throws -> RecordEntry {
        RecordEntry(try SampleRecords.record(slot: slot, at: .sample()), lane: .open)
    }

    @Test func `indexes an anchored record by its known subject`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let record = try open(1)
        _ = try await store.ingest([record], at: .sample())
        let (id, sale) = (record.version.id, Bytes32(repeating: 7))
        let isHere = try await store.write { try $0.anchor(id, at: .sample(5), about: sale) }
        #expect(isHere)
        let kind = record.version.key.kind
        try store.read { transaction in
            let found = try transaction.records(of: kind, about: sale, limit: 2)
            #expect(found.map(\.version.id) == [id])
        }
    }

    @Test func `removes an open record after its days and keeps an anchored one`() async throws {
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

    @Test func `removes a refused record and refuses it again until it expires`() async throws {
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

    @Test func `a walk of a lane continues even if its last record was removed`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        for slot in 1...6 as ClosedRange<UInt8> {
            _ = try await store.ingest([try open(slot)], at: .sample(UInt64(slot)))
        }
        let first = try store.read { try $0.recordPlaces(in: .open, limit: 3) }
        let last = try #require(first.last)
        _ = try await store.write { try $0.anchor(last.id, at: .sample()) }
        let next = try store.read { try $0.recordPlaces(in: .open, after: last, limit: 9) }
        #expect(next.count == 3 && Set(next.map(\.id)).isDisjoint(with: first.map(\.id)))
    }

    @Test func `remembers ids up to a limit, dropping those that expire first`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.forgottenRecordsMax = 3
        let store = try Store(folder: folder.path, limits: limits)
        let ids = (1...5).map { RecordID(Bytes32(repeating: $0)) }

        try await store.write { transaction in
            for (index, id) in ids.enumerated() {
                let until = Timestamp.sample(UInt64(100 - index))
                try transaction.forget(id, .refused, until: until)
            }
        }

        let remembered = try store.read { transaction in
            try ids.map { try transaction.forgettingReason(of: $0) != nil }
        }
        #expect(remembered == [true, true, true, false, false].map { $0 })
    }
}
