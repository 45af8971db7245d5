/// Offers to buy listings at other prices.
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

    /// Withdraws the account's offer for a listing.
    public func withdrawOffer(
        forListing listing: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.offers.withdraw, at: listing, key: key)
    }

    /// Previews accepting an offer.
    public func preview(
        accepting offer: String,
        _ acceptance: OfferAcceptance = OfferAcceptance()
    ) async throws -> ActionPreview {
        try await call(API.offers.previewAccept, at: offer, acceptance)
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

    /// Previews listing an item again as before it was reserved for a buyer.
    public func preview(reopening listing: String) async throws -> ActionPreview {
        try await call(API.offers.previewReopen, at: listing)
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
}
