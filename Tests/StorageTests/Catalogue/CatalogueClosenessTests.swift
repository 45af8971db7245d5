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

    @Test(
        arguments: [
            ("bikes", "Bike"), ("battery", "Two batteries"), ("running", "Runs well"),
            ("cars", "Car"), ("lampen", "Lampe"), ("Häuser", "Haus"),
            ("bicicletas", "Bicicleta"), ("vélos", "Vélo"), ("cykler", "Cyklar"),
            ("велосипедами", "Велосипеды"), ("red BIKES", "Bike, red"),
        ]
    )
    func `finds other forms of a word`(text: String, title: String) async throws {
        let harness = try CatalogueHarness()
        let other = try await harness.add(SampleListings.record(1, description: "Careful, bikers."))
        let listing = try await harness.add(SampleListings.record(2, title: title))
        #expect(try await harness.find(text) == [listing])
        #expect(try await harness.find("biker") == [other])
    }

    @Test func `finds a part of a word apart from words that begin so`() async throws {
        let harness = try CatalogueHarness()
        let bicycle = try await harness.add(SampleListings.record(1, description: "Bicycles."))
        let cycle = try await harness.add(SampleListings.record(2, title: "Life cycle"))
        let unicycle = try await harness.add(SampleListings.record(3, title: "Unicycle, red"))
        let straw = try await harness.add(SampleListings.record(4, title: "Erdbeerkörbchen"))
        func parts(_ text: String) async throws -> [RecordID] {
            try await harness.find(text) { $0.closeness = .parts }
        }
        #expect(try await harness.find("cycle") == [cycle])
        #expect(try await parts("cycle") == [unicycle, bicycle])
        #expect(try await parts("CYC") == [unicycle, bicycle])
        #expect(try await parts("cycle red") == [unicycle])
        #expect(try await parts("cycle life").isEmpty)
        for text in ["körb", "koerb", "korb", "chen"] {
            #expect(try await parts(text) == [straw], "\(text)")
        }
        // Two letters, numbers and whole words are no parts.
        for text in ["cy", "bicycles", "123", "zzz", "cyycle"] {
            #expect(try await parts(text).isEmpty, "\(text)")
        }
        // A part counts as a word of those that a listing has some of.
        #expect(
            try await harness.find("cycle red") { $0.closeness = .fewer } == [cycle, bicycle]
        )
        // A word that is gone with its listing finds nothing, and is then mistyped.
        try await harness.add(SampleRecords.record(.listing, slot: 3, at: .sample(9)))
        #expect(try await parts("nicycle").isEmpty)
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
