import ArgumentParser
import Client
import Setup

/// The command `stoa sale bid`.
struct SaleBid: AccountCall, ListingNaming {
    static let configuration = CommandConfiguration(
        commandName: "bid",
        abstract: "Bid in an auction: show the consequences, then pay the bid.",
        discussion: """
            A bid is paid in full at once and cannot be taken back. If somebody bids more, you are \
            credited the full amount and can collect it: stoa wallet collect. With --yes, give the \
            whole id of the listing, and the amount with the symbol of a token.
            """
    )
    static let examples = ["sale bid bicycle 0.55", "sale bid 3f9ac21b '0.55 ETH' --ship-to DE"]

    @Argument(help: .listing) var listing: String
    @Argument(help: "The bid, such as 0.5, '0.5 ETH', '100 gwei' or '12.50 TST'.")
    var amount: String
    @Option(
        help: """
            The part of the bid that your credit in the auction contract pays, in the same form as \
            the bid. If you raise your own bid, the old bid is such a credit.
            """
    )
    var fromCredit: String?
    @OptionGroup var destination: ShipToOptions
    @Flag(help: "Bid on the original terms although the seller has since changed the listing.")
    var acceptChanges = false
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard consent.yes, !IDText.isWholeListing(listing) else { return }
        throw ValidationError(
            "With --yes, give the whole id of the listing: another one can have the same words, or "
                + "begin with the same digits."
        )
    }

    /// Refuses a bare number in another currency than the native one, as a price without a question.
    func requireCurrency(of price: Money) throws {
        guard consent.yes, price.currency != "native", !amount.contains(where: \.isLetter) else {
            return
        }
        let unit = MoneyText.exact("0", price.currency)
        throw Failure(
            .usage,
            "The bids are in a token, as in \(unit.quoted). With --yes, write its symbol or address "
                + "behind the amount. Nothing was signed."
        )
    }

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        let found = try await node.listing(listing, onSale: true)
        try PurchaseKind.bid.require(found)
        try CurrencyUnits.on(found.content.chain) { try requireCurrency(of: found.content.price) }
        var purchase = Purchase(
            listing: found.id,
            bid: try CurrencyUnits.on(found.content.chain) {
                try MoneyText.units(amount, of: found.content.price.currency)
            },
            fromCredit: try fromCredit.map { credit in
                try CurrencyUnits.on(found.content.chain) {
                    try MoneyText.units(credit, of: found.content.price.currency)
                }
            },
            shipTo: destination.shipTo,
            shipToPoint: try await destination.point(node),
            acceptsChanges: acceptChanges
        )
        let ended = try await consent.buy(&purchase, of: node, options)
        try options.output.show(ended) {
            "Your bid is paid. The sale is \($0.subject ?? "?")"
        }
        await options.sayNext(after: ended, node)
    }
}

extension SaleCommand {
    struct End: MoveCommand {
        static let configuration = command(
            "End an auction whose bidding is over: the winner gets the token.",
            discussion: "Anyone can do this. Without a bid the token goes back to the seller."
        )
        static let examples = ["sale end bicycle"]

        @OptionGroup var target: MoveOptions
    }
}
