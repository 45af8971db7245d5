extension AuctionContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 10.
    package static let clearSigning = ClearSigningTexts.money + .offer + texts

    private static let currency = ClearSigningField.Format.amount(currency: "offer.terms.currency")

    private static let texts = ClearSigningTexts(
        [
            ClearSigningField("offer.terms.duration", "Bidding lasts", .duration),
            ClearSigningField("offer.terms.starting_bid", "First bid of at least", currency),
            ClearSigningField("offer.terms.min_increment_bps", "Each bid more by", .share),
            ClearSigningField("offer.terms.extension", "Longer after a late bid", .duration),
            ClearSigningField("@.value", "Paid in now", .native),
        ],
        [
            ClearSigningCall(
                "list",
                "Auction an item",
                [
                    "offer.token", "offer.terms.starting_bid", "offer.terms.duration",
                    "offer.terms.min_increment_bps", "offer.terms.extension",
                ]
            ),
            ClearSigningCall("abort", "End an auction without bids", ["offer.token"]),
            ClearSigningCall(
                "bid",
                "Bid for an item; a highest bid cannot be taken back",
                ["offer.token", "offer.seller", "amount", "from_credit", "@.value"],
                fields: [
                    ClearSigningField("amount", "Your bid", currency),
                    ClearSigningField("from_credit", "Paid by your credit", currency),
                ]
            ),
            ClearSigningCall(
                "end",
                "End the auction; the item goes to the highest bidder",
                ["offer.token"]
            ),
        ]
    )
}
