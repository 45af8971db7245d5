import ArgumentParser
import Client

/// The command `stoa cart …`.
struct CartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cart",
        abstract: "Collect listings, and buy them together.",
        subcommands: [Show.self, Add.self, Remove.self, CartCheckout.self]
    )

    struct Show: AccountCall {
        static let configuration = command("Show your cart, and what it costs in each currency.")
        static let examples = ["cart show"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let cart = try await node.cart()
            let names = options.json ? .none : await SavedText.names(cart.lines, node)
            try options.output.show(cart) { SavedText.cart($0, names) }
        }
    }

    struct Add: AccountCall, ListingNaming {
        static let configuration = command(
            "Put a listing into your cart. This reserves nothing.",
            discussion: "A listing is a single item, so it can be in the cart only once."
        )
        static let examples = ["cart add bicycle"]

        @Argument(help: .listing) var listing: String
        @Option(help: "1, because a listing is a single item, or 0 to take it out of the cart.")
        var quantity = 1
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            // Words of a title mean what can be bought.
            let id = quantity == 0 ? listing : try await node.listing(listing, onSale: true).id
            let cart = try await node.put(inCart: id, CartQuantity(quantity: quantity))
            let names = options.json ? .none : await SavedText.names(cart.lines, node)
            try options.output.show(cart) { SavedText.cart($0, names) }
        }
    }

    struct Remove: AccountCall {
        static let configuration = command("Take a listing out of your cart.")
        static let examples = ["cart remove bicycle"]

        @Argument(help: .listing) var listing: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try await node.remove(fromCart: listing)
            options.output.note("Removed from the cart.")
        }
    }
}
