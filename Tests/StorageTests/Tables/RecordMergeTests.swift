import Keys
import Market
import Storage
import Support
import Testing

struct RecordMergeTests {
    private func entry(_ record: SignedRecord, _ lane: RecordLane = .anchored) -> RecordEntry {
        RecordEntry(record, lane: lane)
    }

    @Test func `keeps the later record of a slot and remembers the earlier id`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let old = try SampleRecords.record(at: .sample(0))
        let new = try SampleRecords.record(at: .sample(1))

        #expect(try await store.ingest([entry(old)], at: .sample()) == [.stored(replaced: nil)])
        #expect(try await store.ingest([entry(old)], at: .sample()) == [.duplicate])
        #expect(try await store.ingest([entry(new)], at: .sample()) == [.stored(replaced: old.id)])
        #expect(
            try await store.ingest([entry(old)], at: .sample()) == [.forgotten(.superseded)]
        )

        try store.read { transaction in
            let kept = try transaction.record(new.id)
            let gone = try transaction.record(old.id)
            let inSlot = try transaction.record(in: new.key)
            let isSettled = try transaction.isSettled(old.id)
            #expect(kept?.bytes == new.bytes && kept?.version == new.version)
            #expect(gone == nil && inSlot == kept && isSettled)
        }
        let changes = try store.changes(after: 0).changes.map(\.record)
        #expect(changes == [old.id, old.id, new.id])
    }

    @Test func `supersedes a record that arrives too late, and remembers it`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let old = try SampleRecords.record(at: .sample(0))
        let new = try SampleRecords.record(at: .sample(1))

        let outcomes = try await store.ingest([entry(new), entry(old)], at: .sample())

        #expect(outcomes == [.stored(replaced: nil), .superseded])
        let again = try await store.ingest([entry(old)], at: .sample())
        #expect(again == [.forgotten(.superseded)])
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `the store follows the merge rule in any order of arrival`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var source = SeededRandom(seed: seed)
        var records: [SignedRecord] = []
        for slot in 1...24 as ClosedRange<UInt8> {
            for _ in 0..<3 {
                let time = UInt64.random(in: 0..<20, using: &source)
                records.append(
                    try SampleRecords.record(.device, slot: slot, at: .sample(time))
                )
            }
        }
        records += records.shuffled(using: &source).prefix(10)
        records.shuffle(using: &source)

        var rest = records[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...7, using: &source))
            rest = rest.dropFirst(batch.count)
            _ = try await store.ingest(batch.map { entry($0) }, at: .sample(100))
        }

        let expected = RecordVersion.merged(records.map(\.version))
        #expect(expected.count == RecordKind.device.slotsMax)
        let author = records[0].author
        try store.read { transaction in
            let stored = try transaction.records(of: .device, by: author, limit: 100)
            let byKind = try transaction.records(of: .device, limit: 100)
            let count = try transaction.recordCount()
            #expect(Set(stored.map(\.version)) == expected, "seed \(seed)")
            #expect(Set(byKind.map(\.version)) == expected && count == expected.count)
            #expect(stored.map(\.version) == stored.map(\.version).sorted { $0.precedes($1) })
        }
    }

    /// - From people: two different reviews of a sale by the same account, signed on two nodes →
    ///   both are kept and marked as contradictory; neither counts
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `keeps the two reviews with the lowest ids, in any order`(
        seed: UInt64
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var source = SeededRandom(seed: seed)
        var records: [SignedRecord] = []
        for sale in 1...4 as ClosedRange<UInt8> {
            for time in 0..<UInt64.random(in: 1...5, using: &source) {
                records.append(try SampleRecords.record(.review, slot: sale, at: .sample(time)))
            }
        }
        var rest = (records + records.prefix(5)).shuffled(using: &source)[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Int.random(in: 1...4, using: &source))
            rest = rest.dropFirst(batch.count)
            _ = try await store.ingest(batch.map { entry($0) }, at: .sample(100))
        }

        let expected = RecordVersion.merged(records.map(\.version))
        try store.read { transaction in
            let stored = try transaction.records(of: .review, limit: 100)
            #expect(Set(stored.map(\.version)) == expected, "seed \(seed)")
            for key in Set(records.map(\.key)) {
                let inSlot = try transaction.records(in: key).map(\.version.id)
                let wanted = expected.filter { $0.key == key }.map(\.id).sorted()
                let first = try transaction.record(in: key)?.version.id
                #expect(inSlot == wanted && first == wanted.first)
            }
            for record in records {
                let (isHere, isSettled) = try (
                    transaction.hasRecord(record.id), transaction.isSettled(record.id)
                )
                #expect(isSettled && isHere == expected.contains(record.version))
            }
        }
        // What was refused leaves its place to another, and the lane counts what it holds.
        let gone = try #require(expected.first)
        #expect(try await store.write { try $0.refuse(gone.id) })
        let others = expected.filter { $0.key == gone.key && $0 != gone }
        try store.read { transaction in
            let left = try transaction.records(in: gone.key).map(\.version)
            #expect(Set(left) == others)
            let weights = records.filter { expected.contains($0.version) && $0.id != gone.id }
                .map { UInt64($0.unstampedByteCount + 512) }
            let bytes = try transaction.anchoredLaneBytes()
            #expect(bytes == weights.reduce(0, +))
        }
    }

    @Test func `an anchored review replaces an open one with a lower id`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let reviews = try (0..<4 as Range<UInt64>)
            .map { try SampleRecords.record(.review, slot: 1, at: .sample($0)) }
            .sorted { $0.id < $1.id }
        for review in reviews.prefix(2) {
            _ = try await store.ingest([entry(review, .open)], at: .sample(10))
        }
        for review in reviews.suffix(2) {
            _ = try await store.ingest([entry(review)], at: .sample(10))
        }
        try store.read { transaction in
            let ids = try transaction.records(in: reviews[0].key).map(\.version.id)
            #expect(ids == reviews.suffix(2).map(\.id))
        }
    }

    @Test func `lists a kind by time anchored or seen, newest first, in pages`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var ids: [RecordID] = []
        for slot in 1...9 as ClosedRange<UInt8> {
            let record = try SampleRecords.record(slot: slot, at: .sample(UInt64(100 - slot)))
            let anchoredAt = slot == 4 ? Timestamp.sample(1_000) : nil
            let entry = RecordEntry(record, lane: .anchored, anchoredAt: anchoredAt)
            _ = try await store.ingest([entry], at: .sample(UInt64(slot)))
            ids.append(record.id)
        }
        let expected =
            [ids[3]] + ids.enumerated().filter { $0.offset != 3 }.map(\.element).reversed()

        try store.read { transaction in
            var found: [RecordID] = []
            var place: RecordOrderKey?
            while true {
                let page = try transaction.records(of: .listing, beyond: place, limit: 2)
                guard let last = page.last else { break }
                found += page.map(\.version.id)
                place = RecordOrderKey(kind: .listing, time: last.orderTime, id: last.version.id)
            }
            #expect(found == expected)
        }
    }

    @Test func `finds records by their subject`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let sale = Bytes32(repeating: 7)
        let about = try SampleRecords.record(.review, slot: 1, at: .sample())
        let other = try SampleRecords.record(.review, slot: 2, at: .sample())
        _ = try await store.ingest(
            [RecordEntry(about, lane: .anchored, subject: sale), entry(other)],
            at: .sample()
        )

        let found = try store.read { try $0.recordPlaces(of: .review, about: sale, limit: 10) }

        #expect(found.map(\.id) == [about.id])
    }

    @Test func `lists the records of a subject in pages, newest first`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let (sale, next) = (Bytes32(repeating: 7), Bytes32(repeating: 8))
        var ids: [RecordID] = []
        for slot in 0..<5 as Range<UInt8> {
            let time = Timestamp.sample(UInt64(slot))
            let record = try SampleRecords.record(.review, slot: slot, at: time)
            let entry = RecordEntry(record, lane: .anchored, subject: slot == 2 ? next : sale)
            _ = try await store.ingest([entry], at: time)
            if slot != 2 { ids.insert(record.id, at: 0) }
        }
        try store.read { transaction in
            var found: [RecordOrderKey] = []
            while true {
                let page = try transaction.recordPlaces(
                    of: .review,
                    about: sale,
                    beyond: found.last,
                    limit: 2
                )
                #expect(page.count <= 2)
                guard !page.isEmpty else { break }
                found += page
            }
            #expect(found.map(\.id) == ids && found == found.sorted(by: >))
        }
    }
}
