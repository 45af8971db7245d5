extension EscrowContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, sections 5 to 9.
    package static let clearSigning = ClearSigningTexts.money + .offer + texts

    private static let texts = ClearSigningTexts(
        [
            amount("price", "Price"),
            amount("seller_deposit", "Seller's deposit"),
            amount("buyer_deposit", "Buyer's deposit"),
            amount("late_penalty", "Penalty if not delivered in time"),
            ClearSigningField("offer.terms.arbiter", "Arbiter", .address),
            amount("arbiter_fee", "Arbiter's fee"),
            ClearSigningField("offer.terms.ship_window", "Time to deliver", .duration),
            ClearSigningField("offer.terms.confirm_window", "Time to confirm", .duration),
            ClearSigningField("offer.terms.ruling_window", "Time for a ruling", .duration),
            ClearSigningField("offer.terms.offer_until", "Offer ends", .date),
            ClearSigningField("offer.terms.buyer", "Named buyer", .address),
            ClearSigningField("@.value", "Paid in now", .native),
            ClearSigningField("share", "Seller's share of the price", .share),
            ClearSigningField("until", "Valid until", .date),
            ClearSigningField(
                "fee_due",
                "Arbiter's fee due now",
                .amount(currency: "offer.terms.currency")
            ),
            ClearSigningField("min_fee", "Fee of at least", .amount(currency: "currency")),
        ],
        [
            ClearSigningCall("list", "Offer an item and lock your deposit", listed + ["@.value"]),
            ClearSigningCall("abort", "End an offer nobody has bought", thing),
            ClearSigningCall(
                "buy",
                "Buy an item and lock your deposit",
                ["offer.seller"] + listed + ["@.value"]
            ),
            ClearSigningCall("decline", "Decline the buyer, who gets all money back", thing),
            ClearSigningCall(
                "relist",
                "Give the buyer all money back and offer the item again",
                thing
            ),
            ClearSigningCall("transfer_item", "Say that the item is on its way", thing),
            ClearSigningCall("refund", "Give the buyer the price back", thing),
            ClearSigningCall("confirm", "Confirm delivery and pay the seller", thing),
            ClearSigningCall("dispute", "Open a dispute about the item", thing),
            ClearSigningCall("claim", "Collect the price after the time to confirm", thing),
            ClearSigningCall(
                "take",
                "Take the case as arbiter",
                thing + ["offer.terms.arbiter_fee", "offer.terms.ruling_window"]
            ),
            ClearSigningCall("rule", "Decide the case as arbiter", thing + ["share"]),
            ClearSigningCall(
                "execute_default",
                "End the dispute; both sides lose part of their deposit",
                thing
            ),
            ClearSigningCall(
                "propose",
                "Propose to settle the sale",
                thing + ["share", "until", "fee_due"]
            ),
            ClearSigningCall("withdraw_proposal", "Withdraw your proposal", thing),
            ClearSigningCall("agree", "Settle the sale as proposed", thing + ["share", "fee_due"]),
            ClearSigningCall(
                "arbitrate",
                "Accept to be named as arbiter",
                ["currency", "min_fee", "until"]
            ),
        ]
    )

    /// The details by which a person recognises a sale.
    private static let thing = ["offer.token", "offer.terms.price"]

    private static let listed =
        thing + [
            "offer.terms.seller_deposit", "offer.terms.buyer_deposit",
            "offer.terms.late_penalty", "offer.terms.arbiter", "offer.terms.arbiter_fee",
            "offer.terms.ship_window", "offer.terms.confirm_window", "offer.terms.offer_until",
            "offer.terms.buyer",
        ]

    private static func amount(_ term: String, _ label: String) -> ClearSigningField {
        ClearSigningField("offer.terms." + term, label, .amount(currency: "offer.terms.currency"))
    }
}
