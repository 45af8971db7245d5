import Keys
import Market
import Storage
import Support
import Testing

struct AnchoredLaneTests {
    private func entry(
        _ record: SignedRecord,
        _ lane: RecordLane = .anchored
    ) -> RecordEntry {
        RecordEntry(record, lane: lane)
    }

    /// A profile whose name and text make it about that long.
    private func profile(
        by author: UInt8,
        textBytes: Int,
        at time: UInt64 = 0
    ) throws -> SignedRecord {
        let key = SampleRecords.key(author)
        let about = String(repeating: "a", count: textBytes)
        let content = RecordContent.profile(try Profile(name: "Name", about: about))
        return try RecordDraft(
            network: "test",
            author: key.address,
            content: content,
            slot: .zero,
            createdAt: .sample(time)
        ).signed(by: key)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `tracks ids, counts and bytes of the anchored lane on all changes`(
        seed: UInt64
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var random = SeededRandom(seed: seed)
        var known: [RecordID] = []
        for step in 0..<60 {
            let time = Timestamp.sample(random.next() % 40)
            let kind = RecordKind.allCases[Int(random.next() % 4)]
            let lane: RecordLane = random.next() % 3 == 0 ? .open : .anchored
            let record = try SampleRecords.record(
                kind,
                by: UInt8(1 + random.next() % 3),
                slot: UInt8(1 + random.next() % 24),
                at: time
            )
            known.append(record.id)
            let choice = known[Int(random.next() % UInt64(known.count))]
            let (what, entry) = (random.next() % 5, entry(record, lane))
            try await store.write { transaction in
                switch what {
                case 0: _ = try transaction.anchor(choice, at: time)
                case 1: _ = try transaction.refuse(choice)
                default: _ = try transaction.put([entry], at: .sample(100))
                }
            }
            try Self.expectInStep(store, "seed \(seed), step \(step)")
        }
        let end = Timestamp.sample().advanced(by: .days(4_000))
        while try await store.write({ try $0.sweepRecords(at: end) }) > 0 {}
        #expect(try store.read { try $0.recordCount() } == 0)
        #expect(try store.read { try $0.anchoredLaneBytes() } == 0)
        try Self.expectInStep(store, "seed \(seed), at the end")
    }

    /// Compares what is kept beside the records with a walk over them.
    private static func expectInStep(_ store: Store, _ when: String) throws {
        try store.read { transaction in
            let all = try transaction.records(after: nil, limit: 1_000)
            let anchored = all.filter { $0.lane == .anchored }
            let ids = try transaction.recordIDs(in: .anchored, after: nil, limit: 1_000)
            let count = try transaction.recordCount(in: .anchored)
            let open = try transaction.recordCount(in: .open)
            let bytes = try transaction.anchoredLaneBytes()
            #expect(ids == anchored.map(\.version.id), "\(when)")
            #expect(count == anchored.count && open == all.count - anchored.count, "\(when)")
            // Each counts with its place; none here has a stamp.
            #expect(bytes == UInt64(anchored.map { $0.bytes.count + 512 }.reduce(0, +)), "\(when)")
        }
    }

    @Test func `pages of anchored ids skip open records`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        var anchored: [RecordID] = []
        for slot in 1...60 as ClosedRange<UInt8> {
            let record = try SampleRecords.record(by: slot % 7 + 1, slot: slot, at: .sample())
            let lane: RecordLane = slot % 3 == 0 ? .anchored : .open
            if lane == .anchored { anchored.append(record.id) }
            _ = try await store.ingest([entry(record, lane)], at: .sample())
        }
        var (found, place): ([RecordID], RecordID?) = ([], nil)
        while true {
            let page = try store.read { try $0.recordIDs(in: .anchored, after: place, limit: 7) }
            guard let last = page.last else { break }
            found += page
            place = last
        }
        #expect(found == anchored.sorted() && found.count == 20)
    }

    @Test func `an open version never replaces an anchored one, in any order`() async throws {
        let anchored = try SampleRecords.record(slot: 1, at: .sample(5))
        let later = try SampleRecords.record(slot: 1, at: .sample(9))
        let orders: [[RecordEntry]] = [
            [entry(anchored), entry(later, .open)], [entry(later, .open), entry(anchored)],
            [entry(later, .open), entry(anchored), entry(later, .open)],
        ]
        for order in orders {
            let folder = try TemporaryFolder()
            let store = try Store(folder: folder.path)
            for entry in order { _ = try await store.ingest([entry], at: .sample(10)) }
            let kept = try store.read { try $0.record(in: anchored.key) }
            #expect(kept?.version.id == anchored.id && kept?.lane == .anchored)
            #expect(try store.read { try $0.openLaneBytes() } == 0)

            // Once the chain vouches for the later one, too, it is taken.
            let outcome = try await store.ingest([entry(later)], at: .sample(10))
            #expect(outcome == [.stored(replaced: anchored.id)])
        }
    }

    @Test func `anchored slots stay however many open slots an author uses`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let anchored = try SampleRecords.record(.device, slot: 1, at: .sample())
        _ = try await store.ingest([entry(anchored)], at: .sample())
        for slot in 2...40 as ClosedRange<UInt8> {
            let record = try SampleRecords.record(.device, slot: slot, at: .sample(UInt64(slot)))
            _ = try await store.ingest([entry(record, .open)], at: .sample(50))
        }
        let author = anchored.author
        let devices = try store.read { try $0.records(of: .device, by: author, limit: 99) }
        #expect(devices.filter { $0.lane == .anchored }.map(\.version.id) == [anchored.id])
        #expect(devices.count == 1 + RecordKind.device.slotsMax)
        #expect(devices.map(\.version) == devices.map(\.version).sorted { $0.precedes($1) })
    }

    @Test func `a revoked device stays revoked until its author is anchored`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let certificate = try SampleRecords.record(.device, slot: 1, at: .sample(1))
        let revocation = try SampleRecords.record(.device, slot: 1, at: .sample(2))
        _ = try await store.ingest([entry(revocation, .open)], at: .sample(3))
        #expect(try await store.ingest([entry(certificate)], at: .sample(3)) == [.superseded])
        #expect(try await store.write { try $0.anchor(revocation.id, at: .sample(3)) })
        #expect(try store.read { try $0.record(in: certificate.key) }?.version.id == revocation.id)
    }
}
