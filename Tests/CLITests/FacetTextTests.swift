import Client
import Testing

@testable import CLI

/// What a search shows beside listings.
struct FacetTextTests {
    @Test func `a search shows its facets, what was meant, and what is missing`() {
        var page = Page<Listing>(items: [], next: nil)
        #expect(ListingText.found(page) == "Nothing found. Try fewer words, or fewer conditions.")
        page.corrected = "red bicycle"
        page.isPartial = true
        page.facets = ListingFacets(
            categories: [.init(value: "vehicles", count: 3), .init(value: "tools", count: 1)],
            payments: [],
            deliveries: [.init(value: "shipping", count: 4)],
            states: [.init(value: "open", count: 4)],
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
        #expect(!text.contains("payment"))
        #expect(text.contains("stars      5: 1, 4 or more: 3"))
        #expect(text.contains("distance   under 5 km: 1, under 100 km: 2"))
        #expect(text.hasSuffix("listings are missing. Search again later."))
    }
}
