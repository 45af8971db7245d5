extension AuctionContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 10.
    package static let clearSigning = ClearSigningTexts.money + .offer + texts

    private static let currency = ClearSigningField.Format.amount(currency: "offer.terms.currency")

    private static let texts = ClearSigningTexts(
        [
            ClearSigningField("offer.terms.duration", "label.bidding", .duration),
            ClearSigningField("offer.terms.starting_bid", "label.firstBid", currency),
            ClearSigningField("offer.terms.min_increment_bps", "label.increment", .share),
            ClearSigningField("offer.terms.extension", "label.extension", .duration),
            ClearSigningField("@.value", "label.paidIn", .native),
        ],
        [
            ClearSigningCall(
                "list",
                "call.auction",
                [
                    "offer.token", "offer.terms.starting_bid", "offer.terms.duration",
                    "offer.terms.min_increment_bps", "offer.terms.extension",
                ]
            ),
            ClearSigningCall("abort", "call.endWithoutBids", ["offer.token"]),
            ClearSigningCall(
                "bid",
                "call.bid",
                ["offer.token", "offer.seller", "amount", "from_credit", "@.value"],
                fields: [
                    ClearSigningField("amount", "label.bid", currency),
                    ClearSigningField("from_credit", "label.fromCredit", currency),
                ]
            ),
            ClearSigningCall("end", "call.endAuction", ["offer.token"]),
        ]
    )
}
