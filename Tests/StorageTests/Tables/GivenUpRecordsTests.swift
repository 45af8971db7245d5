import Keys
import Market
import Storage
import Support
import Testing

/// What the anchored lane does over its budget.
struct GivenUpRecordsTests {
    /// A profile whose text makes it about that long.
    private static func profile(
        by author: UInt8,
        textBytes: Int,
        at time: UInt64 = 0
    ) throws -> SignedRecord {
        let key = SampleRecords.key(author)
        let about = String(repeating: "a", count: textBytes)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: .profile(try Profile(name: "Name", about: about)),
            slot: .zero,
            createdAt: .sample(time)
        )
        return try draft.signed(by: key)
    }

    private static func limits(laneBytes: Int) -> StoreLimits {
        var limits = StoreLimits()
        limits.anchoredLaneBytesMax = laneBytes
        return limits
    }

    private static func entry(_ record: SignedRecord) -> RecordEntry {
        RecordEntry(record, lane: .anchored)
    }

    private static func take(_ record: SignedRecord, into store: Store) async throws
        -> RecordOutcome
    {
        try await store.ingest([entry(record)], at: .sample(100))[0]
    }

    private static func anchored(in store: Store) throws -> Set<RecordID> {
        Set(try store.read { try $0.recordIDs(in: .anchored, after: nil, limit: 1_000) })
    }

    /// - From peers: more anchored records than there is room for → the longest are removed
    @Test func `the anchored lane drops its longest records to meet its budget`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: Self.limits(laneBytes: 4_100))
        let (short, long) = (
            try Self.profile(by: 1, textBytes: 300), try Self.profile(by: 2, textBytes: 1_500)
        )
        for record in [short, long] {
            #expect(try await Self.take(record, into: store) == .stored(replaced: nil))
        }
        let middle = try Self.profile(by: 3, textBytes: 1_200)
        #expect(try await Self.take(middle, into: store) == .stored(replaced: nil))
        #expect(try Self.anchored(in: store) == [short.id, middle.id])
        // What would be the first to go is not kept at all, nor asked for again.
        let longest = try Self.profile(by: 4, textBytes: 2_000)
        #expect(try await Self.take(longest, into: store) == .noRoom)
        for record in [long, longest] {
            #expect(try await Self.take(record, into: store) == .noRoom)
            #expect(
                try store.read { try $0.isSettled(record.id) }
            )
        }
        #expect(try store.read { try $0.givenUpCount() } == 2)
        #expect(try store.read { try $0.anchoredLaneBytes() } <= 4_100)
        // Lists show what is here alone.
        let author = long.author
        #expect(
            try store.read { try $0.records(of: .profile, by: author, limit: 1) }.isEmpty
        )
        #expect(try store.read { try $0.records(of: .profile, limit: 9) }.count == 2)
    }

    @Test func `wants a dropped record again once there is room`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: Self.limits(laneBytes: 3_900))
        let (one, other) = (
            try Self.profile(by: 1, textBytes: 1_200), try Self.profile(by: 2, textBytes: 1_500)
        )
        _ = try await Self.take(one, into: store)
        _ = try await Self.take(other, into: store)
        #expect(try Self.anchored(in: store) == [one.id])
        let shorter = try Self.profile(by: 1, textBytes: 100, at: 1)
        #expect(try await Self.take(shorter, into: store) == .stored(replaced: one.id))
        #expect(try !store.read { try $0.isSettled(other.id) })
        #expect(try await Self.take(other, into: store) == .stored(replaced: nil))
        #expect(try Self.anchored(in: store) == [shorter.id, other.id])
        #expect(try store.read { try $0.givenUpCount() } == 0)
    }

    /// - From peers: an earlier version of a record that there was no room for → superseded
    @Test(arguments: [[0, 1], [1, 0], [0, 1, 0], [1, 0, 1]])
    func `an earlier version does not replace a dropped one`(
        order: [Int]
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, limits: Self.limits(laneBytes: 1_500))
        let versions = [
            try Self.profile(by: 1, textBytes: 200),
            try Self.profile(by: 1, textBytes: 1_500, at: 1),
        ]
        for index in order { _ = try await Self.take(versions[index], into: store) }
        #expect(try store.read { try $0.recordCount() } == 0)
        let key = versions[0].key
        #expect(try store.read { try $0.record(in: key) } == nil)
        // A later one does, if there is room for it.
        let last = try Self.profile(by: 1, textBytes: 100, at: 2)
        let outcome = try await Self.take(last, into: store)
        #expect(outcome == .stored(replaced: versions[1].id))
        #expect(try store.read { try $0.givenUpCount() } == 0)
    }

    /// What a record counts for in the lane.
    private static func weight(of record: SignedRecord) -> Int { record.unstampedByteCount + 512 }

    /// What a lane of so many bytes holds of these, by another way: the winners in one list.
    private static func expected(_ records: [SignedRecord], _ laneBytes: Int) -> Set<RecordID> {
        let winners = Set(RecordVersion.merged(records.map(\.version)).map(\.id))
        var bytes = 0
        let rest = records.filter { winners.contains($0.id) }
            .sorted { ($0.unstampedByteCount, $0.id) < ($1.unstampedByteCount, $1.id) }
            .prefix { record in
                bytes += weight(of: record)
                return bytes <= laneBytes
            }
        return Set(rest.map(\.id))
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `the lane ends up the same in any order of arrival`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let laneBytes = Int.random(in: 4_000...20_000, using: &random)
        var records: [SignedRecord] = []
        for author in 1...6 as ClosedRange<UInt8> {
            for time in 0..<UInt64.random(in: 1...3, using: &random) {
                let length = Int.random(in: 1...2_000, using: &random)
                records.append(try Self.profile(by: author, textBytes: length, at: time))
            }
            for slot in 1...20 as ClosedRange<UInt8> where random.next() % 3 > 0 {
                let time = Timestamp.sample(random.next() % 4)
                records.append(
                    try SampleRecords.record(.device, by: author, slot: slot, at: time)
                )
            }
        }
        let expected = Self.expected(records, laneBytes)
        #expect(!expected.isEmpty && expected.count < Set(records.map(\.key)).count)
        for round in 0..<4 {
            records.shuffle(using: &random)
            let folder = try TemporaryFolder()
            let store = try Store(folder: folder.path, limits: Self.limits(laneBytes: laneBytes))
            try await Self.offer(records, to: store, &random)
            #expect(try Self.anchored(in: store) == expected, "seed \(seed), round \(round)")
        }
    }

    /// Offers all, some in one batch, as exchanges do: again and again while something is wanted.
    private static func offer(
        _ records: [SignedRecord],
        to store: Store,
        _ random: inout SeededRandom
    ) async throws {
        for _ in 0..<20 {
            var isNews = false
            var rest = records[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Int.random(in: 1...5, using: &random))
                rest = rest.dropFirst(batch.count)
                let missing = try store.read { transaction in
                    try batch.filter { try !transaction.isSettled($0.id) }
                }
                let outcomes = try await store.ingest(missing.map(entry), at: .sample(100))
                isNews = isNews || !outcomes.isEmpty
            }
            if !isNews { return }
        }
        Issue.record("records are asked for again and again")
    }

    @Test func `does not ask again for a dropped record without later versions`() async throws {
        let folder = try TemporaryFolder()
        var limits = Self.limits(laneBytes: 12_000)
        limits.forgottenRecordsMax = 2
        let store = try Store(folder: folder.path, limits: limits)
        let records = try (1...40 as ClosedRange<UInt8>).map { author in
            try Self.profile(by: author, textBytes: 10 * Int(author))
        }
        for record in records.reversed() { _ = try await Self.take(record, into: store) }
        #expect(try Self.anchored(in: store) == Self.expected(records, 12_000))
        let isSettled = try store.read { transaction in
            try records.map { try transaction.isSettled($0.id) }
        }
        #expect(isSettled.allSatisfy { $0 })
    }

    @Test func `a stamped copy takes as much of the lane as an unstamped one`() async throws {
        let record = try Self.profile(by: 1, textBytes: 100)
        let stamped = try OpenLaneRules(triesPerKibibyte: 1).stamped(record)
        #expect(stamped.bytes.count == record.bytes.count + 10 && stamped.id == record.id)
        var bytes: [UInt64] = []
        for lane in [RecordLane.anchored, .open] {
            for copy in [record, stamped] {
                let folder = try TemporaryFolder()
                let store = try Store(folder: folder.path)
                _ = try await store.ingest([RecordEntry(copy, lane: lane)], at: .sample())
                _ = try await store.write { try $0.anchor(copy.id, at: .sample()) }
                bytes.append(try store.read { try $0.anchoredLaneBytes() })
                #expect(try await store.write { try $0.refuse(copy.id) })
                #expect(try store.read { try $0.anchoredLaneBytes() } == 0)
            }
        }
        #expect(bytes == Array(repeating: UInt64(Self.weight(of: record)), count: 4))
    }

    @Test func `forgets dropped records after their lifetime and beyond the limit`()
        async throws
    {
        let folder = try TemporaryFolder()
        var limits = Self.limits(laneBytes: 100)
        limits.givenUpRecordsMax = 3
        let store = try Store(folder: folder.path, limits: limits)
        for author in 1...5 as ClosedRange<UInt8> {
            let record = try Self.profile(by: author, textBytes: 10, at: UInt64(author))
            #expect(try await Self.take(record, into: store) == .noRoom)
        }
        #expect(try store.read { try $0.givenUpCount() } == 3)
        let end = Timestamp.sample().advanced(by: .days(4_000))
        while try await store.write({ try $0.sweepRecords(at: end) }) > 0 {}
        #expect(try store.read { try $0.givenUpCount() } == 0)
        // Each came and went once.
        let changes = try store.changes(after: 0).changes.map(\.record)
        #expect(changes.count == 10 && Set(changes).count == 5)
    }
}
