import Answers
import Client
import Ethereum
import Keys
import Market
import Records
import Setup

/// Listings that are reserved for one buyer at another price.
extension ListingPlanner {
    /// How much less time than was offered a buyer can have to pay: what passes between a preview and
    /// the consent.
    private static let consentTime = Duration.seconds(600)

    /// Returns the sale of a listing for which a buyer can offer a price, and its chain's time.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing`, `listing_gone`, `move_not_open` if it is reserved,
    ///   `bad_terms`, or the chain's health.
    func sale(
        openTo buyer: Address,
        of id: ListingID,
        at price: Amount
    ) throws -> (sale: Market.Sale, time: ChainTime) {
        let listing = try store.found(id).listing
        let chain = try markets.required(listing.chain)
        let (sale, time) = try offered(listing, on: chain)
        guard price < sale.price else {
            throw Refusal(.badTerms, Sentence("refusal.offerNotLower"), field: "price")
        }
        let reservation = Reservation(for: buyer, until: time.advanced(by: Self.consentTime))
        let content = try reserved(listing, of: sale, at: price, for: reservation, time)
        let service = chain.saleIndex.service(for: sale)
        _ = try service.terms(of: content, form: listing.form, by: sale.seller, at: time)
        return (sale, time)
    }

    /// Returns the sale with which a listing is open to anyone, and its chain's time.
    private func offered(
        _ listing: Market.Listing,
        on chain: MarketChain
    ) throws -> (sale: Market.Sale, time: ChainTime) {
        guard listing.pieces == nil else {
            throw Refusal(.badTerms, Sentence("refusal.offerOnPieces"), field: "listing")
        }
        try chain.saleIndex.requireCurrent()
        guard let time = chain.saleIndex.time,
            let sale = listing.sale.flatMap({ chain.saleIndex.view(of: $0) })?.sale,
            sale.isOffered(at: time)
        else { throw Refusal(.listingGone, Sentence("refusal.offerOver"), field: "listing") }
        if let reservation = sale.state.offer?.offer.reservation { throw reservation.refusal }
        return (sale, time)
    }

    /// Returns the content with which a listing is put up for sale again for one buyer.
    private func reserved(
        _ listing: Market.Listing,
        of sale: Market.Sale,
        at price: Amount,
        for reservation: Reservation,
        _ time: ChainTime
    ) throws(Refusal) -> ListingContent {
        let service = saleIndexes[sale].service(for: sale)
        var content = ListingContent(listing)
        content.price.amount = price.decimal
        content = try service.repriced(content, of: sale, at: time)
        try type(of: service).reserve(&content, for: reservation)
        return content
    }

    /// Accepts a buyer's offer: the listing's sale is withdrawn, and its token listed again at the
    /// offered price for that buyer alone.
    func accept(
        _ offer: FoundPriceOffer,
        _ acceptance: OfferAcceptance,
        by account: Address,
        acceptsOneSource: Bool
    ) -> ProposedOperation {
        ProposedOperation(
            .edit,
            Acceptance(offer: offer.id.hex, acceptance: acceptance),
            by: account,
            acceptsOneSource: acceptsOneSource,
            on: runner
        ) {
            try await self.plan(accepting: offer, acceptance, &$0)
        }
    }

    private func plan(
        accepting offer: FoundPriceOffer,
        _ acceptance: OfferAcceptance,
        _ plan: inout PlannedOperation
    ) async throws {
        let id = offer.listing.id
        try offerPlanner.requireAuthor(plan.account, of: id)
        try await clockWatch.requireUsable()
        let found = try store.found(id)
        let old = found.listing
        let (sale, time) = try offered(old, on: try markets.required(old.chain))
        guard sale.reference == offer.sale else {
            throw Refusal(.listingGone, Sentence("refusal.offerOutdated"))
        }
        guard time < offer.content.until else {
            throw Refusal(
                .moveNotOpen,
                Sentence("refusal.offerExpired", ["time": offer.content.until.value])
            )
        }
        let latest = time.advanced(by: .seconds(Int64(offer.content.paymentSeconds)))
        let until = acceptance.payUntil.map { ChainTime(seconds: $0) } ?? latest
        guard until <= latest, until.advanced(by: Self.consentTime) >= latest else {
            throw Refusal(.badTerms, Sentence("refusal.payUntilOld"), field: "payUntil")
        }
        let reservation = Reservation(for: offer.buyer, until: until)
        let price = offer.content.price
        let content = try reserved(old, of: sale, at: price, for: reservation, time)
        // The buyer offered for the promise, whatever the listing says since.
        try await piecePlanner.plan(repricing: found, content, keepsPromise: true, &plan)
        if old.anchor?.promised != nil {
            await plan.describe { $0.warnings.append(Sentence("preview.offerPromise")) }
        }
        await self.plan(unpaid: reservation, after: sale, in: id.slot, &plan)
    }

    /// Adds what becomes of a listing whose buyer does not pay: what the seller agrees to, if the
    /// node makes moves for the account.
    private func plan(
        unpaid reservation: Reservation,
        after first: Market.Sale,
        in slot: Bytes32,
        _ plan: inout PlannedOperation
    ) async {
        let (buyer, end) = (reservation.buyer.checksummed, reservation.until.value)
        guard deadlines.allow(plan.account) else {
            return await plan.describe {
                $0.explanation.append(
                    Sentence("preview.offerUnpaid", ["account": buyer, "time": end])
                )
            }
        }
        if let listed = plan.operationPlan.listedSale, let fees = plan.fees {
            plan.reopening = .agreed(
                ReopeningConsent(
                    sale: listed,
                    first: first.id,
                    slot: slot,
                    until: reservation.until,
                    feeMax: fees.feeMax
                )
            )
        }
        await plan.describe {
            let price = first.price.value(in: first.currency, on: first.reference.contract.chain)
            $0.explanation += [
                Sentence("preview.offerReopens", ["account": buyer, "time": end, "price": price]),
                Sentence("preview.reopeningNeeds"),
            ]
        }
    }
}

/// The content of an acceptance, for comparing requests.
private struct Acceptance: Encodable {
    let offer: String
    let acceptance: OfferAcceptance
}

extension Reservation {
    /// Refuses what would break it.
    var refusal: Refusal {
        Refusal(
            .moveNotOpen,
            Sentence("refusal.reservedUntil", ["account": buyer.checksummed, "time": until.value])
        )
    }
}
