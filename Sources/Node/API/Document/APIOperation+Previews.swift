extension APIOperation {
    /// What each call that has the account's key sign would do; these sign nothing.
    static let previews = [
        preview("listings", "listing", takes: "ListingContent"),
        preview("listings/{id}", "changing a listing", takes: "ListingContent"),
        preview("listings/{id}/withdraw", "taking a listing back"),
        preview("sales", "buying", takes: "Purchase"),
        preview("sales/{id}/moves", "a move in a sale", takes: "SaleMove"),
        preview("wallet/collect", "withdrawing every credit"),
        preview("reviews", "a review", takes: "ReviewDraft"),
        preview("operations/{id}/speed-up", "paying more for a transaction that waits"),
        preview("operations/{id}/cancel", "cancelling a transaction that waits"),
    ]

    private static func preview(
        _ path: String,
        _ what: String,
        takes body: String? = nil
    ) -> APIOperation {
        APIOperation(
            "post",
            path + "/preview",
            "What \(what) would pay, bring and sign; nothing is signed.",
            takes: body,
            gives: "ActionPreview"
        )
    }
}
