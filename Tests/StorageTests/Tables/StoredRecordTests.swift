import Keys
import Market
import Storage
import Support
import Testing

struct StoredRecordTests {
    /// Puts what lies under the first id under the second as well.
    private func misfile<T: Table>(
        _ table: T.Type,
        _ first: RecordID,
        as second: RecordID,
        in folder: TemporaryFolder
    ) throws where T.Key == RecordID, T.Value == [UInt8] {
        let current = Schema.current
        let schema = Schema(number: current.number, oldest: current.oldest, trees: [.own(table)])
        let environment = try Environment(folder: folder.path, mapBytes: 1 << 26, schema: schema)
        try environment.write { transaction in
            let bytes = try #require(try transaction.get(table, first))
            try transaction.put(table, second, bytes)
        }
    }

    @Test(arguments: RecordLane.allCases)
    func `reports a record under another one's id as corruption`(lane: RecordLane) async throws {
        let folder = try TemporaryFolder()
        let (one, other) = try (
            SampleRecords.record(slot: 1, at: .sample()),
            SampleRecords.record(slot: 2, at: .sample())
        )
        do {
            let store = try Store(folder: folder.path, mapBytes: 1 << 26)
            let entries = [one, other].map { RecordEntry($0, lane: lane) }
            _ = try await store.ingest(entries, at: .sample())
            #expect(try store.read { try $0.record(other.id)?.version } == other.version)
        }
        switch lane {
        case .anchored: try misfile(RawAnchoredRecords.self, one.id, as: other.id, in: folder)
        case .open: try misfile(RawOpenRecords.self, one.id, as: other.id, in: folder)
        }

        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let name = lane == .anchored ? RawAnchoredRecords.name : RawOpenRecords.name
        #expect(throws: StorageError.corrupt(.value(table: name))) {
            try store.read { try $0.record(other.id) }
        }
        #expect(throws: StorageError.corrupt(.value(table: name))) {
            try store.read { try $0.records(of: .listing, limit: 9) }
        }
        #expect(try store.read { try $0.record(one.id)?.version } == one.version)
    }
}
