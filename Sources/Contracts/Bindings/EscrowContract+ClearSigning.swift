extension EscrowContract {
    /// The texts that wallets show for the contract's calls.
    ///
    /// Source: Docs/contracts.md, sections 5 to 9.
    package static let clearSigning = ClearSigningTexts.money + .offer + texts

    private static let texts = ClearSigningTexts(
        [
            amount("price", "label.price"),
            amount("seller_deposit", "label.sellerDeposit"),
            amount("buyer_deposit", "label.buyerDeposit"),
            amount("late_penalty", "label.latePenalty"),
            ClearSigningField("offer.terms.arbiter", "label.arbiter", .address),
            amount("arbiter_fee", "label.arbiterFee"),
            ClearSigningField("offer.terms.ship_window", "label.shipWindow", .duration),
            ClearSigningField("offer.terms.confirm_window", "label.confirmWindow", .duration),
            ClearSigningField("offer.terms.ruling_window", "label.rulingWindow", .duration),
            ClearSigningField("offer.terms.offer_until", "label.offerEnds", .date),
            ClearSigningField("offer.terms.buyer", "label.buyer", .address),
            ClearSigningField("@.value", "label.paidIn", .native),
            ClearSigningField("share", "label.share", .share),
            ClearSigningField("until", "label.until", .date),
            ClearSigningField("fee_due", "label.feeDue", .amount(currency: "offer.terms.currency")),
            ClearSigningField("min_fee", "label.feeMin", .amount(currency: "currency")),
        ],
        [
            ClearSigningCall("list", "call.offerWithDeposit", listed + ["@.value"]),
            ClearSigningCall("abort", "call.abort", thing),
            ClearSigningCall("buy", "call.buy", ["offer.seller"] + listed + ["@.value"]),
            ClearSigningCall("decline", "call.decline", thing),
            ClearSigningCall("relist", "call.relist", thing),
            ClearSigningCall("transfer_item", "call.transfer", thing),
            ClearSigningCall("refund", "call.refund", thing),
            ClearSigningCall("confirm", "call.confirm", thing),
            ClearSigningCall("dispute", "call.dispute", thing),
            ClearSigningCall("claim", "call.claim", thing),
            ClearSigningCall(
                "take",
                "call.take",
                thing + ["offer.terms.arbiter_fee", "offer.terms.ruling_window"]
            ),
            ClearSigningCall("rule", "call.rule", thing + ["share"]),
            ClearSigningCall("execute_default", "call.executeDefault", thing),
            ClearSigningCall("propose", "call.propose", thing + ["share", "until", "fee_due"]),
            ClearSigningCall("withdraw_proposal", "call.withdrawProposal", thing),
            ClearSigningCall("agree", "call.agree", thing + ["share", "fee_due"]),
            ClearSigningCall("arbitrate", "call.arbitrate", ["currency", "min_fee", "until"]),
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
