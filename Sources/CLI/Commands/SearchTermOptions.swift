import ArgumentParser
import Client

/// What to look for among listings.
struct SearchTermOptions: ParsableArguments {
    @Argument(help: "Words to search for.") var words: [String] = []
    @Option(help: "Only listings in this category.") var category: String?
    @Option(help: "Only listings of this seller, by name or address.") var author: String?
    @Option(parsing: .unconditional, help: "The lowest price.") var priceMin: String?
    @Option(parsing: .unconditional, help: "The highest price.") var priceMax: String?
    @Option(
        help: """
            Only prices in this currency: 'native', a symbol or a token's address. Defaults to \
            'native' if a price is given, else to all.
            """
    )
    var currency: String?
    @Option(parsing: .unconditional, help: "Only listings on this chain, by its id.")
    var chain: UInt64?
    @Option(help: "Only this kind of sale, as 'listing show' names its payment.")
    var payment: String?
    @Option(help: "Only this delivery: shipping, pickup or online.") var delivery: String?
    @Option(
        name: .customLong("ships-to"),
        help: "Only what is shipped to this country, such as DE."
    )
    var shipsTo: String?

    func validate() throws {
        guard words.isEmpty || words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError(
                "The words to search for are blank. Give some, or none to see the newest listings."
            )
        }
    }

    /// Returns the search, with its prices in the smallest unit of their currency.
    ///
    /// Call it once a node was asked, which says what the units are.
    func search(isByPrice: Bool = false) throws -> ListingSearch {
        var search = ListingSearch(
            text: words.isEmpty ? nil : words.joined(separator: " "),
            category: category,
            author: author
        )
        (search.payment, search.delivery, search.shipsTo) = (payment, delivery, shipsTo)
        search.chain = CurrencyUnits.current.chain(chain, in: priceMin, priceMax, currency)
        return try CurrencyUnits.on(search.chain) {
            let named = currency.map { CurrencyUnits.current.currency(named: $0) }
            let unit = named ?? "native"
            search.priceMin = try priceMin.map { try MoneyText.units($0, of: unit) }
            search.priceMax = try priceMax.map { try MoneyText.units($0, of: unit) }
            let isOfPrices = isByPrice || priceMin != nil || priceMax != nil
            search.currency = isOfPrices ? unit : named
            return search
        }
    }
}
