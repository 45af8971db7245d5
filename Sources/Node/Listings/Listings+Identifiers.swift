import Client
import Foundation
import Market
import Storage

extension Listings {
    private static let usesMax = 20

    /// Returns the listings here that state an identifier, also those that are over; at most 20.
    ///
    /// - Parameter text: The identifier as it was typed.
    /// - Returns: It in normal form, and the listings, the newest first.
    /// - Throws: ``Refusal`` with `malformed_value`.
    nonisolated func listings(
        withIdentifier text: String
    ) async throws -> (identifier: String, listings: [Client.Listing]) {
        let identifier = try ItemIdentifier(entered: text)
        return (identifier.text, try await listings(stating: identifier))
    }

    /// Returns the open listings of others that state the same identifier as a listing that is open.
    nonisolated func rivals(of listing: Client.Listing) async throws -> [Client.Listing] {
        guard listing.state == "open", let id = try? ListingID(listing.id),
            let own = try store.listing(id)
        else { return [] }
        return try await listings(stating: own.listing.identifier, areOpen: true)
            .filter { $0.author != listing.author }
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
        return try texts(of: page.ids, at: time).compactMap { text in
            guard let text, text.found.listing.identifier == identifier else { return nil }
            return try WireCoding.decoder().decode(Client.Listing.self, from: Data(text.json))
        }
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
                "An identifier has 1 to 64 Latin letters and digits.",
                field: "identifier"
            )
        }
    }
}
