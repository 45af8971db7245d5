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
            states: [.init(value: "open", count: 4), .init(value: "without_sale", count: 1)],
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
        #expect(text.contains("state      open 4, no sale on the chain 1"))
        #expect(!text.contains("payment"))
        #expect(text.contains("stars      5: 1, 4 or more: 3"))
        #expect(text.contains("distance   under 5 km: 1, under 100 km: 2"))
        #expect(text.hasSuffix("listings are missing. Search again later."))
    }

    @Test(
        arguments: [
            ("open", "listed", "open: listed"), ("over", nil, "over: its time has ended"),
            ("over", "complete", "over: complete"), ("without_sale", nil, "no sale on the chain"),
            ("unknown", nil, "not known now"), ("unknown", "listed", "not known now: listed"),
        ] as [(String, String?, String)]
    )
    func `a state reads the same in lists, details, favourites and facets`(
        state: String,
        phase: String?,
        words: String
    ) {
        let price = Money(amount: "1", currency: "native")
        let listing = Listing(
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
        #expect(ListingText.full(listing).contains("state      \(words)\n"))
        #expect(ListingText.page(Page(items: [listing], next: nil)).contains("  \(words)  "))
        let saved = SavedListing(
            listing: "0x1.1",
            seller: "0x1",
            since: listing.createdAt,
            title: "Lamp",
            price: price,
            state: state
        )
        let first = words.prefix { $0 != ":" }
        #expect(SavedText.cart(Cart(lines: [saved], totals: [])).contains("  \(first)  "))
    }
}
