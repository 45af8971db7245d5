import Keys
import Market
import Storage
import Support
import Testing

struct HeldRecordsTests {
    private static let sale = Bytes32(repeating: 9)

    private static func id(_ number: Int) -> RecordID {
        RecordID(Keccak256.hash("\(number)".utf8))
    }

    private static func origin(_ number: Int) -> RecordOrigin {
        RecordOrigin(place: UInt64(number), kind: 4)
    }

    private static func record(
        _ byteCount: Int = 1,
        from number: Int = 1,
        by author: UInt8 = 1,
        at now: Timestamp = .sample()
    ) -> HeldRecord {
        HeldRecord(
            [UInt8](repeating: 7, count: byteCount),
            by: SampleRecords.key(author).address,
            about: sale,
            from: origin(number),
            at: now
        )
    }

    private static func held(_ store: Store) throws -> [RecordID] {
        try store.read { try $0.heldRecords(limit: 100).map(\.place.second) }
    }

    @Test func `held records wait for at most a day, within a limit`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.heldPlacesMax = 2
        let store = try Store(folder: folder.path, limits: limits)
        let hold = { (number: Int, now: Timestamp) in
            try await store.write {
                try $0.hold(Self.id(number), Self.record(at: now))
            }
        }
        #expect(try await hold(1, .sample()))
        #expect(try await hold(2, .sample(1)))
        #expect(try await !hold(3, .sample(2)))
        try await store.write { try $0.release(Self.id(1)) }
        #expect(try Self.held(store) == [Self.id(2)])

        let later = Timestamp.sample(1).advanced(by: .days(1))
        #expect(try await hold(3, later))
        #expect(try Self.held(store) == [Self.id(3)])
    }

    /// - From peers: a flood of records that name sales not seen → the flood itself loses the room
    @Test func `a flood from one origin makes room for others at its own cost`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.heldPlacesMax = 8
        let store = try Store(folder: folder.path, limits: limits)
        let outcomes = try await store.write { transaction in
            var outcomes: [Bool] = []
            for number in 0..<12 {
                let record = Self.record(from: 1, at: .sample(UInt64(number)))
                outcomes.append(
                    try transaction.hold(Self.id(number), record)
                )
            }
            let long = Self.record(9_000, from: 2, by: 2, at: .sample(20))
            outcomes.append(try transaction.hold(Self.id(20), long))
            return outcomes
        }
        #expect(
            outcomes == Array(repeating: true, count: 8) + Array(repeating: false, count: 4) + [
                true
            ]
        )
        // What came last of the flood has gone, for a record of three places.
        #expect(try Self.held(store) == (0..<5).map(Self.id) + [Self.id(20)])
        let about = try store.read { try $0.heldRecords(about: Self.sale, limit: 100).map(\.id) }
        #expect(try Set(about) == Set(Self.held(store)))
    }

    @Test func `no author uses more than its share, whoever delivers its records`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.heldPlacesOfAuthorMax = 3
        let store = try Store(folder: folder.path, limits: limits)
        let outcomes = try await store.write { transaction in
            try (0..<5).map {
                try transaction.hold(Self.id($0), Self.record(from: $0))
            } + [try transaction.hold(Self.id(9), Self.record(by: 2))]
        }
        #expect(outcomes == [true, true, true, false, false, true])
        try await store.write { try $0.release(Self.id(0)) }
        let again = try await store.write {
            try $0.hold(Self.id(3), Self.record())
        }
        #expect(again)
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `held records stay within bounds, and a small origin loses none`(
        seed: UInt64
    ) async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.heldPlacesMax, limits.heldPlacesOfAuthorMax) = (30, 12)
        let store = try Store(folder: folder.path, limits: limits)
        var source = SeededRandom(seed: seed)
        for number in 0..<300 {
            let flood = Int.random(in: 0..<10, using: &source) < 8
            let from = flood ? 1 : Int.random(in: 2...4, using: &source)
            let record = Self.record(
                Int.random(in: 1...12_000, using: &source),
                from: from,
                by: UInt8.random(in: 1...9, using: &source),
                at: .sample(UInt64(number))
            )
            let before = try store.read { try $0.heldRecords(limit: 1_000).map(\.record) }
            let isHeld = try await store.write {
                try $0.hold(Self.id(number), record)
            }
            let after = try store.read { try $0.heldRecords(limit: 1_000).map(\.record) }
            let places = { (records: [HeldRecord]) in
                records.reduce(0) { $0 + ($1.bytes.count + 4_095) / 4_096 }
            }
            #expect(places(after) <= 30, "seed \(seed)")
            #expect(after.contains(record) == isHeld, "seed \(seed)")
            for origin in Set(before.map(\.origin)) {
                let had = places(before.filter { $0.origin == origin })
                let has = places(after.filter { $0.origin == origin })
                let own = places(after.filter { $0.origin == record.origin })
                // Room was made by those alone who had more than who came.
                #expect(has >= had || (isHeld && had > own), "seed \(seed)")
            }
            if Int.random(in: 0..<4, using: &source) == 0,
                let some = after.randomElement(using: &source)
            {
                let id = try store.read {
                    try $0.heldRecords(limit: 1_000).first { $0.record == some }?.place.second
                }
                if let id { try await store.write { try $0.release(id) } }
            }
        }
    }
}
