package import Client
import Concurrency
import Keys
import Market
import Storage

/// A search for listings.
package struct ListingQuery: Sendable {
    package var text: String?
    package var category: String?
    package var author: String?
    /// `native` or a token's address; needed with a price.
    package var currency: String?
    package var priceMin: String?
    package var priceMax: String?
    /// Whether to include listings that are sold, taken back on the chain, or ended.
    package var includesOver = false
    package var limit = 20
    package var after: String?

    package init() {}
}

extension Listings {
    private static let perPageMax = 100
    /// The maximum number of catalogue pages that are read for one page of the result.
    private static let roundsMax = 20

    /// Returns one page of the listings that match, as the catalogue ranks them.
    ///
    /// A page before the last may have fewer than `limit` listings, if many are over.
    package func search(_ wanted: ListingQuery) async throws -> Page<Client.Listing> {
        var query = try query(for: wanted)
        let limit = min(wanted.limit, Self.perPageMax)
        query.limit = wanted.includesOver ? limit : Self.perPageMax
        try await catalogue.catchUp()
        var items: [Client.Listing] = []
        for _ in 0..<Self.roundsMax {
            let page = try await catalogue.search(query)
            let found = try store.read { transaction in
                try page.entries.map { entry in
                    (entry.cursor, try transaction.record(entry.id).flatMap { FoundListing($0) })
                }
            }
            for (place, (cursor, found)) in found.enumerated() {
                guard let found, wanted.includesOver || !isOver(found) else { continue }
                items.append(Client.Listing(found, on: chain.saleIndex))
                guard items.count == limit else { continue }
                let isLast = place == page.entries.count - 1 && page.next == nil
                return Page(items: items, next: isLast ? nil : cursor.text)
            }
            guard let next = page.next else { return Page(items: items, next: nil) }
            query.cursor = next
        }
        return Page(items: items, next: query.cursor?.text)
    }

    private func query(for wanted: ListingQuery) throws -> CatalogueQuery {
        var query = CatalogueQuery(text: wanted.text)
        query.category = wanted.category
        if let author = wanted.author { query.author = try .entered(author, field: "author") }
        if let currency = wanted.currency {
            query.currency =
                currency == "native"
                ? .native : .token(try .entered(currency, field: "currency"))
        }
        if let most = wanted.priceMax { query.priceMax = try .entered(most, field: "priceMax") }
        if let least = wanted.priceMin { query.priceMin = try .entered(least, field: "priceMin") }
        guard query.currency != nil || (query.priceMin == nil && query.priceMax == nil) else {
            throw Refusal(
                .malformedValue,
                "A price needs a currency: say which, 'native' or a token's address.",
                field: "currency"
            )
        }
        if !wanted.includesOver { query.openAt = Timestamp(clock.now) }
        if let after = wanted.after {
            guard let cursor = CatalogueCursor(text: after) else { throw Refusal.badPlace }
            query.cursor = cursor
        }
        return query
    }

    /// Returns whether nobody can buy it any more, as this node's chain shows.
    private func isOver(_ found: FoundListing) -> Bool {
        guard let view = found.listing.sale.flatMap({ chain.saleIndex.view(of: $0.id) }) else {
            return false
        }
        let time = chain.saleIndex.time ?? view.state.position.time
        return view.state.status != .listed || time >= view.state.terms.offerUntil
    }
}
