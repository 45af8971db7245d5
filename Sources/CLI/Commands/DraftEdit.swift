import ArgumentParser
import Client

/// The command `stoa draft edit`.
struct DraftEdit: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a draft. Options that you leave out keep their values.",
        discussion: """
            Missing or wrong values are reported when you publish the draft. To change other terms \
            of the sale, create the draft again with 'stoa listing create --as-draft'.
            """
    )
    static let examples = ["draft edit 'second bicycle' --price 0.4 --identifier 'WTU 78'"]

    @Argument(help: "The name of the draft.") var name: String
    @OptionGroup var words: ListingWordOptions
    @Option(parsing: .unconditional, help: "The price, such as 0.5, '0.5 ETH' or '12.50 TST'.")
    var price: String?
    @Option(help: "The currency of the price: 'native', a symbol or a token's address.")
    var currency: String?
    @Option(help: "What distinguishes the item from all others, such as a serial number.")
    var identifier: String?
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard currency == nil || price != nil else {
            throw ValidationError("--currency is the currency of a price: give --price too.")
        }
    }

    func run() async throws {
        // Checked here, so that an unknown option is named first.
        guard !words.isEmpty || price != nil || identifier != nil else {
            throw Failure(.usage, "Nothing to change. Give an option such as --title or --price.")
        }
        try await options.asAccount { node in
            var content = try await words.changed(try await node.draft(name).content, on: node)
            await words.details.noteCategory(node, options.output)
            content.identifier = identifier ?? content.identifier
            let terms = content.terms
            let hasAmounts =
                [terms?.sellerDeposit, terms?.buyerDeposit, terms?.latePenalty, terms?.arbiterFee]
                .contains { $0 != nil }
            // They were typed as shares of the price, or together with it, and would now mean
            // something else.
            guard price == nil || !hasAmounts else {
                throw Failure(
                    .refused,
                    "The draft's deposits or fees depend on its price. Create it again with the "
                        + "new price: stoa listing create --as-draft."
                )
            }
            if let price {
                content.price = try CurrencyUnits.on(content.chain) {
                    let unit = try MoneyText.currency(
                        named: currency,
                        in: price,
                        otherwise: content.price.currency
                    )
                    return Money(amount: try MoneyText.units(price, of: unit), currency: unit)
                }
            }
            try options.output.show(try await node.save(draft: content, as: name)) {
                DraftText.kept($0)
            }
        }
    }
}
