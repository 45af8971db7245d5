import Answers
package import Client
import Concurrency
package import Foundation
package import Keys
import Market
import Storage

/// The market's listings, one by one and by what they sell.
package struct Listings: Sendable {
    private static let usesMax = 20

    let saleIndexes: SaleIndexes
    let store: Store
    let catalogue: Catalogue
    let clock: any WallClock

    /// Returns one listing, as `caller` sees it.
    ///
    /// - Throws: ``Refusal`` with `unknown_listing` or `listing_gone`.
    package func listing(_ text: String, for caller: Address? = nil) throws -> Client.Listing {
        let time = saleIndexes.time(by: clock)
        let offer = store.shown(try store.found(ListingID(text)), on: saleIndexes, at: time)
        var shown = Client.Listing(offer, on: saleIndexes, at: time)
        if shown.changes != nil { shown.promised = Client.Sale.Commitment(offer.piece.promise) }
        shown.own = caller.flatMap { saleIndexes.part(of: $0, in: offer.piece.listing) }
        return shown
    }

    /// Returns the listings here that state an identifier, also those that are over; at most 20.
    ///
    /// - Parameter text: The identifier as it was typed.
    /// - Returns: It in normal form, and the listings, the newest first.
    /// - Throws: ``Refusal`` with `malformed_value`.
    package func listings(
        withIdentifier text: String
    ) async throws -> (identifier: String, listings: [Client.Listing]) {
        let identifier = try ItemIdentifier(entered: text)
        return (identifier.text, try await listings(stating: identifier))
    }

    /// Returns the other open listings that state the same identifier as a listing that is open.
    ///
    /// Those of its own author count only for an item with a token: it can be sold once.
    package func rivals(of listing: Client.Listing) async throws -> [Client.Listing] {
        guard listing.state == "open", let id = try? ListingID(listing.id),
            let own = try store.listing(id)
        else { return [] }
        let isOneThing = try own.listing.form == .goods && tokenSince(of: listing) != nil
        return try await listings(stating: own.listing.identifier, areOpen: true)
            .filter { $0.id != listing.id && (isOneThing || $0.author != listing.author) }
    }

    /// Returns when the token of a listing's sale was first listed on its chain; `nil` for a
    /// listing without a token or a sale that this node sees.
    package func tokenSince(of listing: Client.Listing) throws -> Date? {
        guard let id = try? ListingID(listing.id), let own = try store.listing(id),
            let reference = own.listing.sale, let sale = saleIndexes.sale(reference),
            let item = sale.state.item
        else { return nil }
        return saleIndexes[sale].firstListed(item)?.date
    }

    private func listings(
        stating identifier: ItemIdentifier,
        areOpen: Bool = false
    ) async throws -> [Client.Listing] {
        var query = CatalogueQuery()
        (query.identifier, query.order, query.limit) = (identifier.text, .newest, Self.usesMax)
        if areOpen { query.openAt = clock.timestamp }
        let page = try await catalogue.search(query)
        return try store.listings(page.ids).filter { $0.listing.identifier == identifier }
            .map(shown)
            .filter { !areOpen || $0.state == "open" }
    }
}

extension ItemIdentifier {
    /// Normalises an identifier that a caller sent.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    init(entered text: String) throws(Refusal) {
        do { try self.init(normalising: text) } catch {
            throw Refusal(.malformedValue, Sentence("refusal.identifierForm"), field: "identifier")
        }
    }
}
