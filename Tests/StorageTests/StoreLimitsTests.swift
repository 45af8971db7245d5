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

    /// - From peers: more events of accounts than their part of the store has room for → each account
    ///   keeps the same number of its newest ones
    @Test func `accounts share the room for their events`() async throws {
        var limits = StoreLimits()
        limits.allEventBytesMax = 12 * limits.eventBytes
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: limits)
        let accounts = (1...3 as ClosedRange<UInt8>).map { SampleRecords.key($0).address }
        try await store.write { transaction in
            for account in accounts { try transaction.put(AccountEntries.self, account, [1]) }
            for number in 1...20 as ClosedRange<UInt8> {
                let event = AccountEvent(time: .sample(UInt64(number)), bytes: [number])
                _ = try transaction.appendEvent(event, for: accounts[0])
            }
        }
        try store.read { transaction in
            let events = try transaction.events(of: accounts[0], after: 0, limit: 99)
            #expect(events.events.map(\.number) == [17, 18, 19, 20])
        }
        // An account alone has all of the room, up to its own bound.
        #expect(StoreLimits(mapBytes: 16 << 30, openLaneBytesMax: 0).allEventBytesMax == 512 << 20)
    }
}
