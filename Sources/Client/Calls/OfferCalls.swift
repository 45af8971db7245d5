/// Buyers' offers to buy at another price, and what sellers do with them.
package struct OfferCalls: Sendable {
    package let list = APICall<NoBody, [PriceOffer]>(.get, "offers")
        .about(
            "List the offers that the account has received and made, newest first, at most 256."
        )
        .failing([.nodeLocked])
    package let make = APICall<PriceOfferDraft, Message>(.post, "listings/{id}/offers")
        .about(
            "Offer the seller of a listing another price, in sealed mail; a new offer replaces the "
                + "account's earlier one."
        )
        .created.once
        .failing(.recipient, .listing, [.badAmount, .badTerms, .ownListing])
    package let withdraw = APICall<NoBody, Message>(.delete, "listings/{id}/offers")
        .about("Withdraw the account's offer for a listing, unless the seller has accepted it.")
        .once
        .failing(.recipient, .listing, [.moveNotOpen])
    package let accept = APICall<OfferAcceptance, Operation>(.post, "offers/{id}/acceptance")
        .about(
            "Accept an offer: the listing's sale is withdrawn, and the item listed again at the "
                + "offered price for that buyer alone."
        )
        .once.withFees.taking(Query.acceptsOneSource)
        .failing(.relisting)
    package let previewAccept = APICall<OfferAcceptance, ActionPreview>(
        preview: "offers/{id}/acceptance",
        of: "accepting an offer"
    )
    .failing(.relisting)
    package let reopen = APICall<NoBody, Operation>(.post, "listings/{id}/reopening")
        .about(
            "List an item again as before it was reserved for a buyer who has not paid in time."
        )
        .once.withFees.taking(Query.acceptsOneSource)
        .failing(.relisting)
    package let previewReopen = APICall<NoBody, ActionPreview>(
        preview: "listings/{id}/reopening",
        of: "listing an item again as before it was reserved"
    )
    .failing(.relisting)
}

extension Set<ProblemCode> {
    fileprivate static var listing: Self { [.unknownListing, .listingGone, .unknownChain] }

    /// Of a call that withdraws a sale and lists its item again.
    fileprivate static var relisting: Self {
        [
            .insufficientBalance, .contractRefused, .badListing, .badAmount, .badTerms, .badAddress,
            .clockWrong, .unknownChain, .ambiguousChain, .unknownListing, .listingGone, .notAllowed,
            .moveNotOpen, .notFinalYet, .oneSource, .nodeLocked,
        ]
    }
}
