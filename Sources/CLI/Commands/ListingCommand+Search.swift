import ArgumentParser
import Client

extension ListingCommand {
    /// The command `stoa listing search`.
    struct Search: ReaderCall {
        static let configuration = command(
            "Search listings by words, best match first. Without words, newest first.",
            discussion: """
                A word may be the beginning of a longer one, and may come from the seller's name. \
                If no listing has a word, the search uses a similar one instead. If fewer than a page \
                have all words, those with longer words that contain them follow, and then those \
                with some of them. If nothing is found, the command says which condition to leave out.
                """
        )
        static let examples = [
            "listing search red bicycle", "listing search --author anna",
            "listing search bicycle --price-max 0.5 --ships-to DE --sort cheapest --facets",
            "listing search --near Potsdam --within 50 --stars 4",
        ]

        @OptionGroup var terms: SearchTermOptions
        @Flag(
            help: """
                Show how many of the listings have each category, price, seller and so on. Numbers \
                for distances and stars include the nearer or better listings.
                """
        )
        var facets = false
        @Flag(help: "Include listings that nobody can buy: sold, ended or without a sale.")
        var all = false
        @Flag(help: "Include listings hidden by you or by lists that you follow.")
        var hidden = false
        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient, own: String?) async throws {
            let search = try await search(node)
            let page = try await node.listings(search)
            guard !options.json else { return try options.output.show(page) { _ in "" } }
            let none = page.items.isEmpty ? await SearchAdvice.text(for: search, node) : nil
            let sellers = await Sellers.of(page.items, node, own: own)
            try options.output.show(page) { page in
                CurrencyUnits.on(search.countsFacets ? search.chain : nil) {
                    ListingText.found(page, sellers, orElse: none)
                }
            }
        }

        private func search(_ node: StoaClient) async throws -> ListingSearch {
            var search = ListingSearch(try await terms.terms(node))
            (search.limit, search.after) = (paging.limit, paging.after)
            search.countsFacets = facets
            search.includesOver = all
            search.includesHidden = hidden
            search.countsMatches = paging.after == nil
            search.showsSellers = true
            return search
        }
    }
}

/// The command `stoa listing suggest`.
struct ListingSuggest: ReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Complete the last word of a search with words from listing titles."
    )
    static let examples = ["listing suggest red bic"]

    @Argument(help: "Words; the last one may be incomplete.") var words: [String]
    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient, own: String?) async throws {
        let found = try await node.suggestions(for: words.joined(separator: " "))
        try options.output.show(found) { found in
            var table = TextTable("search", "listings")
            for suggestion in found { table.add(suggestion.text, "\(suggestion.listings)") }
            return table.text(orElse: "No title contains such a word.")
        }
    }
}

/// The command `stoa listing categories`.
struct ListingCategories: ReaderCall {
    static let configuration = CommandConfiguration(
        commandName: "categories",
        abstract: "Show the categories that listings can have, and how many are for sale in each."
    )
    static let examples = ["listing categories"]

    @OptionGroup var options: CallOptions

    func call(_ node: StoaClient, own: String?) async throws {
        try options.output.show(try await node.categories()) { categories in
            var table = TextTable("category", "listings", "name")
            for category in categories {
                let name = category.name?.detail ?? ""
                table.add(DisplayText.line(category.id), "\(category.listings)", name)
            }
            return table.text(orElse: "")
        }
    }
}
