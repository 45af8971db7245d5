import Answers
import Client
import Keys
import Market

/// Listings of the same thing by others, and by the seller before.
extension OfferPlanner {
    /// The maximum number of tokens of one identifier that are looked at for a twin.
    private static let twinsMax = 100

    /// Returns the refusal if the seller is already selling the same thing or is about to list it:
    /// `bad_listing` or `in_progress`.
    ///
    /// A token that is sold again is not its own twin, nor are the `tokens` of other pieces.
    func twinRefusal(
        of offer: PlannedListing,
        besides tokens: Set<Amount> = []
    ) async throws -> Refusal? {
        guard type(of: offer.service).sellsItem else { return nil }
        let identifier = offer.listing.identifier
        let slot = offer.slot
        if let begun = await runner.book.listingRefusal(of: offer.seller, identifier, in: slot) {
            return begun
        }
        let twin = saleIndexes.sales(of: offer.seller).first { sale in
            sale.seller == offer.seller && sale.state.isUnfinished(for: offer.seller)
                && sale.sellsToken(of: identifier)
                && !(sale.reference.contract.chain == offer.chain.chain
                    && sale.state.item.map {
                        $0 == offer.content.item?.token || tokens.contains($0)
                    } ?? false)
        }
        guard let twin else { return nil }
        return Refusal(
            .badListing,
            Sentence("refusal.sameIdentifier", ["listing": try name(of: twin)]),
            field: "identifier"
        )
    }

    /// Warns of another account's token with the same identifier that is on offer now; `nil` if
    /// none is, or if the offer makes no new token.
    func twinWarning(of offer: PlannedListing) throws -> Sentence? {
        guard type(of: offer.service).sellsItem, offer.content.item == nil else { return nil }
        let saleIndex = offer.chain.saleIndex
        let time = saleIndex.time
        let twin = saleIndex.items(of: offer.listing.identifier, limit: Self.twinsMax)
            .lazy.flatMap { saleIndex.views(of: $0, limit: 1) }.map(\.sale)
            .first { sale in
                sale.seller != offer.seller && sale.isOffered(at: time ?? sale.position.time)
            }
        guard let twin else { return nil }
        let seller = twin.seller.checksummed
        guard let listing = try store.listing(of: twin) else {
            return Sentence("item.twinSale", ["seller": seller, "sale": twin.id.description])
        }
        return Sentence("item.twin", ["seller": seller, "listing": "\(listing)"])
    }

    private func name(of sale: Market.Sale) throws -> String {
        try store.listing(of: sale).map { "\($0)" } ?? "sale \(sale.id)"
    }
}
