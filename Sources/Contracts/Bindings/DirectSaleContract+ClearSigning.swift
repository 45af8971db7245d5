extension DirectSaleContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 11.
    package static let clearSigning = ClearSigningTexts.money + .offer + texts

    private static let texts = ClearSigningTexts(
        [
            ClearSigningField(
                "offer.terms.price",
                "Price",
                .amount(currency: "offer.terms.currency")
            ),
            ClearSigningField("offer.terms.offer_until", "Offer ends", .date),
            ClearSigningField("offer.terms.buyer", "Named buyer", .address),
            ClearSigningField("@.value", "Paid now", .native),
        ],
        [
            ClearSigningCall(
                "list",
                "Offer an item",
                [
                    "offer.token", "offer.terms.price", "offer.terms.offer_until",
                    "offer.terms.buyer",
                ]
            ),
            ClearSigningCall(
                "pay",
                "Buy an item; the payment is final",
                ["offer.token", "offer.seller", "offer.terms.price", "@.value"]
            ),
            ClearSigningCall(
                "abort",
                "End an offer nobody has bought",
                ["offer.token", "offer.terms.price"]
            ),
        ]
    )
}
