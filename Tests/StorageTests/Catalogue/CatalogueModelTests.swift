import Keys
import Market
import Storage
import Support
import Testing

/// Random queries of random listings, compared with a list that is looked through.
struct CatalogueModelTests {
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `pages, counts and properties agree with a naive list`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let harness = try CatalogueHarness()
        var model = CatalogueModel()
        for slot in 1...50 as ClosedRange<UInt8> { try await model.add(slot, to: harness, &random) }
        try await Self.compare(model, harness.catalogue, &random)
        // Edits and withdrawals, also of what was looked at before.
        for slot in stride(from: 2, to: 50, by: 3) as StrideTo<UInt8> {
            if slot.isMultiple(of: 2) {
                try await model.withdraw(slot, from: harness)
            } else {
                try await model.add(slot, to: harness, &random)
            }
        }
        try await Self.compare(model, harness.catalogue, &random)
        // An index that was opened again has no properties in memory.
        let opened = try Catalogue(path: harness.indexPath, store: harness.store)
        try await Self.compare(model, opened, &random)
        try await Self.compare(model, Self.filled(harness), &random)
    }

    /// An index that was opened again and has followed the store.
    private static func filled(_ harness: CatalogueHarness) async throws -> Catalogue {
        let catalogue = try Catalogue(path: harness.indexPath, store: harness.store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await catalogue.run() }
            let listings = try await catalogue.count()
            while catalogue.propertiesInMemory < listings { await Task.yield() }
            group.cancelAll()
        }
        return catalogue
    }

    private static func compare(
        _ model: CatalogueModel,
        _ catalogue: Catalogue,
        _ random: inout SeededRandom
    ) async throws {
        for _ in 0..<60 {
            let query = query(&random)
            let rowsMax = Int.random(in: 1...60, using: &random)
            for lookedAt in [rowsMax, CatalogueCount.rowsMax] {
                let found = try await pages(query, catalogue, lookedAt)
                #expect(found == model.matches(query), "\(lookedAt) rows a page: \(query)")
            }
            let (found, isComplete) = model.counted(query, rowsMax: rowsMax)
            let count = try await catalogue.count(query, rowsMax: rowsMax)
            #expect(count.sales == found.map(\.listing.sale), "\(query)")
            #expect(count.isComplete == isComplete, "\(query)")
            let properties = try await catalogue.properties(query, rowsMax: rowsMax)
            #expect(properties.sales == count.sales && properties.isComplete == isComplete)
            #expect(texts(properties) == found.map(text), "\(query)")
        }
    }

    private static func query(_ random: inout SeededRandom) -> CatalogueQuery {
        func sometimes<Value>(_ values: [Value], _ random: inout SeededRandom) -> Value? {
            random.next() % 3 == 0 ? values.randomElement(using: &random) : nil
        }
        let all = CatalogueModel.words
        var query = CatalogueQuery()
        query.text = sometimes(all + all.map { "\($0) thing" } + ["red lamp", "boat"], &random)
        if query.text != nil, random.next() % 3 == 0 { query.closeness = .fewer }
        query.category = sometimes(CatalogueModel.categories + ["none"], &random)
        query.author = sometimes((1...4).map { SampleRecords.key($0).address }, &random)
        query.chain = sometimes([ChainID(31_337), ChainID(31_337), ChainID(2)], &random)
        query.currency = sometimes(
            CatalogueModel.currencies + [.token(SampleRecords.key(8).address)],
            &random
        )
        query.method = sometimes([.escrow, .auction, .direct], &random)
        query.delivery = sometimes([.shipping, .pickup, .online], &random)
        query.priceMin = sometimes((1...9).map { Amount(small: 10_000 * $0) }, &random)
        query.priceMax = sometimes((1...9).map { Amount(small: 10_000 * $0) }, &random)
        query.movingPrices = Bool.random(using: &random) ? [.auction] : []
        query.openAt = sometimes((0...3).map { .sample($0 * 1_000) }, &random)
        query.order = CatalogueQuery.Order.allCases.randomElement(using: &random) ?? .newest
        query.point = ShippingLimits.Point(latitude: 47, longitude: 8)
        query.buyers = CatalogueModel.buyers
        query.limit = Int.random(in: 1...12, using: &random)
        return query
    }

    /// All pages of a query, one after the other, for each of which so many rows are looked at.
    private static func pages(
        _ query: CatalogueQuery,
        _ catalogue: Catalogue,
        _ rowsMax: Int
    ) async throws -> [RecordID] {
        var query = query
        var found: [RecordID] = []
        repeat {
            let page = try await catalogue.search(query, rowsMax: rowsMax)
            found += page.ids
            query.cursor = page.next.flatMap { CatalogueCursor(text: $0.text) }
        } while query.cursor != nil
        return found
    }

    private static func texts(_ found: CatalogueProperties) -> [String] {
        found.rows.map { row in
            "\(found.category(row.category)) \(found.method(row.method)) "
                + "\(found.delivery(row.delivery)) \(found.currency(row.currency)) "
                + "\(found.seller(row.seller)) \(row.price)"
        }
    }

    private static func text(_ entry: CatalogueModel.Entry) -> String {
        let listing = entry.listing
        return "\(listing.category) \(listing.terms.kind.rawValue) "
            + "\(listing.delivery.method.rawValue) \(listing.terms.currency) "
            + "\(entry.record.author) \(listing.terms.price)"
    }
}
