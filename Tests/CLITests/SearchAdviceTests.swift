import Client
import Foundation
import Support
import Testing

@testable import CLI

/// A search that finds nothing, and how it is widened.
struct SearchAdviceTests {
    private static func changes(_ search: ListingSearch) -> [String] {
        SearchAdvice.wider(search).map { String($0.change.prefix { $0 != "," }) }
    }

    @Test func `a search is widened by each of its conditions`() {
        let more = ["with --all", "with --hidden"]
        #expect(
            Self.changes(ListingSearch(text: "red lamp")) == ["without the words 'red lamp'"] + more
        )
        var search = ListingSearch(category: "lamps")
        search.terms.priceMin = "1"
        search.terms.priceMax = "2"
        search.terms.currency = "native"
        search.terms.reachesMe = true
        search.sort = "cheapest"
        search.includesOver = true
        #expect(
            Self.changes(search) == [
                "without --category lamps", "without --price-min and --price-max",
                "without --to-me",
                "with --hidden",
            ]
        )
        for wider in SearchAdvice.wider(search) {
            #expect(wider.search.sort == nil && wider.search.limit == 1)
            #expect(wider.search != search && wider.search.countsMatches)
        }
        let unpriced = SearchAdvice.wider(search)[1].search.terms
        #expect(unpriced.currency == nil && unpriced.priceMin == nil && unpriced.priceMax == nil)
        search.terms = SearchTerms(currency: "native", starsMin: 4)
        #expect(Self.changes(search).dropLast() == ["without --currency", "without --stars 4"])
    }

    @Test func `a search that finds nothing says which condition is in the way`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        try await ScriptedServer.scoped(
            answer: { request, place in
                // Only the category finds nothing, as a listing has it.
                guard request.uri.hasPrefix("/v1/listings?"),
                    request.uri.contains("category=red-lamps") || request.uri.contains("shipsTo=FR")
                else { return document.good(request, place) }
                return .json(200, #"{"items":[],"isLast":true}"#)
            }
        ) { node, server in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let end = try stoa.run("listing", "search", "lamp", "--category", "Red Lamps")
            #expect(end.code == 0, "\(end.words)")
            #expect(end.out == "Nothing found.\nwithout --category red-lamps: one listing\n")
            let both = ["listing", "search", "--category", "Red Lamps", "--ships-to", "FR"]
            #expect(try stoa.run(all: both).out.contains("nothing without any one of the"))
            let json = try stoa.run(all: both + ["--json"])
            #expect(json.out.contains(#""items":[]"#), "\(json.words)")
            #expect(server.requests.contains { $0.uri.contains("count=true") })
        }
    }

    /// - From commands: a listing that is not found, but a similar one is → exit 10, which names it
    @Test func `a mistyped title is answered with the listing that a search finds`() async throws {
        let folder = try TemporaryFolder()
        let document = try DocumentAnswers()
        let unknown = """
            {"type":"urn:stoa:problem:unknown_listing","title":"Unknown listing","status":404,\
            "code":"unknown_listing","detail":"No listing here.","field":"listing"}
            """
        try await ScriptedServer.scoped(
            answer: { request, place in
                let text = request.uri + request.body
                let isNamed = text.contains("bycicle") || text.contains("motorcycle")
                if request.uri.hasPrefix("/v1/listings?") {
                    return isNamed && request.uri.contains("bycicle")
                        ? document.good(request, place) : .json(200, #"{"items":[],"isLast":true}"#)
                }
                return isNamed ? .json(404, unknown) : document.good(request, place)
            }
        ) { node, _ in
            let stoa = try Program.signedIn(at: node, in: folder.path("data"))
            let words = "title 'bycicle'. Did you mean 'Red bicycle' (0f0f0f0f)?"
            for command in [
                ["sale", "buy", "bycicle"], ["sale", "bid", "bycicle", "1"],
                ["listing", "show", "bycicle"], ["favourite", "add", "bycicle"],
                ["cart", "add", "bycicle"], ["course", "enrol", "bycicle"],
            ] {
                let end = try stoa.run(all: command)
                #expect(end.code == 10 && end.words.contains(words), "\(command): \(end)")
            }
            let none = try stoa.run("sale", "buy", "motorcycle")
            #expect(none.code == 10 && none.words.contains("No listing here."), "\(none)")
        }
    }
}
