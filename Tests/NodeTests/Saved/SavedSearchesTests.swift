import Client
import Foundation
import Keys
import NIOHTTP1
import Support
import Testing

/// Saved searches and drafts over the API, on a market with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SavedSearchesTests {
    private static func refused(
        _ body: () async throws -> some Sendable
    ) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? Problem)?.code ?? "\(error)"
        }
    }

    /// Waits for a number of found listings among an account's events.
    private static func found(
        _ count: Int,
        _ client: StoaClient
    ) async throws -> [(search: String, listing: String)] {
        var found: [(search: String, listing: String)] = []
        for try await event in client.events(after: 0) where event.type == "listing_found" {
            found.append((event.data["search"] ?? "", event.subject))
            if found.count == count { break }
        }
        return found
    }

    /// - From people: a saved search that is empty, has a price without a currency, an unknown
    ///   country, or a name of several lines or over 64 bytes → malformed_value
    /// - From people: a search whose lowest price is above its highest → malformed_value
    @Test func `a saved search reports each new matching listing once`() async throws {
        try await MarketNode.run { market in
            _ = try await market.list(title: "Old red bicycle")
            try await market.asking(market.bo) { bo in
                let cheap = SearchTerms(text: "red", currency: "native", priceMax: "1")
                _ = try await bo.save(cheap, as: "cheap bicycles")
                let saved = try await bo.save(SearchTerms(text: "red"), as: "bicycles")
                _ = try await bo.save(SearchTerms(category: "vehicles"), as: "vehicles")
                _ = try await bo.save(SearchTerms(text: "boat"), as: "boats")
                let berlin = GeographicPoint(latitude: 52.52, longitude: 13.405)
                // The bicycle states no point, and nobody has reviewed its seller.
                let near = SearchTerms(text: "red", near: berlin, within: 20_000)
                #expect(try await bo.save(near, as: "near").terms == near)
                let starred = SearchTerms(text: "red", starsMin: 1)
                #expect(try await bo.save(starred, as: "starred").terms == starred)
                let sorted = SearchTerms(text: "red", sort: "oldest")
                #expect(try await bo.save(sorted, as: "sorted").terms == sorted)
                try await bo.remove(search: "sorted")
                // The bicycle is shipped to DE and FR alone.
                let mine = SearchTerms(text: "red", reachesMe: true)
                let homeless = await Self.refused { try await bo.save(mine, as: "mine") }
                #expect(homeless == "malformed_value")
                _ = try await bo.set(DeliveryAddress(place: "US"))
                _ = try await bo.save(mine, as: "mine")
                let names = try await bo.savedSearches().map(\.name)
                #expect(
                    names == [
                        "mine", "starred", "near", "boats", "vehicles", "bicycles",
                        "cheap bicycles",
                    ]
                )
                // The same again changes nothing.
                let again = try await bo.save(SearchTerms(text: "red"), as: "bicycles")
                #expect(again == saved)
                for (terms, name, code) in [
                    (SearchTerms(), "x", "malformed_value"),
                    (SearchTerms(priceMax: "1"), "x", "malformed_value"),
                    (SearchTerms(sort: "oldest"), "x", "malformed_value"),
                    (SearchTerms(text: "a", sort: "cheapest"), "x", "malformed_value"),
                    (SearchTerms(text: "a", priceMax: "1"), "x", "malformed_value"),
                    (SearchTerms(text: "a"), "a\nb", "malformed_value"),
                    (SearchTerms(text: "a"), String(repeating: "x", count: 65), "malformed_value"),
                    (SearchTerms(text: "a", shipsTo: "XX"), "x", "malformed_value"),
                    (SearchTerms(within: 5), "x", "malformed_value"),
                    (SearchTerms(near: berlin, within: 0), "x", "malformed_value"),
                    (SearchTerms(near: berlin, within: .max), "x", "malformed_value"),
                    (SearchTerms(text: "a", starsMin: 6), "x", "malformed_value"),
                    (
                        SearchTerms(currency: "native", priceMin: "2", priceMax: "1"), "x",
                        "malformed_value"
                    ),
                ] {
                    #expect(await Self.refused { try await bo.save(terms, as: name) } == code)
                }
            }
            let bicycle = try await market.list().listing
            let lamp = try await market.list(title: "Lamp").listing
            try await market.asking(market.ana) { ana in
                var words = try await ana.listing(bicycle).content
                words.description = "With new tyres."
                let begun = try await ana.edit(listing: bicycle, words)
                _ = try await ana.follow(begun) { _ in }
            }
            let boat = try await market.list(title: "Boat").listing
            try await market.asking(market.bo) { bo in
                let all = try await Self.found(5, bo).map { "\($0.search) \($0.listing)" }
                #expect(
                    Set(all) == [
                        "bicycles \(bicycle)", "vehicles \(bicycle)", "vehicles \(lamp)",
                        "boats \(boat)", "vehicles \(boat)",
                    ]
                )
                _ = try await bo.set(DeliveryAddress(place: "DE"))
                try await bo.remove(search: "boats")
                #expect(await Self.refused { try await bo.remove(search: "boats") } == "not_found")
                try await bo.signOut()
            }
            // What comes while he is away is told when he is back.
            let second = try await market.list(title: "Second red bicycle").listing
            let back = try await market.node.signIn("bo")
            try await market.asking(back) { bo in
                let all = try await Self.found(8, bo).suffix(3)
                #expect(all.allSatisfy { $0.listing == second })
                #expect(Set(all.map(\.search)) == ["bicycles", "mine", "vehicles"])
            }
            // Nobody is told of his own listings.
            try await market.asking(market.ana) { ana in
                _ = try await ana.save(SearchTerms(category: "vehicles"), as: "mine")
                let events = try await ana.savedSearches()
                #expect(events.map(\.name) == ["mine"])
            }
        }
    }

    /// FTS5 has no phrases here: a character that stands for several words must not become one.
    @Test func `survives a search for a character that stands for several words`() async throws {
        try await MarketNode.run { market in
            let text = "\u{FDFA}"
            let quoted = try #require(
                text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            )
            try await market.asking(market.bo) { bo in
                _ = try await bo.save(SearchTerms(text: text), as: "calligraphy")
                _ = try await bo.save(SearchTerms(text: "paper"), as: "paper")
            }
            let listing = try await market.list(title: "\(text) on paper").listing
            for path in [
                "listings?search=\(quoted)", "listings?search=\(quoted)&count=true",
                "listings?search=\(quoted)&facets=true", "listings/suggestions?search=\(quoted)",
            ] {
                let answer = try await market.node.call(.GET, path, token: market.bo.token)
                #expect(answer.status == 200, "\(path)")
            }
            try await market.asking(market.bo) { bo in
                let all = try await Self.found(2, bo).map { "\($0.search) \($0.listing)" }
                #expect(Set(all) == ["calligraphy \(listing)", "paper \(listing)"])
            }
        }
    }

    /// - From people: a thirty-third saved search or draft; a draft of more than 16,384 bytes as
    ///   JSON → not_allowed, malformed_value
    @Test func `stores at most 32 drafts, each until it is published`() async throws {
        try await MarketNode.run { market in
            try await market.asking(market.ana) { ana in
                var content = MarketNode.bicycle
                (content.title, content.description) = ("", "")
                let first = try await ana.save(draft: content, as: "bicycle")
                #expect(first.content == content)
                #expect(try await ana.draft("bicycle") == first)
                content.title = "Red bicycle"
                let second = try await ana.save(draft: content, as: "bicycle")
                #expect(second.changedAt > first.changedAt)
                #expect(try await ana.drafts() == [second])
                content.description = String(repeating: "x", count: 17_000)
                let long = await Self.refused { try await ana.save(draft: content, as: "long") }
                #expect(long == "malformed_value")
                content.description = "Short."
                // Names that were removed do not count, however many.
                for number in 0..<70 {
                    _ = try await ana.save(draft: content, as: "n\(number)")
                    try await ana.remove(draft: "n\(number)")
                }
                #expect(try await ana.drafts().map(\.content) == [second.content])
                for number in 0..<31 { _ = try await ana.save(draft: content, as: "m\(number)") }
                let full = await Self.refused { try await ana.save(draft: content, as: "more") }
                #expect(full == "not_allowed")
                #expect(try await ana.drafts().count == 32)
                try await ana.remove(draft: "bicycle")
                let gone = await Self.refused { try await ana.draft("bicycle") }
                #expect(gone == "not_found")
            }
            try await market.asking(market.bo) { bo in
                let own = try await bo.drafts()
                #expect(own.isEmpty)
            }
        }
    }
}
