import Keys
import Market
import Support
import Testing

// How much is counted is Storage's own business, hence the testable import.
@testable import Storage

struct VaultSegmentsTests {
    private let account = SampleRecords.key(1)
    private let device = Bytes32(repeating: 4)

    /// Segments of one log, of which those in `compactions` replace all before them.
    private func segments(
        _ count: Int,
        compactions: Set<Int> = [],
        of device: Bytes32? = nil
    ) throws -> [VaultSegment] {
        let device = device ?? self.device
        var (log, contents) = (VaultLog(device: device), VaultContents())
        return try (1...count).flatMap { number in
            let entry = try VaultEntry(
                section: .cart,
                name: [UInt8(number)],
                value: [UInt8](repeating: 1, count: 500),
                time: .sample(UInt64(number)),
                device: device
            )
            contents.merge([entry])
            let isCompaction = compactions.contains(number)
            return (isCompaction ? log.compact(contents) : log.append([entry])).map {
                VaultSegment(
                    $0,
                    of: account.address,
                    network: "test",
                    key: VaultKey(of: account),
                    signer: nil
                )
            }
        }
    }

    private func keep(_ segments: [VaultSegment], in store: Store) async throws -> [VaultOutcome] {
        try await store.write { transaction in try segments.map { try transaction.keepVault($0) } }
    }

    private func numbers(in store: Store, after marks: [VaultLogMark] = []) throws -> [UInt64] {
        try store.read { transaction in
            try transaction.vaultSegments(
                of: account.address,
                after: marks,
                limit: 100,
                byteCountMax: 1 << 20
            ).map(\.number)
        }
    }

    @Test func `stores a log's segments in order, once, without superseded ones`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let log = try segments(5, compactions: [4])
        #expect(try await keep(Array(log[..<3]), in: store) == [.kept, .kept, .kept])
        #expect(try numbers(in: store) == [1, 2, 3])
        let mark = VaultLogMark(device: device, last: 2)
        #expect(try numbers(in: store, after: [mark]) == [3])
        #expect(
            try await keep([log[3], log[0], log[3]], in: store) == [.kept, .notNeeded, .notNeeded]
        )
        #expect(try numbers(in: store) == [4])
        #expect(try await keep([log[4]], in: store) == [.kept])
        let marks = try store.read { try $0.vaultMarks(of: account.address) }
        #expect(marks == [VaultLogMark(device: device, last: 5)])
    }

    @Test func `reports how far a log is complete and keeps unreplaced parts`() async throws {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path)
        let entries = try segments(4)
        let whole = { try store.read { try $0.vaultGaps(of: account.address) } }
        #expect(try await keep([entries[0], entries[2], entries[3]], in: store).count == 3)
        #expect(try whole() == [VaultLogMark(device: device, last: 1)])
        #expect(try await keep([entries[1]], in: store) == [.kept])
        #expect(try whole() == nil)

        // What fills the second of two gaps is seen, too.
        let other = try segments(6, of: Bytes32(repeating: 9))
        _ = try await keep([other[0], other[2], other[4]], in: store)
        let before = try store.read { try $0.vaultLogs(of: account.address) }
        _ = try await keep([other[3]], in: store)
        #expect(try store.read { try $0.vaultLogs(of: account.address) } != before)
        _ = try await keep([other[1]], in: store)
        _ = try await store.write {
            try $0.remove(
                VaultSegments.self,
                .prefix(CompositeKey(account.address, other[0].device))
            )
        }

        // A compaction in three parts, of which the last comes first.
        var (log, contents) = (VaultLog(device: device, last: 4, base: 1), VaultContents())
        for name in 0..<150 as Range<UInt8> {
            let entry = try VaultEntry(
                section: .favourites,
                name: [name],
                value: [UInt8](repeating: 1, count: 500),
                time: .sample(100),
                device: device
            )
            contents.merge([entry])
        }
        let parts = log.compact(contents).map {
            VaultSegment(
                $0,
                of: account.address,
                network: "test",
                key: VaultKey(of: account),
                signer: nil
            )
        }
        #expect(parts.map(\.number) == [5, 6, 7])
        #expect(try await keep([parts[2]], in: store) == [.kept])
        #expect(try numbers(in: store) == [1, 2, 3, 4, 7])
        #expect(try whole() == [VaultLogMark(device: device, last: 4)])
        #expect(try await keep([parts[1]], in: store) == [.kept])
        #expect(try numbers(in: store) == [1, 2, 3, 4, 6, 7])
        #expect(try await keep([parts[0]], in: store) == [.kept])
        #expect(try numbers(in: store) == [5, 6, 7])
        #expect(try whole() == nil)
    }

    /// - From peers: more vault data than a home keeps for one guest, or for all →
    ///   refused (17)
    /// - From peers: accounts of one address that fill a home's room for vaults → an eighth of what
    ///   the others leave
    @Test func `limits the vaults of guests individually and by origin`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        (limits.guestVaultBytesMax, limits.guestVaultsBytesMax) = (4 * 4_096, 80 * 4_096)
        let store = try Store(folder: folder.path, limits: limits)
        let log = try segments(6, compactions: [5])
        try await store.write { _ = try $0.addHomed(account.address, from: .zero) }
        #expect(try await keep(Array(log[..<4]), in: store) == [.kept, .kept, .kept, .overQuota])
        // What is given back counts no more.
        try await store.write { try $0.removeHomed(account.address) }
        #expect(try await keep(Array(log[3...]), in: store) == [.kept, .kept, .kept])
        try await store.write { try $0.removeAccount(account.address) }
        #expect(try numbers(in: store) == [])

        // An eighth of half of the 80 places for one origin, however many accounts it has.
        let filled = try await fill(store, guests: 2...4, from: .zero)
        #expect(filled == [.kept, .kept, .kept, .kept, .kept, .overQuota])
        // Each further one finds an eighth of what the others have left.
        var kept: [Int] = []
        for number in 1...6 as ClosedRange<UInt8> {
            let origin = Bytes32(repeating: number)
            let outcomes = try await fill(
                store,
                guests: 4 * number + 1...4 * number + 3,
                from: origin
            )
            kept.append(outcomes.count { $0 == .kept })
        }
        #expect(kept == [4, 3, 3, 3, 2, 2])
        // What the first one gives back is room for others and itself.
        for number in 2...4 as ClosedRange<UInt8> {
            try await store.write { try $0.removeHomed(SampleRecords.key(number).address) }
        }
        let again = try await fill(store, guests: 60...62, from: .zero)
        #expect(again.count { $0 == .kept } == 2)
    }

    /// - From peers: accounts of many addresses that fill a home's room for vaults → each account
    ///   has a share that nobody else can take
    @Test func `each guest has a reserved share of the room for vaults`() async throws {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        // Half of 32 places for 8 accounts: two for each.
        (limits.homedAccountsMax, limits.guestVaultsBytesMax) = (8, 32 * 4_096)
        let store = try Store(folder: folder.path, limits: limits)
        let log = try segments(5)
        try await store.write { _ = try $0.addHomed(account.address, from: .zero) }
        let first = try await keep(log, in: store)
        #expect(first == [.kept, .kept, .overQuota, .overQuota, .overQuota])
        for number in 2...8 as ClosedRange<UInt8> {
            // From one origin or from several.
            let origin = number < 5 ? Bytes32.zero : Bytes32(repeating: number)
            let kept = try await fill(store, guests: number...number, from: origin)
            #expect(kept == [.kept, .kept], "\(number)")
        }
        let used = try store.read { try $0.counter(Counters.guestVaultBytes) }
        #expect(used <= 32 * 4_096)
    }

    /// Keeps two segments of each guest, all of whom come from one origin.
    private func fill(
        _ store: Store,
        guests: ClosedRange<UInt8>,
        from origin: Bytes32
    ) async throws -> [VaultOutcome] {
        try await store.write { transaction in
            var outcomes: [VaultOutcome] = []
            for number in guests {
                let guest = SampleRecords.key(number)
                _ = try transaction.addHomed(guest.address, from: origin)
                for device in 1...2 as ClosedRange<UInt8> {
                    var log = VaultLog(device: Bytes32(repeating: device))
                    for part in log.compact(VaultContents()) {
                        let segment = VaultSegment(
                            part,
                            of: guest.address,
                            network: "test",
                            key: VaultKey(of: guest),
                            signer: nil
                        )
                        outcomes.append(try transaction.keepVault(segment))
                    }
                }
            }
            return outcomes
        }
    }

    /// - From peers: segments with which one device fills its account's part of a home → 3 MiB of 4
    ///   MiB; revoked devices' logs are evicted first
    @Test func `a device uses only a part of its account's room; revoked ones yield`()
        async throws
    {
        let folder = try TemporaryFolder()
        var limits = StoreLimits()
        limits.guestVaultBytesMax = 8 * 4_096
        let store = try Store(folder: folder.path, limits: limits)
        let (phone, laptop) = (SampleRecords.slot(31), SampleRecords.slot(32))
        let account = account.address
        try await store.write { _ = try $0.addHomed(account, from: .zero) }
        for device in [31, 32] as [UInt8] {
            _ = try await store.ingest([SampleRecords.device(device)], at: .sample())
        }
        let log = try segments(8, compactions: [8], of: phone)
        let whole = try await keep(Array(log[..<7]), in: store)
        #expect(whole == Array(repeating: .kept, count: 6) + [.overQuota])
        // What makes room has room.
        #expect(try await keep([log[7]], in: store) == [.kept])
        #expect(try await keep(segments(5, of: laptop), in: store).last == .kept)
        let full = try await keep(Array(segments(10, of: phone).suffix(2)), in: store)
        #expect(full == [.kept, .overQuota])
        // The phone is certified, so its log stays; then it is not.
        let last = try [segments(6, of: laptop)[5]]
        #expect(try await keep(last, in: store) == [.overQuota])
        let revocation = try SampleRecords.device(31, isWithdrawn: true, at: .sample(1))
        _ = try await store.ingest([revocation], at: .sample(1))
        #expect(try await keep(last, in: store) == [.kept])
        let marks = try store.read { try $0.vaultMarks(of: account).map(\.device) }
        #expect(marks == [laptop])
    }
}
