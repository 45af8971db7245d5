extension DirectSaleContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, section 11.
    package static let clearSigning = ClearSigningTexts.money + .offer + texts

    private static let texts = ClearSigningTexts(
        [
            ClearSigningField(
                "offer.terms.price",
                "label.price",
                .amount(currency: "offer.terms.currency")
            ),
            ClearSigningField("offer.terms.offer_until", "label.offerEnds", .date),
            ClearSigningField("offer.terms.buyer", "label.buyer", .address),
            ClearSigningField("@.value", "label.paid", .native),
        ],
        [
            ClearSigningCall(
                "list",
                "call.offer",
                [
                    "offer.token", "offer.terms.price", "offer.terms.offer_until",
                    "offer.terms.buyer",
                ]
            ),
            ClearSigningCall(
                "pay",
                "call.pay",
                ["offer.token", "offer.seller", "offer.terms.price", "@.value"]
            ),
            ClearSigningCall("abort", "call.abort", ["offer.token", "offer.terms.price"]),
        ]
    )
}
