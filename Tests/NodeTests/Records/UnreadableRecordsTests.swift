import Client
import Foundation
import GossipProtocol
import Keys
import Mail
import Market
import NIOHTTP1
import Records
import Setup
import Storage
import Support
import Testing

/// What an earlier version stored and today's rules refuse.
struct UnreadableRecordsTests {
    private static let seller = testKey(1)
    private static let time = Timestamp(milliseconds: 1_763_700_000_000)

    /// Changes the records' summaries in the closed store, as if a rule had changed instead.
    private static func spoil(_ records: [SignedRecord], in folder: String) throws {
        let environment = try Environment(
            folder: folder,
            mapBytes: 1 << 28,
            schema: Schema(
                number: Schema.current.number,
                oldest: Schema.current.oldest,
                trees: [.own(RawAnchoredRecords.self), .own(RawOpenRecords.self)]
            )
        )
        try environment.write { transaction in
            for record in records {
                let summary = Array(record.summary.utf8)
                func spoiled(_ value: [UInt8]) throws -> [UInt8] {
                    var value = value
                    let place = try #require(value.firstRange(of: summary))
                    value[place.lowerBound] ^= 1
                    return value
                }
                if let value = try transaction.get(RawAnchoredRecords.self, record.id) {
                    try transaction.put(RawAnchoredRecords.self, record.id, spoiled(value))
                } else {
                    let value = try #require(try transaction.get(RawOpenRecords.self, record.id))
                    try transaction.put(RawOpenRecords.self, record.id, spoiled(value))
                }
            }
        }
    }

    /// A store with good records of each kind, and others that today's rules refuse.
    private static func fill(
        _ folder: String,
        at time: Timestamp = UnreadableRecordsTests.time
    ) async throws -> (
        good: [SignedRecord], refused: [SignedRecord]
    ) {
        var records: [SignedRecord] = []
        let store = try Store(folder: folder, mapBytes: 1 << 28)
        for number in 1...6 as ClosedRange<UInt8> {
            let key = number.isMultiple(of: 2) ? seller : testKey(40 + number)
            let sale = try SampleSale(by: key, slot: Bytes32(repeating: number))
            let device = try DeviceCertificate(key: testKey(90 + number).publicKey, name: "phone")
            records += [
                try sale.record(at: time),
                try SampleSale.record(.device(device), by: key, at: time),
            ]
        }
        for key in [seller, testKey(41)] {
            records.append(
                try SampleSale.record(.profile(Profile(name: "Ana")), by: key, at: time)
            )
        }
        let entries = records.enumerated().map { index, record in
            RecordEntry(record, lane: index % 5 == 4 ? .open : .anchored)
        }
        _ = try await store.ingest(entries, at: time)
        let isRefused = { (index: Int) in index % 4 < 2 }
        let refused = records.enumerated().filter { isRefused($0.offset) }.map(\.element)
        let good = records.enumerated().filter { !isRefused($0.offset) }.map(\.element)
        return (good, refused)
    }

    /// - From peers: records that an earlier version accepted and today's rules refuse → skipped,
    ///   then removed
    @Test func `every reader skips records that today's rules refuse`() async throws {
        let folder = try TemporaryFolder()
        let (good, refused) = try await Self.fill(folder.path)
        try await StoreFolder.untilFree(folder.path)
        try Self.spoil(refused, in: folder.path)
        let keeper = try RecordKeeper(folder: folder)

        // Before the audit: search, exchange, mail, and what waits for the chain.
        let catalogue = try Catalogue(path: folder.path + "/catalogue", store: keeper.store)
        try await catalogue.catchUp()
        let listings = Set(good.filter { $0.kind == .listing }.map(\.id))
        #expect(try await Set(catalogue.search(CatalogueQuery(text: "thing")).ids) == listings)
        let other = try RecordKeeper()
        let offered = try keeper.anchored
        #expect(offered.isSubset(of: Set(good.map(\.id))) && !offered.isEmpty)
        let counts = try await other.fetch(from: keeper)
        #expect(counts.offered == offered.count && counts.unproven == 0 && counts.rejected == 0)
        let room = LMDBMailStore(
            store: keeper.store,
            recordService: keeper.recordService,
            localPeer: PeerID(multihash: [0, 1, 1])
        )
        for record in good + refused {
            let kept = try await room.keys(of: record.author).records
            #expect(kept.allSatisfy { (try? SignedRecord(stored: $0)) != nil })
        }
        try await keeper.lookAgain()
        try await keeper.recordService.renewKept()
        _ = try await keeper.store.write { try $0.sweepRecords(at: Self.time) }

        // The audit takes them out, and they are not fetched again.
        while try await keeper.audit.step() {}
        #expect(keeper.audit.isOver)
        // Not again before the rules change.
        #expect(try RecordAudit(store: keeper.store).isOver)
        let next = try RecordAudit(store: keeper.store, version: RecordRules.version + 1)
        #expect(!next.isOver)
        let rest = try keeper.store.read { try $0.records(after: nil, limit: 99).map(\.version.id) }
        #expect(Set(rest) == Set(good.map(\.id)))
        #expect(try keeper.anchored == offered)
        #expect(
            try keeper.store.read { transaction in
                try refused.allSatisfy { try transaction.isSettled($0.id) }
            }
        )
        try await catalogue.catchUp()
        #expect(try await catalogue.count() == listings.count)
    }

    @Test func `drops a held record that today's rules refuse and validates the rest`()
        async throws
    {
        let keeper = try RecordKeeper()
        let sale = try SampleSale(by: Self.seller, slot: Bytes32(repeating: 1))
        let withdrawal = try sale.withdrawal(at: Self.time)
        var bytes = withdrawal.bytes
        let place = try #require(bytes.firstRange(of: Array(withdrawal.summary.utf8)))
        bytes[place.lowerBound] ^= 1
        let (id, spoilt) = (RecordID(Bytes32(repeating: 9)), bytes)
        let held = HeldRecord(
            spoilt,
            by: withdrawal.author,
            about: .zero,
            from: .unknown,
            at: Self.time
        )
        _ = try await keeper.store.write { try $0.hold(id, held) }
        await keeper.take([withdrawal])
        #expect(try keeper.store.read { try $0.heldRecordCount() } == 2)
        keeper.view.show(sale)
        try await keeper.lookAgain()
        #expect(try keeper.store.read { try $0.heldRecordCount() } == 0)
        #expect(try keeper.anchored == [withdrawal.id])
    }

    @Test(.timeLimit(.minutes(2)))
    func `a node starts despite unreadable records and removes them`() async throws {
        let folder = try TemporaryFolder()
        let data = DataFolder(path: folder.path)
        try data.initialise()
        let (good, refused) = try await Self.fill(
            data.storeFolder,
            at: Timestamp(milliseconds: UInt64(Date.now.timeIntervalSince1970 * 1_000))
        )
        try await StoreFolder.untilFree(data.storeFolder)
        try Self.spoil(refused, in: data.storeFolder)
        try await TestNode.run(in: folder.path, flags: ["network": SampleSale.network]) { node in
            var count = good.count + refused.count
            // In vain only until the time limit.
            while count > good.count {
                let status: NodeStatus = try await node.call(.GET, "node").read()
                count = status.records
            }
            #expect(count == good.count)
        }
    }
}
