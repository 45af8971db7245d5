import Answers
package import Client
package import Foundation
import Keys
import Market
import Storage

extension Listings {
    private static let usesMax = 20
    /// The maximum number of tokens of one identifier that are looked at for a twin.
    private static let twinsMax = 100

    /// Returns the listings here that state an identifier, also those that are over; at most 20.
    ///
    /// - Parameter text: The identifier as it was typed.
    /// - Returns: It in normal form, and the listings, the newest first.
    /// - Throws: ``Refusal`` with `malformed_value`.
    package nonisolated func listings(
        withIdentifier text: String
    ) async throws -> (identifier: String, listings: [Client.Listing]) {
        let identifier = try ItemIdentifier(entered: text)
        return (identifier.text, try await listings(stating: identifier))
    }

    /// Returns the other open listings that state the same identifier as a listing that is open.
    ///
    /// Those of its own author count only for an item with a token: it can be sold once.
    package nonisolated func rivals(of listing: Client.Listing) async throws -> [Client.Listing] {
        guard listing.state == "open", let id = try? ListingID(listing.id),
            let own = try store.listing(id)
        else { return [] }
        let isOneThing = try own.listing.form == .goods && tokenSince(of: listing) != nil
        return try await listings(stating: own.listing.identifier, areOpen: true)
            .filter { $0.id != listing.id && (isOneThing || $0.author != listing.author) }
    }

    /// Returns when the token of a listing's sale was first listed on its chain; `nil` for a listing
    /// without a token or a sale that this node sees.
    package nonisolated func tokenSince(of listing: Client.Listing) throws -> Date? {
        guard let id = try? ListingID(listing.id), let own = try store.listing(id),
            let reference = own.listing.sale, let sale = saleIndexes.sale(reference),
            let item = sale.state.item
        else { return nil }
        return saleIndexes[sale].firstListed(item)?.date
    }

    /// Returns the refusal if the seller is already selling the same thing or is about to list it:
    /// `bad_listing` or `in_progress`.
    ///
    /// A token that is sold again is not its own twin.
    func twinRefusal(of offer: Offer) async throws -> Refusal? {
        guard type(of: offer.service).sellsItem else { return nil }
        let identifier = offer.listing.identifier
        if let begun = await runner.listingUnderWay(of: offer.seller, with: identifier) {
            return OperationRunner.listedAlready(in: begun)
        }
        let twin = saleIndexes.sales(of: offer.seller).first { sale in
            sale.seller == offer.seller && sale.state.isUnfinished(for: offer.seller)
                && sale.sellsToken(of: identifier)
                && !(sale.state.item == offer.content.item?.token
                    && sale.reference.contract.chain == offer.chain.chain)
        }
        guard let twin else { return nil }
        return Refusal(
            .badListing,
            Sentence("refusal.sameIdentifier", ["listing": try name(of: twin)]),
            field: "identifier"
        )
    }

    /// Warns of another account's token with the same identifier that is on offer now; `nil` if none
    /// is, or if the offer makes no new token.
    func twinWarning(of offer: Offer) throws -> Sentence? {
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
            return Sentence(
                "item.twinSale",
                ["seller": seller, "sale": twin.id.description]
            )
        }
        return Sentence("item.twin", ["seller": seller, "listing": "\(listing)"])
    }

    private func name(of sale: Market.Sale) throws -> String {
        try store.listing(of: sale).map { "\($0)" } ?? "sale \(sale.id)"
    }

    private nonisolated func listings(
        stating identifier: ItemIdentifier,
        areOpen: Bool = false
    ) async throws -> [Client.Listing] {
        let time = time
        var query = CatalogueQuery()
        (query.identifier, query.order, query.limit) = (identifier.text, .newest, Self.usesMax)
        if areOpen { query.openAt = time.wall }
        let page = try await catalogue.search(query)
        return try store.listings(page.ids).filter { $0.listing.identifier == identifier }
            .map { Client.Listing($0, on: saleIndexes, at: time) }
            .filter { !areOpen || $0.state == "open" }
    }
}

extension ItemIdentifier {
    /// Normalises an identifier that a caller sent.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    init(entered text: String) throws(Refusal) {
        do { try self.init(normalising: text) } catch {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.identifierForm"),
                field: "identifier"
            )
        }
    }
}
