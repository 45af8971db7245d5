import Client
import Concurrency
import Foundation
import Keys
import Market
import Storage

/// A search for listings.
package struct ListingQuery: Hashable, Sendable {
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

    /// The bytes of its texts.
    var byteCount: Int {
        [text, category, author, currency, priceMin, priceMax, after]
            .reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension Listings {
    private static let perPageMax = 100
    /// The maximum number of catalogue pages that are read for one page of the result.
    private static let roundsMax = 20

    /// Returns one page of the listings that match, as the catalogue ranks them.
    ///
    /// A page before the last may have fewer than `limit` listings, if many are over.
    ///
    /// - Returns: JSON, in the form of ``Client/Page``.
    package nonisolated func search(_ wanted: ListingQuery) async throws -> [UInt8] {
        let state = ListingPages.State(
            change: store.newestChange,
            block: chain.saleIndex.applied,
            time: Timestamp(clock.now)
        )
        if let page = pages.page(for: wanted, in: state) { return page }
        let page = try await page(for: wanted).json
        pages.keep(page, for: wanted, in: state)
        return page
    }

    private nonisolated func page(for wanted: ListingQuery) async throws -> ListingPage {
        var query = try query(for: wanted)
        let limit = min(wanted.limit, Self.perPageMax)
        query.limit = limit
        var items: [[UInt8]] = []
        for _ in 0..<Self.roundsMax {
            let page = try await catalogue.search(query)
            for (place, text) in try texts(of: page.ids).enumerated() {
                guard let text, wanted.includesOver || !isOver(text.found) else { continue }
                items.append(text.json)
                guard items.count == limit else { continue }
                let isLast = place == page.entries.count - 1 && page.next == nil
                let next = isLast ? nil : page.entries[place].cursor.text
                return ListingPage(items: items, next: next)
            }
            guard let next = page.next else { return ListingPage(items: items, next: nil) }
            query.cursor = next
            // Many are over, so that more are looked at in one go.
            query.limit = Self.perPageMax
        }
        return ListingPage(items: items, next: query.cursor?.text)
    }

    /// Returns the JSON of each listing, with what this node's chain shows of its sale now; `nil`
    /// for one that is gone.
    private nonisolated func texts(of ids: [RecordID]) throws -> [ListingTexts.Text?] {
        var texts = texts.texts(of: ids)
        // An index that cannot follow, because the disk is full, has ids that are gone.
        let isHere = try store.read { transaction in try ids.map { try transaction.hasRecord($0) } }
        for place in texts.indices {
            guard isHere[place], let found = try texts[place]?.found ?? found(ids[place]) else {
                texts[place] = nil
                continue
            }
            let sale = saleSummary(of: found)
            if let text = texts[place], text.sale == sale { continue }
            let text = try text(of: found, sale)
            texts[place] = text
            // If the sale has moved meanwhile, the text may be newer than the summary.
            if saleSummary(of: found) == sale { self.texts.keep(text) }
        }
        return texts
    }

    private nonisolated func found(_ id: RecordID) throws -> FoundListing? {
        try store.read { try $0.record(id) }.flatMap { FoundListing($0) }
    }

    /// Makes the JSON of a listing; `sale` was read before, so that it is no newer.
    private nonisolated func text(
        of found: FoundListing,
        _ sale: ListingTexts.SaleSummary?
    ) throws -> ListingTexts.Text {
        let listing = Client.Listing(found, on: chain.saleIndex)
        let json = [UInt8](try WireCoding.encoder().encode(listing))
        return ListingTexts.Text(found: found, sale: sale, json: json)
    }

    private nonisolated func saleSummary(of found: FoundListing) -> ListingTexts.SaleSummary? {
        found.listing.sale.flatMap { chain.saleIndex.view(of: $0) }
            .map { ListingTexts.SaleSummary($0.sale) }
    }

    private nonisolated func query(for wanted: ListingQuery) throws -> CatalogueQuery {
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
    private nonisolated func isOver(_ found: FoundListing) -> Bool {
        guard let view = found.listing.sale.flatMap({ chain.saleIndex.view(of: $0) }) else {
            return false
        }
        let time = chain.saleIndex.time ?? view.sale.position.time
        return !view.sale.isOffered(at: time)
    }
}
