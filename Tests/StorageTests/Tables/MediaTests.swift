import Keys
import Market
import Storage
import Support
import Testing

struct MediaTests {
    private static func media(_ number: UInt8, byteCount: UInt64 = 1_000) -> Media {
        Media(id: Bytes32(repeating: number), byteCount: byteCount, form: .png)
    }

    private static func entry(
        _ content: RecordContent,
        by author: UInt8 = 1,
        lane: RecordLane = .open,
        at time: UInt64 = 0
    ) throws -> RecordEntry {
        let key = SampleRecords.key(author)
        let draft = RecordDraft(
            network: "test",
            author: key.address,
            content: content,
            slot: content.slot(author: key.address) ?? Bytes32(repeating: 1),
            createdAt: .sample(time)
        )
        return RecordEntry(try draft.signed(by: key), lane: lane)
    }

    private static func profile(
        _ avatar: Media?,
        by author: UInt8 = 1,
        at time: UInt64 = 0
    ) throws -> RecordEntry {
        try entry(.profile(try Profile(name: "Ana", avatar: avatar)), by: author, at: time)
    }

    private static func review(_ media: [Media]) throws -> RecordEntry {
        let review = try Review(
            sale: SaleReference(
                contract: ContractReference(
                    chain: ChainID(1),
                    address: SampleRecords.key(20).address
                ),
                id: SaleID(Bytes32(repeating: 5))
            ),
            stars: 5,
            text: "Good",
            media: media,
            outcome: .complete,
            currency: .native,
            price: Amount(small: 1)
        )
        return try entry(.review(review), by: 3, lane: .anchored)
    }

    @Test func `knows a file as long as a stored record names it`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        func put(_ entry: RecordEntry) async throws {
            let outcomes = try await store.write { try $0.put([entry], at: .sample()) }
            #expect(outcomes.count == 1)
        }
        func isNamed(_ number: UInt8) throws -> Bool {
            try store.read { try $0.isMediaNamed(Bytes32(repeating: number)) }
        }
        try await put(try Self.profile(Self.media(1)))
        try await put(try Self.profile(Self.media(1), by: 2))
        try await put(try Self.review([Self.media(2), Self.media(3)]))
        #expect(try isNamed(1) && isNamed(2) && isNamed(3) && !isNamed(4))

        // Another version of one profile, and the withdrawal of the other.
        try await put(try Self.profile(Self.media(4), at: 10))
        #expect(try isNamed(1) && isNamed(4))
        try await put(try Self.entry(.withdrawal(.profile), by: 2, at: 10))
        #expect(try !isNamed(1) && isNamed(4))
        // An older version that comes late changes nothing.
        try await put(try Self.profile(Self.media(1), at: 5))
        #expect(try !isNamed(1) && isNamed(4))

        // The open lane's week is over.
        try await store.write { transaction in
            while try transaction.sweepRecords(at: .sample().advanced(by: .days(8))) > 0 {}
        }
        #expect(try !isNamed(4) && isNamed(2))
    }

    @Test func `prefers the majority's description of a file and keeps few others`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let entries = try (1...9 as ClosedRange<UInt8>).map { author in
            try Self.profile(
                Self.media(7, byteCount: author < 3 ? 500 : UInt64(author)),
                by: author
            )
        }
        _ = try await store.write { try $0.put(entries, at: .sample()) }
        let named = try store.read { try $0.mediaNamed(Bytes32(repeating: 7)) }

        #expect(named.first == Self.media(7, byteCount: 500))
        #expect(named.count == 4)
        #expect(try store.read { try $0.mediaNamed(Bytes32(repeating: 8)) }.isEmpty)
    }

    @Test func `ranks an anchored record before any number of open ones`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        // Four wrong lengths, each stated twice, in two forms.
        let free = try (1...8 as ClosedRange<UInt8>).map { author in
            let wrong = Media(
                id: Bytes32(repeating: 7),
                byteCount: UInt64(author / 2 + 1),
                form: author % 2 == 0 ? .png : .jpeg
            )
            return try Self.profile(wrong, by: author)
        }
        let right = Self.media(7, byteCount: 900_000)
        let anchored = try Self.entry(
            .profile(try Profile(name: "Bo", avatar: right)),
            by: 9,
            lane: .anchored
        )
        _ = try await store.write { try $0.put(free + [anchored], at: .sample()) }
        let named = try store.read { try $0.mediaNamed(Bytes32(repeating: 7)) }
        #expect(named.first == right)
        #expect(Set(named.map(\.byteCount)).count == named.count && named.count == 4)
    }

    @Test func `an account pins files up to its limit; its removal releases them`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let (ana, bo) = (SampleRecords.key(1).address, SampleRecords.key(2).address)
        func pin(_ media: Media, _ account: Address) async throws -> Bool {
            try await store.write { try $0.pin(media, for: account, bytesMax: 12_288) }
        }
        #expect(try await pin(Self.media(1), ana))
        #expect(try await !pin(Self.media(1), ana))
        #expect(try await pin(Self.media(1), bo))
        #expect(try await pin(Self.media(2), ana))
        // Each takes blocks of 4 KiB.
        await #expect(throws: BlobFault.accountFull(bytesMax: 12_288)) {
            _ = try await pin(Self.media(3, byteCount: 4_097), ana)
        }
        #expect(try await pin(Self.media(3, byteCount: 500), ana))
        #expect(try store.read { try $0.pinnedBytes(of: ana) } == 12_288)
        func added(after: UInt8?, limit: Int) throws -> [UInt8] {
            try store.read { transaction in
                try transaction.mediaAdded(
                    by: ana,
                    after: after.map { Bytes32(repeating: $0) },
                    limit: limit
                ).map(\.id.bytes[0])
            }
        }
        #expect(try added(after: nil, limit: 2) == [1, 2] && added(after: 2, limit: 2) == [3])

        try await store.write { try $0.removeAccount(ana) }
        #expect(try store.read { try $0.isMediaPinned(Bytes32(repeating: 1)) })
        #expect(try store.read { try !$0.isMediaPinned(Bytes32(repeating: 2)) })
        try await store.write { try $0.unpin(Bytes32(repeating: 1), for: bo) }
        #expect(try store.read { try !$0.isMediaPinned(Bytes32(repeating: 1)) })
        #expect(try store.read { try $0.pinnedBytes(of: ana) } == 0)
    }
}
