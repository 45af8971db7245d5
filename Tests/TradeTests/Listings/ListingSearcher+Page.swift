import Client
import Foundation
import NIOCore
import Trade

extension ListingSearcher {
    /// The page that a search shows, as a client reads it.
    func page(_ query: ListingQuery) async throws -> Page<Client.Listing> {
        let json = try await search(query)
        return try WireCoding.decoder().decode(
            Page<Client.Listing>.self,
            from: Data(json.readableBytesView)
        )
    }
}
