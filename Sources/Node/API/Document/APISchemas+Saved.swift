import Client

extension APISchemas {
    /// Examples of favourites and carts.
    static var savedExamples: [any Codable] {
        let price = Money(amount: "500000000000000000", currency: "native")
        let saved = SavedListing(
            listing: listing,
            seller: address,
            since: time,
            title: "Red bicycle",
            chain: 1,
            payment: "direct",
            price: price,
            state: "open"
        )
        return [
            saved, CartQuantity(quantity: 1),
            Cart(lines: [saved], totals: [CartTotal(chain: 1, listings: 1, amount: price)]),
        ]
    }
}
