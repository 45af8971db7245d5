import ArgumentParser
import Client

/// The command `stoa item …`.
struct ItemCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item",
        abstract: """
            Show your tokens, give one away, and show a token's history and who offers an identifier.
            """,
        subcommands: [List.self, Show.self, ItemGive.self, ItemCheck.self]
    )

    struct List: AccountCall {
        static let configuration = command(
            "Show the tokens that you own, newest first.",
            discussion: """
                They are those of sales in which you took part. While you offer one, its sale's \
                contract owns it: see 'stoa sale list postings'.
                """
        )
        static let examples = ["item list"]

        @OptionGroup var chain: ChainOptions
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let items = try await node.ownItems(chain: chain.chain)
            let names = await options.names(of: node)
            try options.output.show(items) { ItemCommand.page($0, names) }
        }
    }

    /// Formats a list of tokens.
    static func page(_ items: [Item], _ names: Names) -> String {
        var table = TextTable("item", "title", "maker", "last sale")
        for item in items {
            let last = item.sales.last
            table.add(
                item.token + ListingText.chain(item.chain),
                last?.promised?.title ?? item.identifier ?? "",
                names.short(item.maker),
                last.map { IDText.cell($0.id) } ?? ""
            )
        }
        return table.text(orElse: "You own no token of your sales.")
    }

    struct Show: ReaderCall {
        static let configuration = command(
            "Show a token's maker, owner and all its sales.",
            discussion: """
                With --identifier, shows every token sold for that identifier, oldest first. \
                Anyone can create another token for the same identifier.
                """
        )
        static let examples = ["item show 7", "item show --identifier 'frame 4471'"]

        @Option(parsing: .unconditional, help: "Only tokens on this chain, by its id.")
        var chain: UInt64?
        @Argument(help: "The token's number, as stoa sale show prints it.") var token: String?
        @Option(parsing: .unconditional, help: "The identifier, as in the listing.")
        var identifier: String?
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard token == nil || identifier == nil else {
                throw ValidationError("Give a token's number or --identifier, not both.")
            }
            guard token != nil || identifier != nil else {
                throw ValidationError("Give a token's number or --identifier.")
            }
        }

        func call(_ node: StoaClient, own: String?) async throws {
            let items =
                if let token {
                    try await node.items(token: token, chain: chain)
                } else {
                    try await node.items(identifier: identifier ?? "", chain: chain)
                }
            try Self.require(items, token: token)
            let names = await options.names(of: node, own: own)
            try options.output.show(items) { items in
                guard !items.isEmpty else { return "No token was sold for this identifier." }
                return items.map { Self.text($0, names) }.joined(separator: "\n\n")
            }
        }

        /// Refuses the number of a token that the market does not have.
        static func require(_ items: [Item], token: String?) throws {
            guard let token, items.isEmpty else { return }
            throw Failure(
                .refused,
                "The market has no token \(token). 'stoa sale show' prints the number of a sale's token "
                    + "as 'item'."
            )
        }

        private static func text(_ item: Item, _ names: Names) -> String {
            CurrencyUnits.on(item.chain) { lines(of: item, names).joined(separator: "\n") }
        }

        /// Names the contract that holds the token while it is sold.
        private static func holding(_ item: Item) -> String {
            let sale = item.sales.last { $0.contract.lowercased() == item.owner.lowercased() }
            return sale.map { ", the contract of \($0.kind) sales, while it is sold" } ?? ""
        }

        private static func lines(of item: Item, _ names: Names) -> [String] {
            let identifier = item.identifier ?? "not known here; its hash is \(item.contentHash)"
            let lines =
                [
                    "item       " + item.token + ListingText.chain(item.chain),
                    "identifier " + DisplayText.line(identifier),
                    "maker      " + names.text(item.maker),
                    "owner      " + names.text(item.owner) + holding(item),
                ] + (item.since.map { ["since      " + TimeText.text($0)] } ?? [])
            let sales = item.sales.map { sale in
                let first = sale.history.first.map { TimeText.text($0.at) + ": " } ?? ""
                let buyer = sale.buyer.map { ", to \(names.text($0))" } ?? ""
                return
                    "sale       \(first)\(sale.kind), \(sale.status.detail), "
                    + "\(MoneyText.text(sale.price)), by \(names.text(sale.seller))\(buyer), "
                    + "sale \(IDText.short(sale.id))"
            }
            return lines + sales
        }
    }
}
