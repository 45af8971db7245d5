import Client

extension ListingText {
    /// The page of a search: listings, the facets if there are any, and the node's notes about it.
    ///
    /// `none` stands for the listings if there are none.
    static func found(
        _ page: Page<Listing>,
        _ sellers: Sellers = Sellers(),
        orElse none: String? = nil
    ) -> String {
        var parts: [String] = []
        if let corrected = page.corrected {
            parts.append("No listing has these words. Found by: \(DisplayText.line(corrected))")
        }
        parts.append(Self.page(page, sellers, orElse: none))
        if let facets = page.facets { parts.append(text(of: facets, sellers.names)) }
        if page.isPartial == true {
            parts.append(
                "The node is rebuilding its search index: listings are missing. Search again later."
            )
        }
        return parts.joined(separator: "\n\n")
    }

    private static func text(of facets: ListingFacets, _ names: Names) -> String {
        func line(_ name: String, _ counts: [ListingFacets.Count]) -> String? {
            guard !counts.isEmpty else { return nil }
            let values = counts.map { "\(DisplayText.line($0.value)) \($0.count)" }
            return name + values.joined(separator: ", ")
        }
        let sellers = facets.sellers.map { seller in
            ListingFacets.Count(value: names.short(seller.value), count: seller.count)
        }
        let states = facets.states.map { state in
            ListingFacets.Count(value: state.name?.detail ?? state.value, count: state.count)
        }
        let distances = facets.distances.map { distance in
            ListingFacets.Count(value: "under \(distance.value) km:", count: distance.count)
        }
        let stars = facets.stars.map { stars in
            let value = stars.value == "5" ? "5" : "\(stars.value) or more"
            return ListingFacets.Count(value: "\(value):", count: stars.count)
        }
        let prices = facets.prices.map { prices in
            let range = [prices.least, prices.most].map {
                MoneyText.exact(Money(amount: $0, currency: prices.currency))
            }
            let words = range[0] == range[1] ? range[0] : "\(range[0]) to \(range[1])"
            return "price      \(words): \(prices.count)"
        }
        return
            ([
                line("category   ", facets.categories), line("payment    ", facets.payments),
                line("delivery   ", facets.deliveries), line("state      ", states),
                line("seller     ", sellers), line("stars      ", stars),
                line("distance   ", distances), facets.reachesMe.map { "to you     \($0)" },
            ].compactMap { $0 } + prices).joined(separator: "\n")
    }
}
