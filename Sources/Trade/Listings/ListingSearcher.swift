import Answers
import Client
import Concurrency
import Foundation
import Keys
import Market
import MediaFiles
package import NIOCore
import Records
import Storage

/// Finds listings: pages of them, their properties, categories and suggestions.
package struct ListingSearcher: Sendable {
    let markets: Markets
    let store: Store
    let catalogue: Catalogue
    let stars: SellerStars
    let clock: any WallClock
    private let texts = ListingTexts()
    private let pages = ListingPages()

    var saleIndexes: SaleIndexes { markets.saleIndexes }

    init(
        markets: Markets,
        store: Store,
        catalogue: Catalogue,
        stars: SellerStars,
        clock: any WallClock
    ) {
        (self.markets, self.store, self.catalogue) = (markets, store, catalogue)
        (self.stars, self.clock) = (stars, clock)
    }

    private static let perPageMax = 100
    /// The maximum number of catalogue pages that are read for one page of the result.
    private static let roundsMax = 20
    /// Fewer listings are not worth another processor.
    private static let decodedMin = 8

    /// Returns one page of the listings that match, as the catalogue ranks them.
    ///
    /// A page before the last may have fewer than `limit` listings, if many are over.
    ///
    /// - Returns: JSON, in the form of ``Client/Page``, with listings or with their rows.
    package func search(_ wanted: ListingQuery) async throws -> ByteBuffer {
        var wanted = wanted
        // Callers without sales share their pages.
        if let caller = wanted.caller, saleIndexes.sales(of: caller).isEmpty { wanted.caller = nil }
        let state = ListingPages.State(
            record: store.newestChange,
            sale: saleIndexes.version,
            isCurrent: saleIndexes.areCurrent
        )
        let time = saleIndexes.time(by: clock)
        let isPlain =
            wanted.hidden.isEmpty && wanted.destination == nil && wanted.starsMin == nil
        let isKept =
            !wanted.countsMatches && !wanted.countsFacets && !wanted.showsSellers && isPlain
        if isKept, let page = pages.page(for: wanted, in: state, at: time) {
            return page
        }
        let (page, isPartial) = try await page(for: wanted, at: time)
        if isKept, !isPartial { pages.keep(page, for: wanted, in: state) }
        return page.json
    }

    private func page(
        for wanted: ListingQuery,
        at time: ListingTimes
    ) async throws -> (page: DatedListingPage, isPartial: Bool) {
        let query = try query(for: wanted, at: time.wall)
        var filter = ListingFilter(query: query, wanted: wanted, time: time)
        filter.query.limit = min(wanted.limit, Self.perPageMax)
        var page = ListingPage()
        var ends = ListingTimes.end(time.chains.count)
        if query.closeness != .fewer {
            try await addWhole(to: &page, filter, &ends)
            // A word that no listing contains is corrected to the intended one.
            if page.items.isEmpty, page.next == nil, let text = wanted.text,
                let corrected = try await catalogue.correction(of: text)
            {
                (filter.query.text, page.corrected) = (corrected, corrected)
                try await addWhole(to: &page, filter, &ends)
            }
        }
        try await addFewer(to: &page, filter, &ends)
        if wanted.countsMatches || wanted.countsFacets {
            (filter.query.cursor, filter.query.closeness) = (nil, .whole)
            try await count(filter, in: &page)
        }
        return (DatedListingPage(page, made: time, ends: ends), page.isPartial)
    }

    /// Adds listings with all words, and those that have them as parts of longer ones, if the
    /// others do not fill the first page.
    private func addWhole(
        to page: inout ListingPage,
        _ filter: ListingFilter,
        _ ends: inout ListingTimes
    ) async throws {
        try await fill(&page, filter, &ends)
        let query = filter.query
        guard query.text != nil, query.cursor == nil, page.hasRoom(of: query.limit) else { return }
        var parts = filter
        parts.query.closeness = .parts
        try await fill(&page, parts, &ends)
    }

    /// Adds listings with some of the words, if those with all do not fill the first page.
    private func addFewer(
        to page: inout ListingPage,
        _ filter: ListingFilter,
        _ ends: inout ListingTimes
    ) async throws {
        let query = filter.query
        guard let text = filter.wanted.text, page.hasRoom(of: query.limit),
            query.cursor == nil || query.closeness != .whole
        else { return }
        let whole = page.items.count
        let isCorrected = page.corrected != nil || query.cursor == nil && whole == 0
        var fewer = filter
        if query.closeness != .fewer { (fewer.query.closeness, fewer.query.cursor) = (.fewer, nil) }
        // The text is the same on each page, whether or not the first one had to correct it.
        if !isCorrected, let corrected = try await catalogue.correction(of: text) {
            fewer.query.text = corrected
            if query.closeness == .fewer { page.corrected = corrected }
        }
        try await fill(&page, fewer, &ends)
        if page.items.count > whole || page.next != nil { page.withAllWords = whole }
    }

    /// Adds the listings that match; reads further if many of those found are over.
    private func fill(
        _ page: inout ListingPage,
        _ filter: ListingFilter,
        _ ends: inout ListingTimes
    ) async throws {
        let (wanted, time, limit) = (filter.wanted, filter.time, filter.query.limit)
        var query = filter.query
        var lookups = SellerStars.Lookups()
        for _ in 0..<Self.roundsMax {
            let result = try await catalogue.search(query)
            page.isPartial = page.isPartial || result.isPartial
            let found = try texts(of: result.ids, asRows: wanted.asksForRows, at: time)
            for (place, text) in found.enumerated() {
                guard let text, case let (found, listing) = (text.found, text.piece.listing),
                    isInPrice(listing.sale, filter),
                    !wanted.hidden.hides(found.id)
                else { continue }
                if wanted.reachesOnly, let destination = wanted.destination,
                    listing.delivery.refusal(to: destination) != nil
                {
                    continue
                }
                let state = saleIndexes.state(of: listing, at: time)
                guard wanted.includesOver || !state.isClosed,
                    try hasStars(found.id.author, wanted, &lookups)
                else { continue }
                if let end = state.end, let chain = saleIndexes.place(of: listing.chain) {
                    ends.note(end, of: chain)
                }
                let own = wanted.caller.flatMap { saleIndexes.part(of: $0, in: listing) }
                let seller = try seller(of: found.id.author, wanted, &lookups)
                page.items.append(
                    text.json(asRow: wanted.asksForRows, at: query.point, own: own, seller: seller)
                )
                guard page.items.count == limit else { continue }
                let isLast = place == result.entries.count - 1 && result.next == nil
                page.next = isLast ? nil : result.entries[place].cursor.text
                return
            }
            page.next = result.next?.text
            guard let next = result.next else { return }
            query.cursor = next
            // Many are over, so that more are looked at in one go.
            query.limit = Self.perPageMax
        }
    }

    /// Counts what matches, and by properties if that is wanted.
    private func count(_ filter: ListingFilter, in page: inout ListingPage) async throws {
        guard filter.wanted.countsFacets else {
            page.total = try await total(of: filter)
            return
        }
        let (facets, total) = try await facets(of: filter)
        page.facets = [UInt8](try WireCoding.encoder().encode(facets))
        if filter.wanted.countsMatches { page.total = total }
    }

    /// Counts the listings that match; those that are over count only if the search wants them.
    private func total(of filter: ListingFilter) async throws -> ListingPage.Total {
        let wanted = filter.wanted
        // Hidden listings, sellers' stars and shipping are checked for each listing, which the
        // catalogue's own count does not do.
        guard wanted.hidden.isEmpty, wanted.starsMin == nil, !wanted.reachesOnly else {
            return try await facets(of: filter).total
        }
        let found = try await catalogue.count(filter.query)
        var lookups = PieceLookups(store, on: saleIndexes, at: filter.time)
        let count = try matches(found.sales, found.placesOfPieces, filter, &lookups)
            .count { $0 != nil }
        let isLowerBound = !found.isComplete || lookups.areOver
        return ListingPage.Total(count: count, isLowerBound: isLowerBound)
    }

    /// Returns the current state and price of each listing; `nil` if it is over or too expensive,
    /// unless those are wanted.
    ///
    /// The price of a sale that is not seen is unknown. Those at `pieces` are the first of several:
    /// if it is sold, the piece that is bought next counts.
    func matches(
        _ sales: [SaleReference?],
        _ pieces: [Int],
        _ filter: ListingFilter,
        _ lookups: inout PieceLookups
    ) throws -> [(state: ListingState, price: Amount?)?] {
        var (sales, shown) = (sales, saleIndexes.sales(of: sales))
        for place in pieces {
            guard let first = shown[place],
                saleIndexes.state(of: sales[place], shown: first, at: filter.time).isClosed,
                let next = try lookups.sale(insteadOf: first)
            else { continue }
            (sales[place], shown[place]) = (next.reference, next)
        }
        return zip(sales, shown).map { reference, sale in
            guard filter.includes(sale?.price) else { return nil }
            let state = saleIndexes.state(of: reference, shown: sale, at: filter.time)
            guard filter.wanted.includesOver || !state.isClosed else { return nil }
            return (state, sale?.price)
        }
    }

    /// Whether a seller has the stars that are wanted.
    func hasStars(
        _ seller: Address,
        _ wanted: ListingQuery,
        _ lookups: inout SellerStars.Lookups
    ) throws -> Bool {
        guard let least = wanted.starsMin else { return true }
        return try stars.average(of: seller, &lookups).map { $0 >= least * 100 } ?? false
    }

    /// Returns who a seller is; `nil` if that is not wanted.
    private func seller(
        of account: Address,
        _ wanted: ListingQuery,
        _ lookups: inout SellerStars.Lookups
    ) throws -> Client.Listing.Seller? {
        guard wanted.showsSellers else { return nil }
        let profile = try store.read { try $0.profile(of: account)?.profile }
        let reviews = try stars.reviews(of: account, &lookups)
        let seller = Client.Listing.Seller(
            name: profile?.name,
            avatar: profile?.avatar.map(ListingMedia.init),
            rating: reviews?.average,
            reviewers: reviews?.reviewers ?? 0
        )
        return wanted.asksForRows ? seller.short : seller
    }

    /// Whether the price of a sale now is within a query's; one that is not seen keeps its
    /// listing's.
    private func isInPrice(_ sale: SaleReference?, _ filter: ListingFilter) -> Bool {
        guard filter.query.priceMin != nil || filter.query.priceMax != nil else { return true }
        return filter.includes(sale.flatMap { saleIndexes.view(of: $0) }?.sale.price)
    }

    /// Returns the JSON of each listing, with what this node's chain shows of its sale now; `nil`
    /// for one that is gone.
    ///
    /// Those that are not kept are decoded and written on all processors.
    private func texts(
        of ids: [RecordID],
        asRows: Bool,
        at time: ListingTimes
    ) throws -> [ListingTexts.Text?] {
        let kept = texts.texts(of: ids)
        // An index that cannot follow, because the disk is full, has ids that are gone.
        let sources = try store.read { transaction in
            try zip(ids, kept).map { id, text -> Source in
                guard let text else { return .record(try transaction.record(id)) }
                return try transaction.hasRecord(id) ? .text(text) : .record(nil)
            }
        }
        let parts = kept.count { $0 == nil } / Self.decodedMin
        return Processors.map(sources, partsMax: min(Processors.count, parts)) { sources in
            sources.map { self.text($0, asRow: asRows, at: time) }
        }.flatMap(\.self)
    }

    /// The source of a listing's JSON.
    private enum Source: Sendable {
        case text(ListingTexts.Text)
        /// `nil` if it is gone.
        case record(StoredRecord?)
    }

    private func text(
        _ source: Source,
        asRow: Bool,
        at time: ListingTimes
    ) -> ListingTexts.Text? {
        let found: FoundListing
        switch source {
        case .text(let text):
            let now = store.shown(text.found, on: saleIndexes, at: time)
            let isCurrent = text.summary == summary(of: now, at: time)
            guard !isCurrent || asRow && text.row == nil else { return text }
            found = text.found
        case .record(let record):
            guard let record, let read = FoundListing(record) else { return nil }
            found = read
        }
        // It is read before, so that it is no newer than the JSON.
        let shown = store.shown(found, on: saleIndexes, at: time)
        let summary = summary(of: shown, at: time)
        var json = JSONWriter(capacity: 1_536)
        let listing = Client.Listing(shown, on: saleIndexes, at: time)
        listing.write(to: &json)
        var row = JSONWriter(capacity: 1_024)
        if asRow { ListingRow(listing).write(to: &row) }
        let text = ListingTexts.Text(
            found: found,
            piece: shown.piece,
            summary: summary,
            json: json.bytes,
            row: asRow ? row.bytes : nil
        )
        // If the sale has moved since, the text may be newer than the summary.
        if self.summary(of: shown, at: time) == summary { texts.keep(text) }
        return text
    }

    private func summary(
        of offer: ListingView,
        at time: ListingTimes
    ) -> ListingTexts.Summary {
        let listing = offer.piece.listing
        return ListingTexts.Summary(
            position: listing.sale.flatMap { saleIndexes.view(of: $0) }?.sale.position,
            state: saleIndexes.state(of: listing, at: time).name,
            record: offer.pieces == nil ? nil : offer.piece.record,
            pieces: offer.pieces
        )
    }
}
