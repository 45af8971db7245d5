import ArgumentParser
import Client

/// A whole number of kilometres, such as `50` or `50 km`.
struct KilometresText: ExpressibleByArgument {
    let kilometres: Int

    init?(argument: String) {
        let text = argument.lowercased().filter { !$0.isWhitespace }
        guard let number = Int(text.hasSuffix("km") ? text.dropLast(2) : text[...]) else {
            return nil
        }
        kilometres = number
    }
}

/// The terms of a search among listings.
struct SearchTermOptions: ParsableArguments {
    @Argument(help: "Words to search for.") var words: [String] = []
    @Option(help: "Only listings in this category.") var category: String?
    @Option(help: "Only listings with exactly this tag, such as weekend.")
    var tag: String?
    @Option(help: "Only listings of this seller, by name or address.") var author: String?
    @Option(parsing: .unconditional, help: "The lowest price.") var priceMin: String?
    @Option(parsing: .unconditional, help: "The highest price.") var priceMax: String?
    @Option(
        help: """
            Only prices in this currency: 'native', a symbol or a token's address. Defaults to the \
            currency that a price names, to 'native' if a price names none, and to all if there is \
            no price.
            """
    )
    var currency: String?
    @Option(parsing: .unconditional, help: "Only listings on this chain, by its id.")
    var chain: UInt64?
    @Option(
        help: "Only this kind of sale, as 'stoa listing show' prints it under 'payment'.",
        completion: CompletionValues.payments
    )
    var payment: String?
    @Option(
        help: "Only this delivery: shipping, pickup or online.",
        completion: CompletionValues.soughtDeliveries
    )
    var delivery: String?
    @Option(
        name: .customLong("ships-to"),
        help: "Only listings that ship to this country, such as DE."
    )
    var shipsTo: String?
    @Option(
        parsing: .unconditional,
        help: """
            Where you are, for '--within': a town, such as Munich or 'London, CA', or latitude and \
            longitude in degrees, such as 48.137,11.575. Search results then show their distance, \
            and can be sorted by it.
            """
    )
    var near: String?
    @Option(
        parsing: .unconditional,
        help: """
            Only listings that ship around a point less than this many kilometres away; needs \
            --near.
            """
    )
    var within: KilometresText?
    @Option(
        parsing: .unconditional,
        help: "Only sellers whose reviews average at least this many stars, 1 to 5."
    )
    var stars: Int?
    @Flag(help: "Only listings that can be sent to your delivery address.") var toMe = false
    @Option(
        help: """
            The order: relevance, newest, oldest, cheapest, costliest, ending (ends first), nearest \
            (needs --near) or popular (most buyers). Prices are sorted in one currency, \
            'native' unless you name another.
            """,
        completion: CompletionValues.orders
    )
    var sort: String?

    func validate() throws {
        guard words.isEmpty || words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
            throw ValidationError(
                "The words to search for are blank. Give some, or none to see the newest listings."
            )
        }
        if let near { try PointText.check(near) }
        if let within {
            guard (1...20_000).contains(within.kilometres) else {
                throw ValidationError("--within is a number of kilometres from 1 to 20000.")
            }
            guard near != nil else {
                throw ValidationError(
                    "--within needs your location. Add --near, such as --near Munich."
                )
            }
        }
        if let stars, !(1...5).contains(stars) {
            throw ValidationError("--stars is a number from 1 to 5.")
        }
    }

    /// Returns the terms, with their prices in the smallest unit of their currency.
    ///
    /// Call it after a node was asked for the units.
    func terms(_ node: StoaClient) async throws -> SearchTerms {
        let point: GeographicPoint? =
            if let near { try await PointText.point(near, node) } else { nil }
        var terms = SearchTerms(
            text: words.isEmpty ? nil : words.joined(separator: " "),
            category: category.map(StoredWord.category),
            tag: tag.map(StoredWord.tag),
            author: author,
            chain: CurrencyUnits.current.chain(chain, in: priceMin, priceMax, currency),
            payment: payment,
            delivery: delivery,
            shipsTo: shipsTo,
            near: point,
            within: within?.kilometres,
            starsMin: stars,
            reachesMe: toMe ? true : nil,
            sort: sort
        )
        return try CurrencyUnits.on(terms.chain) {
            let named = currency.map { CurrencyUnits.current.currency(named: $0) }
            let unit = try MoneyText.currency(named: currency, in: priceMin, priceMax)
            terms.priceMin = try priceMin.map { try MoneyText.units($0, of: unit) }
            terms.priceMax = try priceMax.map { try MoneyText.units($0, of: unit) }
            let isByPrice = sort == "cheapest" || sort == "costliest"
            let isOfPrices = isByPrice || priceMin != nil || priceMax != nil
            terms.currency = isOfPrices ? unit : named
            return terms
        }
    }
}
