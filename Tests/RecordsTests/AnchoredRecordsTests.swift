import GossipProtocol
import Keys
import Market
import Records
import Storage
import Support
import Testing

struct AnchoredRecordsTests {
    private static let start = Timestamp(milliseconds: 1_763_700_000_000)
    private static let seller = testKey(1)
    private static let slot = Bytes32(repeating: 5)

    private static func time(_ milliseconds: UInt64) -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + milliseconds)
    }

    private static func keepers(_ count: Int, showing sales: [SampleSale]) throws -> [RecordKeeper]
    {
        try (0..<count).map { _ in
            let keeper = try RecordKeeper()
            for sale in sales { keeper.view.show(sale) }
            return keeper
        }
    }

    @Test func `a node accepts the withdrawal of a listing that it never saw`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let listing = try sale.record(at: Self.time(1))
        let withdrawal = try sale.withdrawal(at: Self.time(2))
        let orders: [[SignedRecord]] = [
            [listing, withdrawal], [withdrawal, listing], [withdrawal],
        ]
        let keepers = try Self.keepers(orders.count, showing: [sale])
        for (keeper, order) in zip(keepers, orders) {
            await keeper.take(order)
            #expect(try keeper.anchored == [withdrawal.id])
        }

        // Who joins later hears of the withdrawal alone; who has only the listing learns of it.
        let (late, behind) = (try RecordKeeper(), try RecordKeeper())
        for keeper in [late, behind] { keeper.view.show(sale) }
        await behind.take([listing])
        #expect(try behind.anchored == [listing.id])
        for keeper in [late, behind] {
            #expect(try await keeper.fetch(from: keepers[0]).accepted == 1)
            #expect(try keeper.anchored == [withdrawal.id])
            let again = try await keepers[0].fetch(from: keeper)
            #expect(again.missing == 0 && again.accepted == 0)
        }
    }

    @Test func `a withdrawal waits for the sale that it names`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let keeper = try RecordKeeper()
        let withdrawal = try sale.withdrawal(at: Self.time(2))
        await keeper.take([withdrawal])
        #expect(try keeper.store.read { try $0.recordCount() } == 0)
        keeper.view.show(sale)
        try await keeper.lookAgain()
        #expect(try keeper.anchored == [withdrawal.id])
    }

    /// - From peers: an empty withdrawal in the slot of a listing with a sale → ignored
    @Test func `an empty withdrawal does not remove a listing with a sale`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let listing = try sale.record(at: Self.time(1))
        let empty = try SampleSale.record(
            .withdrawal(.listing),
            by: Self.seller,
            slot: Self.slot,
            at: Self.time(2)
        )
        let keepers = try Self.keepers(2, showing: [sale])
        await keepers[0].take([listing, empty])
        await keepers[1].take([empty, listing])
        for keeper in keepers { #expect(try keeper.anchored == [listing.id]) }
    }

    /// - From peers: a flood of records by an author with one sale at the lowest price → it gets
    ///   its
    ///   allowance and no more
    @Test func `a sale for one wei buys only its allowance, whatever is sent`() async throws {
        let arbiter = testKey(9)
        let sale = try SampleSale(
            by: Self.seller,
            slot: Self.slot,
            description: String(repeating: "d", count: ListingRules.descriptionByteCountMax),
            arbiter: arbiter.address
        )
        let keeper = try RecordKeeper()
        keeper.view.show(sale)
        for author in [Self.seller, arbiter] {
            await keeper.take(try Self.flood(by: author))
        }
        for version in 1...5 as ClosedRange<UInt64> {
            let text = String(repeating: "\(version)", count: 8_000)
            await keeper.take([try sale.record(at: Self.time(version), description: text)])
        }

        let bought = try keeper.store.read { transaction in
            let anchored = try transaction.records(after: nil, limit: 1_000)
                .filter { $0.lane == .anchored }
            #expect(anchored.allSatisfy { $0.version.key.author == Self.seller.address })
            // A profile, sixteen devices and the listing.
            #expect(anchored.count == 18)
            return anchored.reduce(0) { $0 + $1.bytes.count }
        }
        let allowance = AnchoredAllowance.byteCountMax(listed: 1, ended: 0)
        #expect(allowance == 51_200)
        #expect(bought > 20_000 && bought <= allowance)
    }

    /// Withdrawals of what never existed, and padded records of every kind that an account has.
    private static func flood(by author: PrivateKey) throws -> [SignedRecord] {
        var records: [SignedRecord] = []
        for number in 0..<60 as Range<UInt64> {
            let slot = Keccak256.hash("slot \(number)".utf8)
            records.append(
                try SampleSale.record(
                    .withdrawal(.listing),
                    by: author,
                    slot: slot,
                    at: time(number)
                )
            )
            let device = try DeviceCertificate(
                key: testKey(UInt8(30 + number)).publicKey,
                name: String(repeating: "n", count: 64)
            )
            records.append(try SampleSale.record(.device(device), by: author, at: time(number)))
            records.append(
                try SampleSale.record(
                    .withdrawal(.device),
                    by: author,
                    slot: slot,
                    at: time(number)
                )
            )
        }
        let about = String(repeating: "a", count: Profile.aboutByteCountMax)
        let profile = try Profile(name: "Name", about: about)
        records.append(try SampleSale.record(.profile(profile), by: author, at: time(1)))
        return records
    }

    /// - From peers: records of an account that a sale only names as its arbiter → they belong to
    ///   the open lane
    @Test func `an arbiter becomes a party at the ruling, a buyer at the purchase`()
        async throws
    {
        let (buyer, arbiter) = (testKey(2), testKey(9))
        var sale = try SampleSale(by: Self.seller, slot: Self.slot, arbiter: arbiter.address)
        func parties() -> Set<Address> { Set(sale.state.parties) }
        let all = Set([Self.seller.address, buyer.address, arbiter.address])
        #expect(parties() == [Self.seller.address])
        #expect(Set(sale.state.concerned) == [Self.seller.address, arbiter.address])

        let keeper = try RecordKeeper()
        keeper.view.show(sale)
        let profiles = try [buyer, arbiter].map { author in
            try SampleSale.record(
                .profile(Profile(name: "Name")),
                by: author,
                at: Self.time(1)
            )
        }
        await keeper.take(profiles)
        #expect(try keeper.anchored.isEmpty)

        try sale.buy(by: buyer)
        #expect(parties() == [Self.seller.address, buyer.address])
        keeper.view.show(sale)
        try await keeper.lookAgain()
        #expect(try keeper.anchored == [profiles[0].id])

        try sale.rule(by: arbiter, against: buyer)
        #expect(parties() == all && Set(sale.state.concerned) == all)
        keeper.view.show(sale)
        try await keeper.lookAgain()
        #expect(try keeper.anchored == Set(profiles.map(\.id)))
        #expect(keeper.view.saleCount(of: arbiter.address) == 1)
    }

    /// - From peers: endless versions of one record → accepted at a limited pace; the last one
    ///   arrives in the end
    @Test
    func `accepts versions of a record at the paid pace, and the last in the end`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let (node, source) = (try RecordKeeper(), try RecordKeeper())
        for keeper in [node, source] { keeper.view.show(sale) }
        var (taken, bytes) = (0, 0)
        // The slot's first version replaces none.
        let first = try sale.record(at: Self.time(0), description: "First")
        #expect(await node.recordService.validate(first.bytes) == .accept)
        var last: SignedRecord?
        for version in 1...60 as ClosedRange<UInt64> {
            let text = String(repeating: "\(version % 10)", count: 4_000)
            let record = try sale.record(at: Self.time(version), description: text)
            last = record
            guard await node.recordService.validate(record.bytes) == .accept else { continue }
            (taken, bytes) = (taken + 1, bytes + record.bytes.count)
        }
        let most = 2 * AnchoredAllowance.byteCountMax(listed: 1, ended: 1)
        #expect(taken > 10 && taken < 60 && bytes <= most)

        // Another node that heard of the last alone has it to fetch, once its author may bring it.
        let newest = try #require(last)
        await source.take([newest])
        #expect(try await node.fetch(from: source).accepted == 0)
        node.clock.advance(.days(1))
        #expect(try await node.fetch(from: source).accepted == 1)
        #expect(try node.anchored == [newest.id])
    }

    /// So many versions of a listing, later ones behind earlier ones.
    private static func versions(of sale: SampleSale, count: UInt64) throws -> [SignedRecord] {
        try (1...count).map { version in
            let text = String(repeating: "\(version % 10)", count: 8_000)
            return try sale.record(at: time(version), description: text)
        }
    }

    /// How many records were stored, also those that had to go since.
    private static func storedCount(in node: RecordKeeper) throws -> Int {
        Set(try node.store.changes(after: 0).changes.map(\.record)).count
    }

    /// As many as come at once at the pace of one sale, and the first.
    private static let versionsAtOnce =
        2 * AnchoredAllowance.byteCountMax(listed: 1, ended: 1) / 8_000 + 1

    /// - From peers: many versions of a listing at the same moment → accepted at the author's pace
    @Test func `concurrently validated versions obey the same pace`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let node = try RecordKeeper()
        node.view.show(sale)
        let versions = try Self.versions(of: sale, count: 40)
        await withTaskGroup { group in
            for version in versions {
                group.addTask { _ = await node.recordService.validate(version.bytes) }
            }
        }
        #expect(try Self.storedCount(in: node) <= Self.versionsAtOnce)
    }

    /// - From peers: many versions of a listing while its sale is not seen → the latest is
    ///   accepted, the others are not
    @Test func `accepts only the last of the versions that waited for their sale`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let node = try RecordKeeper()
        let versions = try Self.versions(of: sale, count: 40)
        for version in versions {
            await node.take([version])
            node.clock.advance(.seconds(1))
        }
        node.view.show(sale)
        try await node.lookAgain()
        #expect(try Self.storedCount(in: node) == 1)
        #expect(try node.anchored == [versions[39].id])
        #expect(try node.store.read { try $0.heldRecordCount() } == 0)
    }

    /// - From peers: a record that there is no room for, offered again and again → not asked for
    @Test func `an exchange counts a record without room as refused, not missing`()
        async throws
    {
        let (rich, poor) = (try RecordKeeper(), try RecordKeeper(limits: Self.small))
        var listings: [SignedRecord] = []
        for number in 0..<8 as Range<UInt8> {
            let sale = try SampleSale(
                by: testKey(100 + number),
                slot: Self.slot,
                description: String(repeating: "d", count: 300 * Int(number + 1))
            )
            for keeper in [rich, poor] { keeper.view.show(sale) }
            listings.append(try sale.record(at: Self.time(1)))
        }
        await rich.take(listings)
        #expect(try rich.anchored.count == 8)
        let first = try await poor.fetch(from: rich)
        #expect(first.missing == 0)
        let kept = try poor.anchored
        #expect((1..<8).contains(kept.count))
        // The longest go first.
        #expect(kept == Set(listings.prefix(kept.count).map(\.id)))
        let second = try await poor.fetch(from: rich)
        #expect(second.missing == 0 && second.accepted == 0)
        #expect(second.held == kept.count && second.refused == 8 - kept.count)
        #expect(try poor.anchored == kept)
    }

    /// - From peers: old versions of a record, replayed → ignored; the next new one is accepted
    @Test func `replayed old versions do not use up their author's pace`() async throws {
        let sale = try SampleSale(by: Self.seller, slot: Self.slot)
        let node = try RecordKeeper()
        node.view.show(sale)
        let versions = try (1...60 as ClosedRange<UInt64>).map { version in
            let text = String(repeating: "\(version % 10)", count: 4_000)
            return try sale.record(at: Self.time(version), description: text)
        }
        #expect(await node.recordService.validate(versions[58].bytes) == .accept)
        for version in versions[..<58] {
            #expect(await node.recordService.validate(version.bytes) == .ignore)
        }
        #expect(await node.recordService.validate(versions[59].bytes) == .accept)
        #expect(try node.anchored == [versions[59].id])
    }

    private static let small: StoreLimits = {
        var limits = StoreLimits()
        // Far fewer than what there is no room for.
        limits.forgottenRecordsMax = 1
        limits.anchoredLaneBytesMax = 8_000
        return limits
    }()
}
