import ArgumentParser
import Client
import Setup

/// The command `stoa search …`.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Save searches, and get an event for each new listing that matches.",
        discussion: "'stoa events' prints new matches as 'listing_found' events.",
        subcommands: [Save.self, Run.self, List.self, Remove.self]
    )

    struct Save: AccountCall {
        static let configuration = command("Save a search under a name. Only you see it.")
        static let examples = [
            "search save --name bicycles bicycle --price-max 0.5 --ships-to DE",
            "search save --name vehicles --category vehicles --sort oldest",
        ]

        @Option(help: "Required. A name for the search.") var name: String
        @OptionGroup var terms: SearchTermOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard !name.isEmpty else { throw ValidationError("--name is empty. Name the search.") }
        }

        func call(_ node: StoaClient) async throws {
            var wanted = try await terms.terms(node)
            // Without a distance, a point serves only the order by it.
            if wanted.within == nil, wanted.sort != "nearest" { wanted.near = nil }
            guard try await !node.savedSearches().contains(where: { $0.name == name }) else {
                throw Failure(
                    .refused,
                    "You already have a saved search \(name.quoted). Remove it first with "
                        + "'stoa search remove', or choose another name.",
                    problem: ProblemCode.nameTaken.rawValue
                )
            }
            try options.output.show(try await node.save(wanted, as: name)) {
                "Saved: \(DisplayText.line($0.name)). 'stoa events' reports new matches from "
                    + "now on."
            }
        }
    }

    struct Run: AccountCall {
        static let configuration = command("Run a saved search and show what it finds now.")
        static let examples = ["search run bicycles"]

        @Argument(help: "The name of the search.") var name: String
        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            guard let saved = try await node.savedSearches().first(where: { $0.name == name })
            else {
                throw Failure(.refused, "You have no saved search '\(name)'.")
            }
            var search = ListingSearch(saved.terms)
            (search.limit, search.after) = (paging.limit, paging.after)
            search.sort = saved.terms.sort ?? "newest"
            search.showsSellers = true
            let page = try await node.listings(search)
            guard !options.json else { return try options.output.show(page) { _ in "" } }
            let none = page.items.isEmpty ? await SearchAdvice.text(for: search, node) : nil
            let sellers = await Sellers.of(page.items, node)
            try options.output.show(page) { ListingText.found($0, sellers, orElse: none) }
        }
    }

    struct List: AccountCall {
        static let configuration = command("Show your saved searches, most recently saved first.")
        static let examples = ["search list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.savedSearches()) { searches in
                var table = TextTable("name", "looks for", "since")
                for search in searches {
                    table.add(
                        search.name,
                        SearchText.terms(search.terms),
                        TimeText.text(search.since)
                    )
                }
                return table.text(
                    orElse:
                        "No saved searches. Save one with: stoa search save --name NAME WORDS"
                )
            }
        }
    }

    struct Remove: AccountCall {
        static let configuration = command("Remove a saved search.")
        static let examples = ["search remove bicycles"]

        @Argument(help: "The name of the search.") var name: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.remove(search: name)
            options.output.note("Removed.")
        }
    }
}

/// Formats searches as text.
enum SearchText {
    /// The terms on one line, such as `bicycle, category vehicles, up to 0.5 ETH`.
    static func terms(_ terms: SearchTerms) -> String {
        CurrencyUnits.on(terms.chain) {
            let currency = terms.currency ?? "native"
            let parts: [String?] = [
                terms.text, terms.category.map { "category \($0)" },
                terms.tag.map { "tag \($0)" },
                terms.author.map { "seller \(IDText.short($0))" },
                terms.priceMin.map { "from \(MoneyText.exact($0, currency))" },
                terms.priceMax.map { "up to \(MoneyText.exact($0, currency))" },
                terms.payment.map { "payment \($0)" }, terms.delivery.map { "delivery \($0)" },
                terms.shipsTo.map { "ships to \($0)" },
                terms.within.map { within in
                    "within \(within) km" + (terms.near.map { " of \(PointText.text($0))" } ?? "")
                },
                terms.starsMin.map { "\($0) stars or more" },
                terms.reachesMe == true ? "can reach your address" : nil,
                terms.chain.map { "chain \($0)" },
                terms.sort.map { $0 == "relevance" ? "by relevance" : "\($0) first" },
            ]
            return parts.compactMap { $0 }.joined(separator: ", ")
        }
    }
}
