import Keys
import Market
import Storage
import Support
import Testing

/// Orders, properties, names of sellers and mistyped words.
struct CatalogueOrderTests {
    /// Listings of prices 30,000, 10,000, 20,000 and 10,000, of which the last two end.
    private static func harness() async throws -> (CatalogueHarness, [RecordID]) {
        let harness = try CatalogueHarness()
        var ids: [RecordID] = []
        let ends: [Timestamp?] = [nil, nil, .sample(9_000), .sample(8_000)]
        for (number, price) in ["30000", "10000", "20000", "10000"].enumerated() {
            ids.append(
                try await harness.add(
                    SampleListings.record(
                        UInt8(number + 1),
                        title: number == 0 ? "Old thing" : "New thing",
                        price: price,
                        category: number < 2 ? "tool" : "vehicle",
                        endsAt: ends[number],
                        author: number == 3 ? 2 : 1
                    )
                )
            )
        }
        return (harness, ids)
    }

    @Test(arguments: [nil, "thing"])
    func `sorts by time, price and end, with consecutive pages`(text: String?) async throws {
        let (harness, ids) = try await Self.harness()
        let orders: [(CatalogueQuery.Order, [Int])] = [
            (.newest, [3, 2, 1, 0]), (.oldest, [0, 1, 2, 3]), (.cheapest, [1, 3, 2, 0]),
            (.costliest, [0, 2, 3, 1]), (.ending, [3, 2, 1, 0]),
        ]
        for (order, expected) in orders {
            let wanted = expected.map { ids[$0] }
            #expect(try await harness.find(text) { $0.order = order } == wanted, "\(order)")
            var found: [RecordID] = []
            var query = CatalogueQuery(text: text)
            (query.order, query.limit) = (order, 1)
            repeat {
                let page = try await harness.catalogue.search(query)
                found += page.ids
                query.cursor = page.next.flatMap { CatalogueCursor(text: $0.text) }
            } while query.cursor != nil
            #expect(found == wanted, "\(order)")
        }
        #expect(
            try await harness.find(text) {
                ($0.order, $0.category) = (.cheapest, "vehicle")
            } == [ids[3], ids[2]]
        )
    }

    @Test func `sorts by distance and by number of buyers`() async throws {
        let harness = try CatalogueHarness()
        // Berlin, none, Munich, Hamburg.
        let points: [(Double, Double)?] = [(52.52, 13.405), nil, (48.137, 11.575), (53.55, 9.993)]
        var ids: [RecordID] = []
        for (number, place) in points.enumerated() {
            let point = place.flatMap {
                ShippingLimits.Point(latitude: $0.0, longitude: $0.1)
            }
            let limits = try point.map {
                try ShippingLimits(.distance(metres: 50_000, centre: $0, place: "a town"))
            }
            let anchor = ListingAnchor(
                contract: SampleRecords.key(7).address,
                sale: SaleID(Bytes32(repeating: UInt8(number))),
                promised: nil
            )
            let slot = UInt8(number + 1)
            let delivery = limits.map { Delivery.shipping($0) }
            ids.append(
                try await harness.add(
                    SampleListings.record(slot, delivery: delivery, anchor: anchor)
                )
            )
        }
        let anywhere = ShippingLimits.Area.distance(
            metres: ShippingLimits.radiusMetresMax,
            centre: try #require(ShippingLimits.Point(latitude: 54.32, longitude: 10.14)),
            place: "everywhere"
        )
        #expect(Delivery.shipping(try ShippingLimits(anywhere)).point == nil)
        let kiel = try #require(ShippingLimits.Point(latitude: 54.32, longitude: 10.14))
        let opened = try Catalogue(path: harness.indexPath, store: harness.store)
        for catalogue in [harness.catalogue, opened] {
            for (order, expected) in [
                (CatalogueQuery.Order.nearest, [3, 0, 2, 1]), (.popular, [2, 0, 3, 1]),
            ] {
                var query = CatalogueQuery()
                (query.order, query.point, query.limit) = (order, kiel, 1)
                query.buyers = { sales in
                    sales.map { [1, 0, 5, 0][Int($0?.id.hash.bytes.first ?? 1)] }
                }
                var found: [RecordID] = []
                repeat {
                    let page = try await catalogue.search(query)
                    found += page.ids
                    query.cursor = page.next.flatMap { CatalogueCursor(text: $0.text) }
                } while query.cursor != nil
                #expect(found == expected.map { ids[$0] }, "\(order)")
                // Hamburg is 86 km from Kiel; Berlin, Munich and what states no point are not near.
                for (kilometres, wanted) in [(80, []), (100, [3]), (500, [3, 0])] {
                    (query.metresMax, query.limit) = (kilometres * 1_000, 9)
                    let near = try await catalogue.search(query).ids
                    #expect(Set(near) == Set(wanted.map { ids[$0] }), "\(order) \(kilometres)")
                    let counted = try await catalogue.count(query)
                    #expect(counted.sales.count == wanted.count && counted.isComplete)
                }
            }
        }
    }

    @Test(arguments: [nil, "thing"], ["vehicle", nil])
    func `filters by properties, in each order and in counts`(
        text: String?,
        category: String?
    ) async throws {
        let (harness, ids) = try await Self.harness()
        let other = try await harness.add(
            SampleListings.record(9, category: "vehicle", delivery: .pickup(place: "bern"))
        )
        for order in CatalogueQuery.Order.allCases {
            func found(_ change: (inout CatalogueQuery) -> Void) async throws -> Set<RecordID> {
                var query = CatalogueQuery(text: text)
                (query.order, query.category) = (order, category)
                change(&query)
                let ids = Set(try await harness.catalogue.search(query).ids)
                let count = try await harness.catalogue.count(query)
                #expect(count.sales.count == ids.count && count.isComplete, "\(order)")
                return ids
            }
            let all = Set(category == nil ? ids + [other] : [ids[2], ids[3], other])
            #expect(try await found { $0.method = .escrow } == all)
            #expect(try await found { $0.method = .auction }.isEmpty)
            #expect(try await found { $0.delivery = .pickup } == [other])
            #expect(try await found { $0.delivery = .shipping } == all.subtracting([other]))
            #expect(try await found { $0.currency = .native } == all)
            let token = Currency.token(SampleRecords.key(5).address)
            #expect(try await found { $0.currency = token }.isEmpty)
            #expect(
                try await found { $0.author = SampleRecords.key(2).address } == [ids[3]]
            )
        }
    }

    @Test(arguments: [
        "", "-", "0-", "-0", "00-1", "0--1", "g-0", "+1-0", "0-0-0", "0-0-01", "0-0-3",
    ])
    func `refuses text that is not a cursor`(text: String) {
        #expect(CatalogueCursor(text: text) == nil)
    }

    @Test func `reports the properties of its results`() async throws {
        let (harness, _) = try await Self.harness()
        let found = try await harness.catalogue.properties(CatalogueQuery(text: "new"))
        #expect(found.rows.count == 3 && found.isComplete)
        #expect(found.rows.map { found.category($0.category) } == ["vehicle", "vehicle", "tool"])
        let (one, two) = (SampleRecords.key(1).address, SampleRecords.key(2).address)
        #expect(found.rows.map { found.seller($0.seller) } == [two, one, one])
        #expect(found.sales.count == 3)
        #expect(found.rows.map(\.price) == [10_000, 20_000, 10_000].map { Amount(small: $0) })
        #expect(Set(found.rows.map { found.method($0.method) }) == ["escrow"])
        #expect(Set(found.rows.map { found.delivery($0.delivery) }) == ["shipping"])
        #expect(found.rows.map { found.currency($0.currency) } == [.native, .native, .native])
        let some = try await harness.catalogue.properties(CatalogueQuery(text: "new"), rowsMax: 2)
        #expect(some.rows.count == 2 && !some.isComplete)
    }

    @Test func `a search by country finds listings that ship there or everywhere`() async throws {
        let harness = try CatalogueHarness()
        let near = try await harness.add(SampleListings.record(1))
        let point = try #require(ShippingLimits.Point(latitudeE7: 0, longitudeE7: 0))
        let limits = try ShippingLimits(
            .distance(metres: ShippingLimits.radiusMetresMax, centre: point, place: "everywhere")
        )
        let far = try await harness.add(SampleListings.record(2, delivery: .shipping(limits)))
        try await harness.add(SampleListings.record(3, delivery: .pickup(place: "germany")))
        #expect(try await harness.find(nil) { $0.country = "GERMANY" } == [far, near])
        #expect(try await harness.find("thing") { $0.country = "france" } == [far])
    }

    @Test func `finds a seller's name in each of their listings`() async throws {
        let (harness, ids) = try await Self.harness()
        let profile = try RecordDraft(
            network: "test",
            author: SampleRecords.key(2).address,
            content: .profile(Profile(name: "Zoë Smith")),
            slot: .zero,
            createdAt: .sample(1)
        ).signed(by: SampleRecords.key(2))
        try await harness.add(profile)
        #expect(try await harness.find("zoe") == [ids[3]])
        #expect(try await harness.find("smi thing") == [ids[3]])
        #expect(try await harness.find("smith old").isEmpty)

        // A new name replaces it, here and in an index that is built again.
        let renamed = try RecordDraft(
            network: "test",
            author: SampleRecords.key(2).address,
            content: .profile(Profile(name: "Carpenter")),
            slot: .zero,
            createdAt: .sample(2)
        ).signed(by: SampleRecords.key(2))
        try await harness.add(renamed)
        #expect(try await harness.find("smith").isEmpty)
        let other = try Catalogue(path: harness.folder.path("other.sqlite"), store: harness.store)
        #expect(try await other.search(CatalogueQuery(text: "carpenter")).ids == [ids[3]])
    }

    @Test func `completes long prefixes among any number of words`() async throws {
        let harness = try CatalogueHarness()
        for slot in 1...60 as ClosedRange<UInt8> {
            try await harness.add(
                SampleListings.record(slot, title: "Playstation\(slot)", description: "Bicycles")
            )
        }
        #expect(try await harness.find("playstat") { $0.limit = 100 }.count == 60)
        #expect(try await harness.find("playstation5") { $0.limit = 100 }.count == 11)
        #expect(try await harness.find("bicycles play") { $0.limit = 100 }.count == 60)
        #expect(try await harness.find("bicycle playstation60").count == 1)
        #expect(try await harness.find("bicyclesx").isEmpty)
    }

    @Test(arguments: [
        ("bicicle", "bicycle"), ("bycicle red", "bicycle red"), ("biycycle", "bicycle"),
        ("bicylce", "bicycle"), ("bicycl", nil), ("icycle", nil), ("bicycle", nil),
        ("bycicle", "bicycle"), ("cibycle", "bicycle"), ("elcycib", nil),
        ("fahrad", "fahrrad"), ("велосипет", "велосипед"), ("red bicicle", "red bicycle"),
        ("rad", nil), ("bicicle blue", nil), ("bicic", "bicyc"), ("lam", nil),
        ("bicycel97", "bicycle 97"),
    ])
    func `replaces a mistyped word with a word that listings contain`(
        typed: String,
        meant: String?
    ) async throws {
        let harness = try CatalogueHarness()
        try await harness.add(
            SampleListings.record(1, title: "Red bicycle 97", description: "Fahrrad")
        )
        try await harness.add(SampleListings.record(2, title: "Велосипед"))
        #expect(try await harness.catalogue.correction(of: typed) == meant)
    }

    @Test func `searches an index during its rebuild, and says so`() async throws {
        let harness = try CatalogueHarness()
        for slot in 1...25 as ClosedRange<UInt8> {
            try await harness.add(SampleListings.record(slot))
        }
        let path = harness.folder.path("other.sqlite")
        let catalogue = try Catalogue(path: path, store: harness.store, rebuildStep: 10)
        for _ in 0..<2 {
            let page = try await catalogue.search(CatalogueQuery(text: "thing"))
            #expect(page.isPartial && page.ids.count == 10)
        }
        // What comes meanwhile is added too, and a rebuild that was cut off begins again.
        try await harness.add(SampleListings.record(26))
        try await catalogue.catchUp()
        #expect(try await catalogue.count() == 26)
        let page = try await catalogue.search(CatalogueQuery(text: "thing"))
        let whole = try await harness.find("thing")
        #expect(!page.isPartial && page.ids == whole)
        let begun = try Catalogue(
            path: harness.folder.path("begun.sqlite"),
            store: harness.store,
            rebuildStep: 10
        )
        #expect(try await begun.search(CatalogueQuery()).isPartial)
        // What a search began is completed by the task that follows the store.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await begun.run() }
            try await waitUntil { try await !begun.search(CatalogueQuery()).isPartial }
            #expect(try await begun.count() == 26)
            group.cancelAll()
        }
        let again = try Catalogue(path: harness.folder.path("begun.sqlite"), store: harness.store)
        #expect(try await again.search(CatalogueQuery()).ids.count == 20)
        #expect(try await again.count() == 26)
    }
}
