import ArgumentParser
import Client

/// The command `stoa listing edit`.
struct ListingEdit: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change one of your listings: its text, or its price.",
        discussion: """
            Options that you leave out keep their values. The promise on the chain stays valid: \
            buyers are told how the new text differs from it. Title and description of digital \
            works, and of what people bid for, are fixed.
            With --price, the sale is withdrawn and the item listed again for the same listing, in \
            one operation of several transactions. Deposits keep their share of the price. If \
            somebody buys first, that purchase stands.
            """
    )
    static let examples = [
        "listing edit bicycle --description 'Steel, 21 gears, new tyres.'",
        "listing edit bicycle --price 0.4",
        "listing edit knots --session 'Bowline: Tie it twice.' --session 'Sheet bend'",
    ]

    @Argument(help: .listing, completion: CompletionValues.listings) var listing: String
    @Option(
        parsing: .unconditional,
        help: "The new price, in the present currency, such as 0.4 or '12.50 TST'."
    )
    var price: String?
    @OptionGroup var words: ListingWordOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func run() async throws {
        // Checked here, so that an unknown option is named first.
        guard price != nil || !words.isEmpty else {
            throw Failure(
                .usage,
                "Nothing to change. Give an option such as --price, --title or --tag."
            )
        }
        try await options.asAccount { node in
            let node = try fees.applied(to: node)
            let old = try await node.listing(listing, own: true)
            var changed = try await words.changed(old.content, on: node)
            if let price {
                changed.price.amount = try CurrencyUnits.on(old.content.chain) {
                    try MoneyText.units(price, of: old.content.price.currency)
                }
            }
            await words.details.noteCategory(node, options.output)
            let preview = try await node.preview(editing: old.id, changed)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.edit(
                listing: old.id,
                changed,
                feeMax: preview.agreedFee,
                acceptsOneSource: preview.restsOnOneSource
            )
            let ended = try await options.output.finish(begun, node)
            try options.output.show(ended) { "Changed: \($0.subject ?? old.id)" }
            options.say(next: [NextStep(.showListing, IDText.short(old.id))])
        }
    }
}
