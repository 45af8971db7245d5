import Keys
import Market
import Storage
import Support
import Testing

struct RecordKeepingTests {
    private static let week = Timestamp.sample().advanced(by: .days(8))

    private func device(_ author: UInt8, slot: UInt8 = 1) throws -> RecordEntry {
        RecordEntry(
            try SampleRecords.record(.device, by: author, slot: slot, at: .sample()),
            lane: .open
        )
    }

    /// A certificate of the author's one device.
    private func certificate(by author: UInt8, at time: Timestamp) throws -> RecordEntry {
        let key = SampleRecords.key(author)
        let phone = SampleRecords.key(author + 100).publicKey
        let certificate = try DeviceCertificate(key: phone, name: "phone")
        return RecordEntry(
            try RecordDraft(
                network: "test",
                author: key.address,
                content: .device(certificate),
                slot: certificate.slot,
                createdAt: time
            ).signed(by: key),
            lane: .open
        )
    }

    private func withdrawal(
        of entry: RecordEntry,
        by author: UInt8,
        at time: Timestamp
    ) throws -> RecordEntry {
        let key = SampleRecords.key(author)
        return RecordEntry(
            try RecordDraft(
                network: "test",
                author: key.address,
                content: .withdrawal(.device),
                slot: entry.version.key.slot,
                createdAt: time
            ).signed(by: key),
            lane: .open
        )
    }

    private func address(_ author: UInt8) -> Address { SampleRecords.key(author).address }

    /// A store where account 1 is this node's own, and 2 has a lease.
    private func store(in folder: TemporaryFolder, _ limits: StoreLimits = StoreLimits())
        async throws
        -> Store
    {
        let store = try Store(folder: folder.path, mapBytes: 1 << 26, limits: limits)
        let (own, homed) = (address(1), address(2))
        try await store.write { transaction in
            try transaction.put(AccountEntries.self, own, [1])
            _ = try transaction.addHomed(homed, from: .zero)
        }
        return store
    }

    private func held(_ ids: [RecordID], in store: Store) throws -> [Bool] {
        try store.read { transaction in try ids.map { try transaction.hasRecord($0) } }
    }

    @Test func `keeps records of accounts with mail here longer than open ones`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let entries = try [device(1), device(2), device(3)]
        _ = try await store.ingest(entries, at: .sample())
        while try await store.write({ try $0.sweepRecords(at: Self.week) }) > 0 {}
        let ids = entries.map(\.version.id)
        #expect(try held(ids, in: store) == [true, true, false])

        let homed = address(2)
        try await store.write { try $0.removeHomed(homed) }
        let later = Self.week.advanced(by: .days(8))
        while try await store.write({ try $0.sweepRecords(at: later) }) > 0 {}
        #expect(try held(ids, in: store) == [true, false, false])
        let end = Timestamp.sample().advanced(by: RecordKind.device.lifetime)
        while try await store.write({ try $0.sweepRecords(at: end) }) > 0 {}
        #expect(try store.read { try $0.recordCount() } == 0)
        #expect(try store.read { try $0.openLaneBytes() } == 0)
    }

    @Test func `a flood of strangers' records does not evict local ones`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        let byteCount = try device(3).bytes.count
        limits.homedAccountBytesMax = 0
        limits.openLaneBytesMax = byteCount * 3 + byteCount / 2
        let store = try await store(in: folder, limits)
        let own = try device(1)
        _ = try await store.ingest([own], at: .sample())
        for author in 3...9 as ClosedRange<UInt8> {
            _ = try await store.ingest([try device(author)], at: .sample(UInt64(author)))
        }
        let isHere = try store.read { try $0.hasRecord(own.version.id) }
        let count = try store.read { try $0.recordCount() }
        #expect(isHere && count == 3)

        // Where nothing else is left the lane exceeds its budget, and eviction ends.
        for slot in 2...9 as ClosedRange<UInt8> {
            _ = try await store.ingest([try device(1, slot: slot)], at: .sample(20))
        }
        #expect(try store.read { try $0.recordCount() } == 9)
    }

    @Test func `keeps a record that returns after days for the full time again`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let entry = try device(3)
        _ = try await store.ingest([entry], at: .sample())
        let soon = Timestamp.sample().advanced(by: .days(2))
        #expect(try await store.ingest([entry], at: soon) == [.duplicate])
        let later = Timestamp.sample().advanced(by: .days(4))
        #expect(try await store.ingest([entry], at: later) == [.renewed])
        #expect(try await store.ingest([entry], at: later) == [.duplicate])
        while try await store.write({ try $0.sweepRecords(at: Self.week) }) > 0 {}
        #expect(try store.read { try $0.hasRecord(entry.version.id) })
        let end = later.advanced(by: .days(7))
        while try await store.write({ try $0.sweepRecords(at: end) }) > 0 {}
        #expect(try store.read { try $0.recordCount() } == 0)
        #expect(try store.read { try $0.openLaneBytes() } == 0)
    }

    @Test func `lists due records again only for kept accounts`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let entries = try [device(1), device(2), device(3)]
        _ = try await store.ingest(entries, at: .sample())
        func due(_ time: Timestamp) throws -> Set<RecordID> {
            Set(try store.read { try $0.recordsToRenew(at: time, limit: 9) }.map(\.version.id))
        }
        #expect(try due(.sample(1)).isEmpty)
        let later = Timestamp.sample().advanced(by: .days(4))
        #expect(try due(later) == Set(entries[..<2].map(\.version.id)))
        let id = entries[0].version.id
        #expect(try await store.write { try $0.renew(id, at: later) })
        #expect(try due(later) == [entries[1].version.id])
    }

    @Test func `counts each lane separately`() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let entries = try [device(3), device(4), device(5)]
        _ = try await store.ingest(entries, at: .sample())
        let id = entries[0].version.id
        _ = try await store.write { try $0.anchor(id, at: .sample()) }
        #expect(try store.read { try $0.recordCount(in: .anchored) } == 1)
        #expect(try store.read { try $0.recordCount(in: .open) } == 2)
    }

    /// - From peers: records of guests → bounded for each account, apart from the open lane
    @Test func `limits the records of leased accounts and spares the others`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        let byteCount = try device(3).bytes.count
        limits.homedAccountBytesMax = byteCount * 2
        limits.openLaneBytesMax = byteCount * 3
        let store = try await store(in: folder, limits)
        // Strangers, then a leased account with eight devices.
        for author in 3...20 as ClosedRange<UInt8> {
            _ = try await store.ingest([try device(author)], at: .sample(UInt64(author)))
        }
        for slot in 1...8 as ClosedRange<UInt8> {
            _ = try await store.ingest([try device(2, slot: slot)], at: .sample(UInt64(30 + slot)))
        }
        let homed = address(2)
        let counts = try store.read { transaction in
            (
                try transaction.records(of: .device, by: homed, limit: 16).count,
                try transaction.recordCount()
            )
        }
        #expect(counts.0 >= 2 && counts.1 - counts.0 >= 3)
        #expect(try store.read { try $0.openLaneBytes() } <= UInt64(byteCount * 7))
        // However many devices came, two are kept; the others count for who brought them.
        #expect(try store.read { try $0.keptOpenBytes() } == UInt64(byteCount * 2))

        // With the lease that room goes back, a little at a time.
        try await store.write { try $0.removeHomed(homed) }
        #expect(try store.read { try $0.keptOpenBytes() } == 0)
        let other = RecordEntry(
            try SampleRecords.record(.device, by: 30, at: .sample()),
            lane: .open,
            origin: RecordOrigin(place: 9, kind: 4)
        )
        #expect(try await store.ingest([other], at: .sample(60)) == [.stored(replaced: nil)])
        let count = counts.1
        #expect(try store.read { try $0.recordCount() } == count)
        while try await store.write({ try $0.sweepRecords(at: .sample(61)) }) > 0 {}
        #expect(try store.read { try $0.openLaneBytes() } <= UInt64(byteCount * 5))
        #expect(try store.read { try $0.hasRecord(other.version.id) })
    }

    /// - From peers: thousands of withdrawals of a leased account, to have a revoked device
    ///   forgotten → each account loses its own; devices certified here keep a third
    @Test func `a leased account's withdrawals do not evict its certified devices`()
        async throws
    {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.revokedDevicesMax = 9
        let store = try Store(folder: folder.path, mapBytes: 1 << 26, limits: limits)
        let homed = (2...9 as ClosedRange<UInt8>).map(address)
        try await store.write { transaction in
            for account in homed { _ = try transaction.addHomed(account, from: .zero) }
        }
        let certificate = try certificate(by: 30, at: .sample())
        let revoked = try withdrawal(of: certificate, by: 30, at: .sample(10))
        _ = try await store.ingest([certificate], at: .sample())
        _ = try await store.ingest([revoked], at: .sample(10))
        // Each slot too many pushes out the account's oldest.
        for number in 0..<8 * 20 {
            let author = UInt8(2 + number % 8)
            let entry = try withdrawal(
                of: device(author, slot: UInt8(1 + number / 8)),
                by: author,
                at: .sample(UInt64(20 + number))
            )
            _ = try await store.ingest([entry], at: .sample(UInt64(20 + number)))
        }
        let later = Timestamp.sample().advanced(by: .days(9))
        while try await store.write({ try $0.sweepRecords(at: later) }) > 0 {}
        #expect(try await store.ingest([certificate], at: later) == [.superseded])
    }

    /// - From peers: a withdrawal while the open lane is full → it gets no room there, but is
    ///   remembered, and the certificate is removed
    @Test(arguments: [true, false])
    func `a withdrawal without room still takes effect`(isHere: Bool) async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        let certificate = try certificate(by: 30, at: .sample())
        limits.openLaneBytesMax = certificate.bytes.count * 4
        let store = try Store(folder: folder.path, mapBytes: 1 << 26, limits: limits)
        func from(_ origin: UInt64, _ entry: RecordEntry) throws -> RecordEntry {
            RecordEntry(
                try SignedRecord(stored: entry.bytes),
                lane: .open,
                origin: RecordOrigin(place: origin, kind: 4)
            )
        }
        if isHere { _ = try await store.ingest([try from(1, certificate)], at: .sample()) }
        for author in 3...20 as ClosedRange<UInt8> {
            _ = try await store.ingest([try from(2, try device(author))], at: .sample(1))
        }
        // Brought by who has brought most.
        let revoked = try withdrawal(of: certificate, by: 30, at: .sample(10))
        let outcome = try await store.ingest([try from(2, revoked)], at: .sample(10))
        if !isHere { #expect(outcome == [.noRoom]) }
        #expect(try store.read { try !$0.hasRecord(certificate.version.id) })
        let again = try await store.ingest([try from(1, certificate)], at: .sample(11))
        #expect(again == [.superseded])
    }

    /// - From peers: thousands of withdrawals, to have a revoked device forgotten → those of the
    ///   origin that delivered most are forgotten
    @Test func `a flood of withdrawals does not evict revoked devices`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.revokedDevicesMax = 6
        let store = try await store(in: folder, limits)
        func from(_ origin: UInt64, _ entry: RecordEntry, _ lane: RecordLane = .open) throws
            -> RecordEntry
        {
            RecordEntry(
                try SignedRecord(stored: entry.bytes),
                lane: lane,
                origin: RecordOrigin(place: origin, kind: 4)
            )
        }
        // Brought by the relay that later brings the flood: a device that was certified here, one
        // of a party to a sale, one of an account whose mail is kept here; and by another relay.
        let certificates = try [3, 4, 2, 5].map { try certificate(by: $0, at: .sample()) }
        let known = try zip(certificates, [3, 4, 2, 5] as [UInt8]).map { certificate, author in
            try withdrawal(of: certificate, by: author, at: .sample(10))
        }
        _ = try await store.ingest([try from(1, certificates[0])], at: .sample())
        for (index, entry) in known.enumerated() {
            let lane = index == 1 ? RecordLane.anchored : .open
            let entry = try from(index == 3 ? 2 : 1, entry, lane)
            _ = try await store.ingest([entry], at: .sample(10))
        }
        // A later certificate takes the party's slot, and goes in its time.
        let later = try from(1, certificate(by: 4, at: .sample(20)))
        _ = try await store.ingest([later], at: .sample(20))
        for author in 10..<60 as Range<UInt8> {
            let entry = try device(author)
            _ = try await store.ingest([try from(1, entry)], at: .sample(100))
        }
        let homed = address(2)
        let week = Timestamp.sample().advanced(by: .days(9))
        while try await store.write({ try $0.sweepRecords(at: week) }) > 0 {}
        try await store.write { try $0.removeHomed(homed) }
        let end = Timestamp.sample().advanced(by: .days(20))
        while try await store.write({ try $0.sweepRecords(at: end) }) > 0 {}
        #expect(try store.read { try $0.recordCount() } == 0)
        for entry in certificates {
            let outcome = try await store.ingest([entry], at: end)
            #expect(outcome == [.superseded], "\(entry.version.key.author)")
        }
    }

    /// - From peers: a revoked device's old certificate → superseded
    @Test func `a revoked device's certificate does not return after its withdrawal`()
        async throws
    {
        let folder = try TemporaryFolder()
        let store = try await store(in: folder)
        let certificate = try certificate(by: 3, at: .sample())
        let withdrawal = try withdrawal(of: certificate, by: 3, at: .sample(10))
        _ = try await store.ingest([certificate], at: .sample())
        _ = try await store.ingest([withdrawal], at: .sample(10))
        let later = Timestamp.sample().advanced(by: .days(9))
        while try await store.write({ try $0.sweepRecords(at: later) }) > 0 {}
        #expect(try store.read { try $0.recordCount() } == 0)
        #expect(try await store.ingest([certificate], at: later) == [.superseded])

        #expect(try await store.ingest([withdrawal], at: later) == [.stored(replaced: nil)])
        let fresh = try self.certificate(by: 3, at: .sample(20))
        let outcome = try await store.ingest([fresh], at: later)
        #expect(outcome == [.stored(replaced: withdrawal.version.id)])
        let end = Timestamp.sample(11).advanced(by: RecordKind.device.lifetime)
        #expect(try await store.write { try $0.sweepRevocations(at: later) } == 0)
        #expect(try await store.write { try $0.sweepRevocations(at: end) } == 1)
    }
}
