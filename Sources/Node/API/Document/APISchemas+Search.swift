import Client

extension APISchemas {
    /// Examples of what a search answers beside listings.
    static var searchExamples: [any Codable] {
        let count = ListingFacets.Count(value: "…", count: 1)
        return [
            ListingFacets(
                categories: [count],
                payments: [count],
                deliveries: [count],
                states: [count],
                sellers: [count],
                prices: [
                    ListingFacets.Prices(currency: "native", count: 1, least: "1", most: "2")
                ]
            ),
            ListingSuggestion(text: "red bicycle", listings: 1),
        ]
    }
}
