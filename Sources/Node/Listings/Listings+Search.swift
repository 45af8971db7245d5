import Client
import Concurrency
import Foundation
import Keys
import Market
package import NIOCore
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
    /// Whether to count the matches; a page with a count is not kept.
    package var countsMatches = false
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
    package nonisolated func search(_ wanted: ListingQuery) async throws -> ByteBuffer {
        let state = ListingPages.State(record: store.newestChange, sale: chain.saleIndex.version)
        // Without a chain, no listing ends by its time.
        let time = ListingTime(
            wall: Timestamp(clock.now),
            chain: chain.saleIndex.time ?? ChainTime(seconds: 0)
        )
        if !wanted.countsMatches, let page = pages.page(for: wanted, in: state, at: time) {
            return page
        }
        let page = try await page(for: wanted, at: time)
        guard !wanted.countsMatches else { return page.json }
        pages.keep(page, for: wanted, in: state)
        return page.json
    }

    private nonisolated func page(
        for wanted: ListingQuery,
        at time: ListingTime
    ) async throws -> DatedListingPage {
        var query = try query(for: wanted, at: time.wall)
        let limit = min(wanted.limit, Self.perPageMax)
        query.limit = limit
        var page = ListingPage()
        if wanted.countsMatches {
            page.total = try await total(of: query, wanted, at: time)
        }
        var ends = ListingTime.end
        for _ in 0..<Self.roundsMax {
            let found = try await catalogue.search(query)
            for (place, text) in try texts(of: found.ids).enumerated() {
                guard let text else { continue }
                if !wanted.includesOver {
                    guard let end = end(of: text.found, at: time) else { continue }
                    ends.wall = min(ends.wall, end.wall)
                    ends.chain = min(ends.chain, end.chain)
                }
                page.items.append(text.json)
                guard page.items.count == limit else { continue }
                let isLast = place == found.entries.count - 1 && found.next == nil
                page.next = isLast ? nil : found.entries[place].cursor.text
                return DatedListingPage(page, made: time, ends: ends)
            }
            page.next = found.next?.text
            guard let next = found.next else { break }
            query.cursor = next
            // Many are over, so that more are looked at in one go.
            query.limit = Self.perPageMax
        }
        return DatedListingPage(page, made: time, ends: ends)
    }

    /// Counts the listings that match, without those that are over unless they are wanted.
    private nonisolated func total(
        of query: CatalogueQuery,
        _ wanted: ListingQuery,
        at time: ListingTime
    ) async throws -> ListingPage.Total {
        let found = try await catalogue.count(query)
        let matches =
            wanted.includesOver
            ? found.sales.count
            : found.sales.count { isOffered($0, at: time.chain) }
        return ListingPage.Total(count: matches, isLowerBound: !found.isComplete)
    }

    /// Whether a sale can still be bought; one that this node's chain does not show counts as such.
    private nonisolated func isOffered(_ sale: SaleReference?, at time: ChainTime) -> Bool {
        sale.flatMap { chain.saleIndex.view(of: $0) }?.sale.isOffered(at: time) ?? true
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

    private nonisolated func query(
        for wanted: ListingQuery,
        at time: Timestamp
    ) throws -> CatalogueQuery {
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
        if !wanted.includesOver { query.openAt = time }
        if let after = wanted.after {
            guard let cursor = CatalogueCursor(text: after) else { throw Refusal.badPlace }
            query.cursor = cursor
        }
        return query
    }

    /// Returns when its offer ends, by what this node's chain shows; `nil` if it is over.
    private nonisolated func end(of found: FoundListing, at time: ListingTime) -> ListingTime? {
        var end = ListingTime.end
        if let endsAt = found.listing.endsAt { end.wall = endsAt }
        guard let view = found.listing.sale.flatMap({ chain.saleIndex.view(of: $0) }) else {
            return end
        }
        guard view.sale.isOffered(at: time.chain) else { return nil }
        if let deadline = view.sale.state.deadline(after: time.chain) { end.chain = deadline.at }
        return end
    }
}
