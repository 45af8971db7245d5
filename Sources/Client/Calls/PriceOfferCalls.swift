/// Buyers' offers to buy at another price, and what sellers do with them.
package struct PriceOfferCalls: Sendable {
    package let list = APICall<NoBody, [PriceOffer]>(.get, "offers")
        .about("List the offers that the account has received and made, newest first, at most 256.")
        .failing([.nodeLocked])
    package let make = APICall<PriceOfferDraft, Message>(.post, "listings/{id}/offers")
        .about(
            "Offer the seller of a listing another price, in sealed mail; a new offer replaces the "
                + "account's earlier one."
        )
        .created.once
        .failing(.recipient, .listing, [.badAmount, .badTerms, .ownListing])
    package let previewMake = APICall<PriceOfferDraft, ActionPreview>(
        preview: "listings/{id}/offers",
        of: "offering another price"
    )
    .failing(.locked, .listing, [.badAmount, .badTerms, .ownListing])
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
        .about("List an item again as before it was reserved for a buyer who has not paid in time.")
        .once.withFees.taking(Query.acceptsOneSource)
        .failing(.relisting)
    package let previewReopen = APICall<NoBody, ActionPreview>(
        preview: "listings/{id}/reopening",
        of: "listing an item again as before it was reserved"
    )
    .failing(.relisting)
}

extension StoaClient {
    /// Returns the offers that the account has received and made, newest first, at most 256.
    public func offers() async throws -> [PriceOffer] { try await call(API.offers.list) }

    /// Offers the seller of a listing another price, sealed; it replaces the account's earlier
    /// offer.
    public func offer(
        _ draft: PriceOfferDraft,
        forListing listing: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.offers.make, at: listing, draft, key: key)
    }

    /// Previews an offer: what the seller could accept, until when.
    ///
    /// It refuses as the offer would.
    public func preview(
        offering draft: PriceOfferDraft,
        forListing listing: String
    ) async throws -> ActionPreview {
        try await call(API.offers.previewMake, at: listing, draft)
    }

    /// Withdraws the account's offer for a listing.
    public func withdrawOffer(
        forListing listing: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.offers.withdraw, at: listing, key: key)
    }

    /// Accepts an offer: the item is listed again at the offered price for that buyer alone.
    ///
    /// With `acceptsOneSource`, one endpoint's answer is enough while no second one answers.
    public func accept(
        offer: String,
        _ acceptance: OfferAcceptance = OfferAcceptance(),
        feeMax: String? = nil,
        acceptsOneSource: Bool = false,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(
            API.offers.accept,
            at: offer,
            acceptance,
            query: [Query.acceptsOneSource(acceptsOneSource)],
            feeMax: feeMax,
            key: key
        )
    }

    /// Previews accepting an offer.
    public func preview(
        accepting offer: String,
        _ acceptance: OfferAcceptance = OfferAcceptance()
    ) async throws -> ActionPreview {
        try await call(API.offers.previewAccept, at: offer, acceptance)
    }

    /// Lists an item again as before it was reserved for a buyer who has not paid in time.
    ///
    /// With `acceptsOneSource`, one endpoint's answer is enough while no second one answers.
    public func reopen(
        listing: String,
        feeMax: String? = nil,
        acceptsOneSource: Bool = false,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Operation {
        try await call(
            API.offers.reopen,
            at: listing,
            query: [Query.acceptsOneSource(acceptsOneSource)],
            feeMax: feeMax,
            key: key
        )
    }

    /// Previews listing an item again as before it was reserved for a buyer.
    public func preview(reopening listing: String) async throws -> ActionPreview {
        try await call(API.offers.previewReopen, at: listing)
    }
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
