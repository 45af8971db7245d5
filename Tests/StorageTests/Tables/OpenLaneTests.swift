import Keys
import Market
import Storage
import Support
import Testing

struct OpenLaneTests {
    private static func origin(_ number: Int) -> RecordOrigin {
        RecordOrigin(place: UInt64(number), kind: 4)
    }

    /// A withdrawal, or a listing of about so many bytes, by an author of its own.
    private static func entry(
        _ number: Int,
        from origin: RecordOrigin,
        byteCount: Int = 0
    ) throws -> RecordEntry {
        let author = UInt8(number + 1)
        let record =
            byteCount == 0
            ? try SampleRecords.record(by: author, slot: UInt8(number), at: .sample())
            : try SampleListings.record(
                UInt8(number),
                description: String(repeating: "a", count: byteCount),
                author: author,
                at: .sample()
            )
        return RecordEntry(record, lane: .open, origin: origin)
    }

    /// - From peers: a flood of open records at one node → the flood's own records make room for it
    @Test func `a flood evicts its own records and spares earlier ones`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        let byteCount = try Self.entry(0, from: .own).bytes.count
        limits.openLaneBytesMax = byteCount * 10 + byteCount / 2
        let store = try Store(folder: folder.path, limits: limits)
        let known = try (0..<3).map { try Self.entry($0, from: Self.origin(1)) }
        for entry in known { _ = try await store.ingest([entry], at: .sample()) }
        let flood = try (10..<40).map { try Self.entry($0, from: Self.origin(2)) }
        var outcomes: [RecordOutcome] = []
        for (index, entry) in flood.enumerated() {
            outcomes += try await store.ingest([entry], at: .sample(UInt64(index + 1)))
        }
        #expect(outcomes.prefix(7).allSatisfy { $0 == .stored(replaced: nil) })
        #expect(outcomes.dropFirst(7).allSatisfy { $0 == .noRoom })
        let late = try (50..<53).map { try Self.entry($0, from: Self.origin(3)) }
        for entry in late { _ = try await store.ingest([entry], at: .sample(90)) }
        let kept = (known + late + flood.prefix(4)).map(\.version.id)
        let held = try store.read { transaction in
            try kept.filter { try transaction.hasRecord($0) }
        }
        #expect(held == kept)
        #expect(try store.read { try $0.recordCount() } == 10)
        #expect(try store.read { try $0.openLaneBytes() } == UInt64(10 * byteCount))
    }

    @Test func `drops an origin's longest records first, then its latest`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.openLaneBytesMax = 12_000
        let long = try Self.entry(1, from: Self.origin(1), byteCount: 8_000)
        let short = try (2..<9).map { try Self.entry($0, from: Self.origin(1), byteCount: 500) }
        do {
            let store = try Store(folder: folder.path, limits: limits)
            _ = try await store.ingest([long], at: .sample())
            for (index, entry) in short.enumerated() {
                _ = try await store.ingest([entry], at: .sample(UInt64(index + 1)))
            }
            let isHere = try store.read { try $0.hasRecord(long.version.id) }
            #expect(!isHere)
        }
        limits.openLaneBytesMax = 4_000
        let store = try Store(folder: folder.path, limits: limits)
        let next = try Self.entry(20, from: Self.origin(2))
        _ = try await store.ingest([next], at: .sample(50))
        let left = try store.read { transaction in
            try short.filter { try transaction.hasRecord($0.version.id) }.map(\.version.id)
        }
        #expect(!left.isEmpty && left == short.prefix(left.count).map(\.version.id))
    }

    /// - From peers: a version of a record for which the open lane has no room → ignored for now;
    ///   the previous one stays
    @Test func `a version without room leaves the previous one in place`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.openLaneBytesMax = 4_000
        let store = try Store(folder: folder.path, limits: limits)
        let key = SampleRecords.key(1)
        func profile(_ length: Int, at time: UInt64) throws -> SignedRecord {
            try RecordDraft(
                network: "test",
                author: key.address,
                content: .profile(
                    Profile(name: "Name", about: String(repeating: "a", count: length))
                ),
                slot: .zero,
                createdAt: .sample(time)
            ).signed(by: key)
        }
        let first = try profile(100, at: 0)
        let rest = try (2..<9).map { try Self.entry($0, from: Self.origin(2), byteCount: 100) }
        let own = RecordEntry(first, lane: .open, origin: Self.origin(1))
        _ = try await store.ingest([own], at: .sample())
        for (index, entry) in rest.enumerated() {
            _ = try await store.ingest([entry], at: .sample(UInt64(index + 1)))
        }
        let before = try Self.contents(of: store)
        let changes = try store.changes(after: 0).changes.count
        // The origin of the flood brings a later version of what another brought.
        let renewed = RecordEntry(
            try profile(1_800, at: 5),
            lane: .open,
            origin: Self.origin(2)
        )
        #expect(try await store.ingest([renewed], at: .sample(50)) == [.noRoom])
        #expect(try Self.contents(of: store) == before)
        #expect(try store.read { try $0.record(in: first.key) }?.version.id == first.id)
        #expect(try store.changes(after: 0).changes.count == changes)
        // It still counts for who brought it: another flood takes nothing from there.
        for number in 20..<40 {
            let entry = try Self.entry(number, from: Self.origin(3), byteCount: 100)
            _ = try await store.ingest([entry], at: .sample(UInt64(60 + number)))
        }
        #expect(try store.read { try $0.hasRecord(first.id) })
    }

    @Test func `an additional slot without room removes no other slot`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        let byteCount = try SampleRecords.record(.device, at: .sample()).bytes.count
        limits.openLaneBytesMax = byteCount * RecordKind.device.slotsMax + byteCount / 2
        let store = try Store(folder: folder.path, limits: limits)
        for slot in 1...UInt8(RecordKind.device.slotsMax) {
            let device = try SampleRecords.record(.device, slot: slot, at: .sample(UInt64(slot)))
            let entry = RecordEntry(device, lane: .open, origin: Self.origin(1))
            _ = try await store.ingest([entry], at: .sample(UInt64(slot)))
        }
        let before = try Self.contents(of: store)
        let key = SampleRecords.key(1)
        let phone = try DeviceCertificate(
            key: SampleRecords.key(90).publicKey,
            name: String(repeating: "n", count: 64)
        )
        let record = try RecordDraft(
            network: "test",
            author: key.address,
            content: .device(phone),
            slot: phone.slot,
            createdAt: .sample(99)
        ).signed(by: key)
        #expect(record.bytes.count > byteCount * 3 / 2)
        let entry = RecordEntry(record, lane: .open, origin: Self.origin(1))
        #expect(try await store.ingest([entry], at: .sample(99)) == [.noRoom])
        #expect(try Self.contents(of: store) == before)
    }

    /// The lane's records in the order in which they are forgotten, and its bytes.
    private static func contents(of store: Store) throws -> [RecordID: UInt64] {
        try store.read { transaction in
            let places = try transaction.recordPlaces(in: .open, limit: 1_000)
            let bytes = try transaction.openLaneBytes()
            return Dictionary(uniqueKeysWithValues: places.map { ($0.id, bytes) })
        }
    }

    /// What the lane must hold, by another way: all records in a list, sorted for each eviction.
    private struct Model {
        struct Kept {
            let id: RecordID
            let origin: RecordOrigin
            let byteCount: Int
            let at: Timestamp
        }

        var kept: [Kept] = []

        var byteCount: Int { kept.reduce(0) { $0 + $1.byteCount } }

        mutating func put(_ entry: RecordEntry, at now: Timestamp, budget: Int) {
            let before = kept
            // What finds no room takes nothing from others.
            defer { if !kept.contains(where: { $0.id == entry.version.id }) { kept = before } }
            kept.append(
                Kept(
                    id: entry.version.id,
                    origin: entry.origin,
                    byteCount: entry.bytes.count,
                    at: now
                )
            )
            while byteCount > budget {
                let shares = Dictionary(grouping: kept, by: \.origin)
                    .mapValues { $0.reduce(0) { $0 + $1.byteCount } }
                guard let worst = shares.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })
                else { return }
                let rank = { (record: Kept) in
                    ((0...).first { record.byteCount <= 2_048 << $0 } ?? 0, record.at, record.id)
                }
                let next = kept.filter { $0.origin == worst.key }.max { rank($0) < rank($1) }
                kept.removeAll { $0.id == next?.id }
            }
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `the lane contains exactly the records of the eviction rule`(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.openLaneBytesMax = 20_000
        let store = try Store(folder: folder.path, limits: limits)
        var source = SeededRandom(seed: seed)
        var model = Model()
        for number in 0..<120 {
            let size = Int.random(in: 0..<4, using: &source)
            let entry = try Self.entry(
                number,
                from: Self.origin(Int.random(in: 1...4, using: &source)),
                byteCount: size == 0 ? Int.random(in: 1...8_000, using: &source) : 0
            )
            let now = Timestamp.sample(UInt64.random(in: 0..<60, using: &source))
            let outcome = try await store.ingest([entry], at: now)
            model.put(entry, at: now, budget: limits.openLaneBytesMax)
            let isKept = model.kept.contains { $0.id == entry.version.id }
            #expect(outcome == [isKept ? .stored(replaced: nil) : .noRoom], "seed \(seed)")
            // Some leave in other ways.
            if number % 10 == 9, let some = model.kept.randomElement(using: &source) {
                _ = try await store.write { try $0.anchor(some.id, at: now) }
                model.kept.removeAll { $0.id == some.id }
            }
            let ids = try store.read {
                try $0.recordPlaces(in: .open, limit: 1_000).map(\.id)
            }
            #expect(Set(ids) == Set(model.kept.map(\.id)), "seed \(seed) at \(number)")
            let bytes = try store.read { try $0.openLaneBytes() }
            #expect(bytes == UInt64(model.byteCount), "seed \(seed)")
        }
    }
}
