import Client
import Foundation
import NIOHTTP1
import Support
import Testing

/// Facets, orders, suggestions and mistyped words over the API.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListingFindingTests {
    /// - From people: a search sorted by price without a currency → malformed_value
    /// - From people: `within` without `near`, or not from 1 to 20,000 km; `stars` not from 1 to 5
    ///   → malformed_value
    /// - From people: an unknown `sort`, `payment` or `delivery`, a `shipsTo` that is not a country
    ///   → malformed_value
    /// - From people: a search of 10,000 letters or 1,000 words, of operators, of emoji → the first
    ///   16 words are read, up to 64 letters of each; nothing is an operator
    @Test func `corrects, completes, sorts and counts search results`() async throws {
        try await MarketNode.run { market in
            let bicycle = try await market.list().listing
            let lamp = try await market.list(title: "Lamp for a bicycle").listing
            try await market.asking(market.bo) { bo in
                try await Self.findsWhatWasMeant(bo, bicycle, lamp)
                try await Self.findsSomeWords(bo, bicycle, lamp)
                try await Self.showsRows(bo, [lamp, bicycle])
                try await Self.filters(bo, [lamp, bicycle])
                try await Self.countsFacets(bo, market.ana.account.address)
            }
            try await Self.refuses(market)
        }
    }

    private static func findsWhatWasMeant(
        _ bo: StoaClient,
        _ bicycle: String,
        _ lamp: String
    ) async throws {
        let meant = try await bo.listings(ListingSearch(text: "red bicicle", limit: 1))
        #expect(meant.items.map(\.id) == [bicycle] && meant.corrected == "red bicycle")
        #expect(meant.isLast)
        var both = ListingSearch(text: "bicicle", limit: 1)
        let first = try await bo.listings(both)
        let next: String = try #require(first.next)
        both.after = next
        let second = try await bo.listings(both)
        #expect((first.items + second.items).map(\.id) == [lamp, bicycle])
        let found = try await bo.listings(ListingSearch(text: "bicycle"))
        #expect(found.corrected == nil && found.isPartial == nil && found.facets == nil)
        let none = try await bo.listings(ListingSearch(text: "boat"))
        #expect(none.items.isEmpty && none.corrected == nil)

        let completed = try await bo.suggestions(for: "bicy")
        #expect(completed == [ListingSuggestion(text: "bicycle", listings: 2)])
        #expect(try await bo.suggestions(for: "Red BI").map(\.text) == ["red bicycle"])
        #expect(try await bo.suggestions(for: "lam").map(\.text) == ["lamp"])
        for text in ["", " ", "zzz", "\"*", "🚲"] {
            #expect(try await bo.suggestions(for: text).isEmpty, "\(text)")
        }
        try await listsCategories(bo)
    }

    /// Rows are of the same listings, in the same order.
    private static func showsRows(_ bo: StoaClient, _ ids: [String]) async throws {
        var search = ListingSearch(text: "bicycle", limit: 1)
        search.countsMatches = true
        let first = try await bo.rows(search)
        let next: String = try #require(first.next)
        search.after = next
        let second = try await bo.rows(search)
        let rows = first.items + second.items
        #expect(rows.map(\.id) == ids && first.total == 2 && second.isLast)
        #expect(rows.map(\.title) == ["Lamp for a bicycle", MarketNode.bicycle.title])
        #expect(rows.allSatisfy { $0.seller?.name == "ana" && $0.tags == ["bicycle"] })
        #expect(rows.allSatisfy { $0.price == MarketNode.bicycle.price && $0.picture == nil })
        #expect(rows.allSatisfy { $0.state == "open" && $0.status == "state.open" })
        // The whole listings are not mixed up with their rows.
        let whole = try await bo.listings(ListingSearch(text: "bicycle"))
        #expect(whole.items.map(\.id) == ids)
    }

    /// Listings with some of the words follow those with all, on the first page that these leave
    /// room on and on those after it.
    private static func findsSomeWords(
        _ bo: StoaClient,
        _ bicycle: String,
        _ lamp: String
    ) async throws {
        for text in ["red bicycle", "red bicicle"] {
            var search = ListingSearch(text: text)
            (search.countsMatches, search.countsFacets) = (true, true)
            let page = try await bo.listings(search)
            #expect(page.items.map(\.id) == [bicycle, lamp], "\(text)")
            #expect(page.withAllWords == 1 && page.total == 1 && page.isLast, "\(text)")
            #expect(page.facets?.categories.map(\.count) == [1], "\(text)")
        }
        // A page that is full is followed by nothing else.
        let full = try await bo.listings(ListingSearch(text: "red bicycle", limit: 1))
        #expect(full.withAllWords == nil && full.isLast)
        for text in ["red lamp", "red lanp", "lamp red"] {
            var search = ListingSearch(text: text, limit: 1)
            let first = try await bo.listings(search)
            let next: String = try #require(first.next, "\(text)")
            search.after = next
            let second = try await bo.listings(search)
            #expect(first.withAllWords == 0 && second.withAllWords == 0, "\(text)")
            #expect((first.items + second.items).map(\.id) == [lamp, bicycle], "\(text)")
            let corrected = text == "red lanp" ? "red lamp" : nil
            #expect(second.isLast && [first, second].allSatisfy { $0.corrected == corrected })
        }
        // A part of a word is found after the words that begin so.
        let part = try await bo.listings(ListingSearch(text: "cycle lam"))
        #expect(part.items.map(\.id) == [lamp, bicycle] && part.withAllWords == 1)
        var parts = ListingSearch(text: "cycle", limit: 1)
        let newest = try await bo.listings(parts)
        let next: String = try #require(newest.next)
        parts.after = next
        let oldest = try await bo.listings(parts)
        #expect((newest.items + oldest.items).map(\.id) == [lamp, bicycle] && oldest.isLast)
        #expect(newest.withAllWords == nil && oldest.withAllWords == nil)
        let none = try await bo.listings(ListingSearch(text: "boats tables"))
        #expect(none.items.isEmpty && none.withAllWords == nil)
    }

    private static func listsCategories(_ bo: StoaClient) async throws {
        let categories = try await bo.categories()
        let named = categories.prefix { $0.name != nil }.map(\.id)
        #expect(named.last == "other" && named.dropLast() == named.dropLast().sorted()[...])
        let used = categories.filter { $0.listings > 0 }
        #expect(used.map(\.listings) == [2])
    }

    private static func filters(_ bo: StoaClient, _ all: [String]) async throws {
        func found(_ change: (inout ListingSearch) -> Void) async throws -> [String] {
            var search = ListingSearch()
            change(&search)
            return try await bo.listings(search).items.map(\.id)
        }
        #expect(try await found { $0.shipsTo = "de" } == all)
        #expect(try await found { $0.shipsTo = "US" }.isEmpty)
        #expect(try await found { $0.payment = "escrow" } == all)
        #expect(try await found { $0.payment = "auction" }.isEmpty)
        #expect(try await found { $0.delivery = "shipping" } == all)
        #expect(try await found { $0.delivery = "pickup" }.isEmpty)
        #expect(try await found { $0.sort = "newest" } == all)
        let oldest: [String] = all.reversed()
        #expect(try await found { $0.sort = "oldest" } == oldest)
        for sort in ["cheapest", "costliest", "ending", "nearest", "popular"] {
            let ids = try await found {
                ($0.sort, $0.currency) = (sort, "native")
                $0.near = GeographicPoint(latitude: 48.137, longitude: 11.575)
            }
            #expect(Set(ids) == Set(all), "\(sort)")
        }
    }

    private static func countsFacets(_ bo: StoaClient, _ seller: String) async throws {
        var search = ListingSearch(text: "bicycle", limit: 1)
        (search.countsFacets, search.countsMatches) = (true, true)
        let page = try await bo.listings(search)
        let facets = try #require(page.facets)
        func count(_ value: String, in area: String? = nil) -> [ListingFacets.Count] {
            let name = area.map { Sentence("\($0).\(value)") }
            return [ListingFacets.Count(value: value, count: 2, name: name)]
        }
        #expect(page.total == 2 && page.totalIsLowerBound == false && page.items.count == 1)
        #expect(facets.categories == count("vehicles", in: "category"))
        #expect(facets.payments == count("escrow", in: "payment"))
        #expect(facets.deliveries == count("shipping", in: "delivery"))
        #expect(facets.states == count("open", in: "state"))
        #expect(facets.sellers == count(seller))
        let price = MarketNode.bicycle.price
        #expect(
            facets.prices == [
                ListingFacets.Prices(
                    currency: price.currency,
                    count: 2,
                    least: price.amount,
                    most: price.amount
                )
            ]
        )
        #expect(facets.distances.isEmpty && facets.stars.isEmpty)
        search.starsMin = 1
        let reviewed = try await bo.listings(search)
        #expect(reviewed.total == 0 && reviewed.items.isEmpty)
        #expect(reviewed.facets?.categories == [])
        search.starsMin = nil
        search.text = "lamp"
        #expect(try await bo.listings(search).facets?.categories.map(\.count) == [1])
        search.text = "boat"
        #expect(try await bo.listings(search).facets?.categories == [])
    }

    private static func refuses(_ market: MarketNode) async throws {
        for (query, field, words) in [
            ("sort=price", "sort", "costliest, ending, nearest or popular"),
            ("sort=", "sort", "is not known here"),
            ("sort=cheapest", "currency", "Prices are sorted in one currency"),
            ("sort=nearest", "near", "Distances need a point"),
            ("sort=nearest&near=91,0", "near", "is not a point"),
            ("sort=nearest&near=48.137", "near", "is not a point"),
            ("near=nan,0", "near", "is not a point"),
            ("within=5", "near", "Distances need a point"),
            ("within=0&near=1,1", "within", "from 1 to 20000"),
            ("within=20001&near=1,1", "within", "from 1 to 20000"),
            ("stars=0", "stars", "from 1 to 5"), ("stars=six", "stars", "from 1 to 5"),
            ("payment=gift", "payment", "'payment' can be"),
            ("delivery=post", "delivery", "shipping, pickup or online"),
            ("shipsTo=UK", "shipsTo", "The United Kingdom is GB."),
            ("facets=1", "facets", "true or false"),
        ] {
            let answer = try await market.node.call(
                .GET,
                "listings?\(query)",
                token: market.bo.token
            )
            #expect(answer.status == 400 && answer.code == "malformed_value", "\(query)")
            let problem = try answer.read(Problem.self)
            #expect(problem.field == field && problem.detail.contains(words), "\(problem.detail)")
        }
        // No text is an error: only its first words are read, and none is an operator.
        let long = String(repeating: "bicycle%20", count: 1_000)
        for text in [
            long, String(repeating: "x", count: 10_000), "NOT%20bicycle", "bicycle%20OR%20",
            "%22%20OR%20texts:", "NEAR(a%20b)", "%F0%9F%9A%B2", "%F0%9F%9A%B2%20bicycle", "_=~",
        ] {
            for path in ["listings?facets=true&count=true&", "listings/suggestions?"] {
                let answer = try await market.node.call(
                    .GET,
                    path + "search=" + text,
                    token: market.bo.token
                )
                #expect(answer.status == 200, "\(path) \(text.prefix(20))")
            }
        }
    }
}
