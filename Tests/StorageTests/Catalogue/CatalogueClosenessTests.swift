import Market
import Storage
import Support
import Testing

/// Listings that match some of the words of a query.
struct CatalogueClosenessTests {
    @Test func `finds listings with some of the words apart from those with all`() async throws {
        let harness = try CatalogueHarness()
        let lamp = try await harness.add(SampleListings.record(1, title: "Blue lamp"))
        let both = try await harness.add(SampleListings.record(2, title: "Red lamp"))
        let boat = try await harness.add(SampleListings.record(3, description: "A red boat."))
        try await harness.add(SampleListings.record(4, title: "Green table", category: "tool"))

        #expect(try await harness.find("red lamp") == [both])
        // Words of titles come first, then the newest.
        #expect(try await harness.find("red lamp") { $0.closeness = .fewer } == [lamp, boat])
        #expect(
            try await harness.find("lamp wanted") { $0.closeness = .fewer } == [both, lamp]
        )
        #expect(
            try await harness.find("red table") {
                ($0.closeness, $0.category) = (.fewer, "vehicle")
            } == [both, boat]
        )
        // One word, or nothing else but a word of one or two letters, is no part of anything.
        for text in ["lamp", "a", "a b"] {
            #expect(try await harness.find(text) { $0.closeness = .fewer }.isEmpty, "\(text)")
        }
        #expect(try await harness.find("a lamp") { $0.closeness = .fewer } == [both, lamp])
        #expect(try await harness.find(nil) { $0.closeness = .fewer }.isEmpty)
    }

    @Test func `a listing that lacks one word precedes those that lack more`() async throws {
        let harness = try CatalogueHarness()
        let two = try await harness.add(
            SampleListings.record(1, title: "Thing", description: "A red lamp.")
        )
        let one = try await harness.add(SampleListings.record(2, title: "Lamp"))
        let other = try await harness.add(SampleListings.record(3, description: "Wooden."))
        let found = try await harness.find("red wooden lamp") { $0.closeness = .fewer }
        #expect(found == [two, one, other])
        let more = try await harness.find("red wooden lamp with shade") { $0.closeness = .fewer }
        #expect(more == [one, other, two])
    }

    @Test(arguments: CatalogueQuery.Order.allCases)
    func `their pages follow each other in each order`(order: CatalogueQuery.Order) async throws {
        let harness = try CatalogueHarness()
        for slot in 1...9 as ClosedRange<UInt8> {
            let title = ["Red", "Lamp", "Red lamp"][Int(slot % 3)]
            let price = String(10_000 * Int(slot % 4 + 1))
            try await harness.add(SampleListings.record(slot, title: title, price: price))
        }
        var query = CatalogueQuery(text: "red lamp")
        (query.closeness, query.order, query.limit) = (.fewer, order, 2)
        query.point = ShippingLimits.Point(latitude: 47, longitude: 8)
        query.buyers = { $0.map { _ in 0 } }
        let all = try await harness.find("red lamp") {
            $0 = query
            $0.limit = 100
        }
        #expect(all.count == 6)
        var found: [RecordID] = []
        repeat {
            let page = try await harness.catalogue.search(query)
            found += page.ids
            let cursor = page.next.flatMap { CatalogueCursor(text: $0.text) }
            #expect(cursor == page.next && cursor?.closeness ?? .fewer == .fewer)
            query.cursor = cursor
        } while query.cursor != nil
        #expect(found == all)
    }
}
