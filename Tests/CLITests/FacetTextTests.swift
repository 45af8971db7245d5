import Client
import Foundation
import Testing

@testable import CLI

/// What a search shows beside listings.
struct FacetTextTests {
    @Test func `a search shows facets, corrected words, and gaps in the result`() {
        var page = Page<Listing>(items: [], next: nil)
        #expect(ListingText.found(page) == "Nothing found. Try fewer words, or fewer conditions.")
        page.corrected = "red bicycle"
        page.isPartial = true
        page.facets = ListingFacets(
            categories: [.init(value: "vehicles", count: 3), .init(value: "tools", count: 1)],
            payments: [],
            deliveries: [.init(value: "shipping", count: 4)],
            states: ["open": 4, "without_sale": 1].sorted { $0.key < $1.key }.map {
                .init(value: $0.key, count: $0.value, name: Sentence("state.\($0.key)"))
            },
            sellers: [],
            prices: [
                .init(
                    currency: "native",
                    count: 4,
                    least: "500000000000000000",
                    most: "2000000000000000000"
                )
            ],
            distances: [.init(value: "5", count: 1), .init(value: "100", count: 2)],
            stars: [.init(value: "5", count: 1), .init(value: "4", count: 3)]
        )
        let text = ListingText.found(page)
        #expect(text.contains("No listing has these words. Found by: red bicycle"))
        #expect(text.contains("category   vehicles 3, tools 1\ndelivery   shipping 4"))
        #expect(text.contains("price      0.5 ETH to 2 ETH: 4"))
        #expect(text.contains("state      for sale 4, no sale on the chain 1"))
        #expect(!text.contains("payment"))
        #expect(text.contains("stars      5: 1, 4 or more: 3"))
        #expect(text.contains("distance   under 5 km: 1, under 100 km: 2"))
        #expect(text.hasSuffix("listings are missing. Search again later."))
        page.facets?.prices[0].most = "500000000000000000"
        #expect(ListingText.found(page).contains("price      0.5 ETH: 4"))
    }

    @Test func `a line divides listings with all words from those with some`() {
        let both = [Self.listing("open", "listed"), Self.listing("open", "listed")]
        var page = Page<Listing>(items: both, next: "0-1-1")
        #expect(!ListingText.found(page).contains("with some of the words"))
        for (whole, place) in [(0, 1), (1, 2)] {
            (page.withAllWords, page.total) = (whole, whole)
            let lines = ListingText.found(page).split(separator: "\n")
            #expect(lines[place] == "with some of the words:", "\(lines)")
            #expect(lines.dropFirst(4) == ["More: --after 0-1-1"])
        }
    }

    @Test func `a listing's state reads as in a shop, the same in lists and details`() {
        var listing = Self.listing("over", "bid")
        listing.status = Sentence("standing.biddingOver")
        #expect(Self.states(listing) == ["bidding is over", "bidding is over"])
        listing.isAsPromised = false
        let other = "bidding is over, its sale was made for other content"
        #expect(Self.states(listing) == [other, other])
        listing.changes = ["description"]
        let words = "bidding is over, changed after it was listed"
        #expect(Self.states(listing) == [words, words])
    }

    @Test func `favourites say in the words of facets what is for sale`() {
        for (state, words) in [
            ("open", "for sale"), ("over", "ended"), ("without_sale", "no sale on the chain"),
        ] {
            let saved = SavedListing(
                listing: "0x1.1",
                seller: "0x1",
                since: Date(timeIntervalSince1970: 0),
                title: "Lamp",
                price: Money(amount: "1", currency: "native"),
                state: state
            )
            #expect(SavedText.cart(Cart(lines: [saved], totals: [])).contains("  \(words)  "))
        }
    }

    /// The state of a listing in its details, and in a list.
    private static func states(_ listing: Listing) -> [String] {
        let detail = ListingText.full(listing).split(separator: "\n")
            .first { $0.hasPrefix("state ") }
        let row = ListingText.page(Page(items: [listing], next: nil)).split(separator: "\n").last
        let cells = (row ?? "").split(separator: "  ")
        return [
            String((detail ?? "").dropFirst(11)),
            cells.dropLast().last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "",
        ]
    }

    private static func listing(_ state: String, _ phase: String?) -> Listing {
        let price = Money(amount: "1", currency: "native")
        return Listing(
            id: "0x1.1",
            record: "0x4e",
            author: "0x1",
            content: ListingContent(title: "Lamp", price: price),
            anchor: nil,
            isAsPromised: true,
            state: state,
            salePhase: phase,
            createdAt: Date(timeIntervalSince1970: 0),
            firstSeenAt: Date(timeIntervalSince1970: 0)
        )
    }
}
