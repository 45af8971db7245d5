import ArgumentParser
import Client

extension ListingCommand {
    /// The command `stoa listing search`.
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "Search listings by words, best match first. Without words, newest first.",
            discussion: """
                Words may be begun only, and may be of the seller's name. If no listing has a word, the \
                one that was probably meant is looked for.
                """
        )

        @OptionGroup var options: CallOptions
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
        @Option(
            help: """
                The order: relevance, newest, cheapest, dearest or ending (what ends first). Prices \
                are sorted in one currency, 'native' unless you name another.
                """
        )
        var sort: String?
        @Flag(help: "Show how many of the listings have each category, price, seller and so on.")
        var facets = false
        @Flag(help: "Include listings that nobody can buy: sold, ended or without a sale.")
        var all = false
        @Flag(help: "Include what you, or lists that you follow, have hidden.")
        var hidden = false
        @Option(parsing: .unconditional, help: "How many to show, at most 100.") var limit = 20
        @Option(help: "Continue after a previous page: copy the value from its last line.")
        var after: String?

        func validate() throws {
            guard words.isEmpty || words.contains(where: { $0.contains { !$0.isWhitespace } })
            else {
                throw ValidationError(
                    "The words to search for are blank. Give some, or none to see the newest listings."
                )
            }
        }

        func run() async throws {
            var search = ListingSearch(
                text: words.isEmpty ? nil : words.joined(separator: " "),
                category: category,
                author: author,
                limit: limit,
                after: after
            )
            (search.payment, search.delivery) = (payment, delivery)
            (search.shipsTo, search.sort) = (shipsTo, sort)
            search.countsFacets = facets
            search.includesOver = all
            search.includesHidden = hidden
            search.countsMatches = after == nil
            try await options.asReader { [search] node, own in
                let search = try priced(search)
                async let names = options.json ? Names.none : Names.of(node, own: own)
                let page = try await node.listings(search)
                let known = await names
                try options.output.show(page) { page in
                    CurrencyUnits.on(search.countsFacets ? search.chain : nil) {
                        ListingText.found(page, known)
                    }
                }
            }
        }

        /// Returns the search with its prices in the smallest unit of their currency.
        private func priced(_ search: ListingSearch) throws -> ListingSearch {
            var search = search
            search.chain = CurrencyUnits.current.chain(chain, in: priceMin, priceMax, currency)
            return try CurrencyUnits.on(search.chain) { try inUnits(search) }
        }

        private func inUnits(_ search: ListingSearch) throws -> ListingSearch {
            var search = search
            let named = currency.map { CurrencyUnits.current.currency(named: $0) }
            let unit = named ?? "native"
            search.priceMin = try priceMin.map { try MoneyText.units($0, of: unit) }
            search.priceMax = try priceMax.map { try MoneyText.units($0, of: unit) }
            let isOfPrices =
                priceMin != nil || priceMax != nil || sort == "cheapest" || sort == "dearest"
            search.currency = isOfPrices ? unit : named
            return search
        }
    }
}

/// The command `stoa listing suggest`.
struct ListingSuggest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Complete the last word of a search by words of the titles of listings."
    )

    @OptionGroup var options: CallOptions
    @Argument(help: "Words, of which the last may be begun only.") var words: [String]

    func run() async throws {
        try await options.asReader { node, _ in
            let found = try await node.suggestions(for: words.joined(separator: " "))
            try options.output.show(found) { found in
                var table = TextTable("search", "listings")
                for suggestion in found { table.add(suggestion.text, "\(suggestion.listings)") }
                return table.text(orElse: "No title has such a word.")
            }
        }
    }
}
