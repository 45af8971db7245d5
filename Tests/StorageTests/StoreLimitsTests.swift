import Keys
import Market
import Storage
import Support
import Testing

struct LimitsTests {
    @Test func `every write obeys the limits with which the store was opened`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.changesMax, limits.accountEventsMax, limits.forgottenRecordsMax) = (10, 2, 3)
        limits.idempotencyKeyLifetime = .seconds(1)
        let store = try Store(folder: folder.path, limits: limits)
        let account = SampleRecords.key(1).address
        // Each but the first replaces another: two changes.
        let records = try (0...512 as ClosedRange<UInt64>).map { number in
            RecordEntry(try SampleRecords.record(at: .sample(number)), lane: .anchored)
        }

        _ = try await store.ingest(records, at: .sample())
        let answer = Bytes32(repeating: 1)
        try await store.write { transaction in
            for number in 1...5 as ClosedRange<UInt8> {
                let event = AccountEvent(time: .sample(UInt64(number)), bytes: [number])
                _ = try transaction.appendEvent(event, for: account)
            }
            try transaction.putAnswer(
                [1],
                request: answer,
                key: answer,
                of: account,
                at: .sample()
            )
        }

        try store.read { transaction in
            let changes = try transaction.changes(after: 0, limit: .max)
            #expect(changes.last == 1_025 && changes.changes.map(\.number) == Array(1_015...1_025))
            let forgotten = try records.filter {
                try transaction.forgettingReason(of: $0.version.id) != nil
            }
            #expect(forgotten.count == 3)
            let events = try transaction.events(of: account, after: 0, limit: 9)
            #expect(events.events.map(\.number) == [4, 5])
            #expect(try transaction.answer(to: answer, of: account, at: .sample(999)) != nil)
            #expect(try transaction.answer(to: answer, of: account, at: .sample(1_000)) == nil)
        }
    }
}
