extension APIOperation {
    /// The previews of all calls that sign with the account's key; a preview signs nothing.
    ///
    /// They are the estimates of these calls: there is no other one.
    static let previews = [
        preview("listings", "listing an item", takes: "ListingContent"),
        preview("listings/{id}", "changing a listing", takes: "ListingContent"),
        preview("listings/{id}/withdraw", "withdrawing a listing"),
        preview("sales", "buying", takes: "Purchase"),
        preview("sales/{id}/moves", "a move in a sale", takes: "SaleMove"),
        preview("wallet/send", "sending money", takes: "Transfer"),
        preview("wallet/collect", "collecting credits", takes: "CreditCollection"),
        preview("arbitration", "registering as an arbiter", takes: "Arbitration"),
        preview("curations", "publishing a list", takes: "CurationDraft"),
        preview("reviews", "a review", takes: "ReviewDraft"),
        preview("operations/{id}/speed-up", "speeding up a waiting transaction"),
        preview("operations/{id}/cancel", "cancelling a waiting transaction"),
    ]

    private static func preview(
        _ path: String,
        _ what: String,
        takes body: String? = nil
    ) -> APIOperation {
        APIOperation(
            "post",
            path + "/preview",
            "Estimate \(what): gas, fee, deposit, total, what comes back when, and what would be "
                + "signed. Nothing is signed.",
            takes: body,
            gives: "ActionPreview",
            query: ["feeMax", "feeSpeed"]
        )
    }
}
