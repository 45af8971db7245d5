extension APIOperation {
    /// The calls that find listings.
    static let search = [
        APIOperation(
            "get",
            "listings",
            "Search listings; over=true includes those that are sold or over. Prices, and sorting "
                + "by them, need a currency: 'native' or a token's address.",
            .reader,
            gives: "Page[Listing]",
            query: [
                "search", "category", "author", "chain", "currency", "priceMin", "priceMax",
                "payment", "delivery", "shipsTo", "toMe", "sort", "near", "within", "stars", "over",
                "hidden", "count", "facets",
                "limit", "after",
            ]
        ),
        APIOperation(
            "get",
            "listings/suggestions",
            "Continue a text that is being typed, by words of the titles of listings.",
            .reader,
            gives: "[ListingSuggestion]",
            query: ["search"]
        ),
    ]
}
