import Client
import Foundation
import Market
import Storage

extension Listings {
    private static let usesMax = 20
    /// Pages of the index that are read; words of other listings can be like the identifier.
    private static let pagesMax = 5
    private static let pageMax = 100

    /// Returns the listings here that state an identifier, also those that are over; at most 20.
    ///
    /// - Parameter text: The identifier as it was typed.
    /// - Returns: It in normal form, and the listings.
    /// - Throws: ``Refusal`` with `malformed_value`.
    nonisolated func listings(
        withIdentifier text: String
    ) async throws -> (identifier: String, listings: [Client.Listing]) {
        let identifier = try ItemIdentifier(entered: text)
        var query = CatalogueQuery(text: identifier.text)
        query.limit = Self.pageMax
        let time = time
        var found: [Client.Listing] = []
        for _ in 0..<Self.pagesMax {
            let page = try await catalogue.search(query)
            for text in try texts(of: page.ids, at: time) {
                guard let text, text.found.listing.identifier == identifier else { continue }
                found.append(
                    try WireCoding.decoder().decode(Client.Listing.self, from: Data(text.json))
                )
                if found.count == Self.usesMax { return (identifier.text, found) }
            }
            guard let next = page.next else { break }
            query.cursor = next
        }
        return (identifier.text, found)
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
