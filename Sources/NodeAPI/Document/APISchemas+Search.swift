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
                ],
                distances: [count],
                stars: [count],
                reachesMe: 1
            ),
            ListingSuggestion(text: "red bicycle", listings: 1),
            IdentifierCheck(
                identifier: "frame4471",
                isContested: false,
                listings: [identifierUse],
                items: [item]
            ),
            Reputation(
                account: address,
                sold: [Reputation.Ending(phase: "complete", count: 2)],
                bought: [Reputation.Ending(phase: "refunded", count: 1)],
                setAside: [Reputation.Ending(phase: "declined", count: 1)],
                disputed: [Reputation.Ending(phase: "open", count: 1)],
                traded: [Reputation.Volume(chain: 1, money: money)],
                counterparties: 2,
                rating: 450,
                reviewers: 2,
                since: time
            ),
        ]
    }

    static var item: Item {
        Item(
            chain: 1,
            token: "7",
            contentHash: hash,
            identifier: "frame4471",
            maker: address,
            owner: address,
            since: time,
            sales: [sale]
        )
    }

    static let identifierUse = IdentifierCheck.Use(
        listing: listing,
        title: "Red bicycle",
        author: address,
        state: "open",
        authorsSales: 2,
        tokenSince: time
    )
}
