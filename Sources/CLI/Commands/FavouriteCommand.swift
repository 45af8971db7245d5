import ArgumentParser
import Client

/// The command `stoa favourite …`.
struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Save listings to find them again.",
        subcommands: [Add.self, Remove.self, List.self]
    )

    struct Add: AccountCall, ListingNaming {
        static let configuration = command("Save a listing. Only you see it.")
        static let examples = ["favourite add bicycle"]

        @Argument(help: .listing) var listing: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.favour(listing)) {
                "Saved: \(SavedText.title($0))"
            }
        }
    }

    struct Remove: AccountCall {
        static let configuration = command("Remove a listing from your saved ones.")
        static let examples = ["favourite remove bicycle"]

        @Argument(help: .listing) var listing: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.unfavour(listing)
            options.output.note("Removed.")
        }
    }

    struct List: AccountCall {
        static let configuration = command("Show your saved listings, most recently saved first.")
        static let examples = ["favourite list"]

        @OptionGroup var paging: PageOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let page = try await node.favourites(limit: paging.limit, after: paging.after)
            let names = options.json ? .none : await SavedText.names(page.items, node)
            try options.output.show(page) {
                SavedText.table($0.items, names).text(
                    orElse: "No favourites. Add one with: stoa favourite add LISTING"
                ) + $0.more
            }
        }
    }
}

/// Formats favourites and carts as text.
enum SavedText {
    /// The title of a listing; its id if the node does not have it.
    static func title(_ saved: SavedListing) -> String {
        saved.title.map(DisplayText.line) ?? IDText.short(saved.listing)
    }

    /// Returns the names of the sellers: the account's own ones, and those of their profiles.
    static func names(_ saved: [SavedListing], _ node: StoaClient) async -> Names {
        var names = await Names.of(node)
        for line in saved { names.add(profile: line.profile?.name, of: line.seller) }
        return names
    }

    static func table(_ saved: [SavedListing], _ names: Names) -> TextTable {
        var table = TextTable("title", "price", "seller", "state", "listing")
        for line in saved {
            table.add(
                line.title ?? "(its title is not known)",
                line.price.map { price in
                    CurrencyUnits.on(line.chain) { MoneyText.paid(price) }
                        + ListingText.chain(line.chain)
                } ?? "",
                names.short(line.seller),
                state(of: line),
                IDText.cell(line.listing)
            )
        }
        return table
    }

    private static func state(of line: SavedListing) -> String {
        // A listing that is here says how it is sold.
        guard line.payment != nil || line.state != nil else { return "withdrawn, or not here" }
        let isListedAgain = line.isListedAgain == true && line.state == "open"
        return (line.status?.detail ?? "") + (isListedAgain ? ", listed again since" : "")
    }

    static func cart(_ cart: Cart, _ names: Names = .none) -> String {
        let lines = table(cart.lines, names).text(
            orElse: "Your cart is empty. Add to it with: stoa cart add LISTING"
        )
        let totals = cart.totals.map { "total  " + total($0) }
        return ([lines] + totals).joined(separator: "\n")
    }

    /// Formats the total of some listings, such as `1.5 ETH for 2 listings`.
    static func total(_ total: CartTotal) -> String {
        let amount = CurrencyUnits.on(total.chain) { MoneyText.paid(total.amount) }
        let count = total.listings == 1 ? "one listing" : "\(total.listings) listings"
        return "\(amount)\(ListingText.chain(total.chain)) for \(count)"
    }
}
