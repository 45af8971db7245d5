import Client
import Hummingbird
import Trade

/// Adds the handlers of listings.
func addListingRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    curations: Curations,
    addresses: DeliveryAddresses,
    ids: IDResolver
) {
    let searcher = market.listingSearcher
    @Sendable func query(of request: APIRequest<NoBody>) async throws -> ListingQuery {
        var wanted = try ListingQuery.read(from: request)
        if let author = try request[Query.author] {
            wanted.author = try await ids.account(
                author,
                request.context,
                findsSellers: true,
                field: "author"
            )
        }
        if let caller = request.context.signedIn, try !request[Query.hidden] {
            wanted.hidden = try await curations.hidden(from: caller)
        }
        if wanted.reachesMe == true {
            wanted.destination = try await addresses.destination(of: request.account)
        } else if wanted.countsFacets, let caller = request.context.signedIn {
            // Without an address, this count is omitted.
            wanted.destination = try? await addresses.destination(of: caller)
        }
        return wanted
    }
    group.answer(API.listings.search) { request in
        reply(.ok, json: try await searcher.search(try await query(of: request)))
    }
    group.answer(API.listings.rows) { request in
        var wanted = try await query(of: request)
        (wanted.asksForRows, wanted.showsSellers) = (true, true)
        return reply(.ok, json: try await searcher.search(wanted))
    }
    group.on(API.listings.suggestions) { request in
        try await searcher.suggestions(for: request[Query.search] ?? "")
    }
    group.on(API.listings.categories) { _ in try await searcher.categories() }
    addListingRoute(to: group, listings: market.listings, reviews: market.reviews, ids: ids)
    addListingPlanRoutes(to: group, market: market, ids: ids)
}

extension ListingQuery {
    /// Reads a query as far as it needs no service.
    fileprivate static func read<Input>(from request: APIRequest<Input>) throws -> ListingQuery {
        var wanted = ListingQuery()
        // A blank search is none.
        wanted.text = try request[Query.search].flatMap { text in
            text.allSatisfy(\.isWhitespace) ? nil : text
        }
        wanted.category = try request[Query.category]
        wanted.tag = try request[Query.tag]
        wanted.chain = try request[Query.chain]
        wanted.priceMin = try request[Query.priceMin]
        wanted.priceMax = try request[Query.priceMax]
        wanted.currency = try request[Query.currency]
        wanted.includesOver = try request[Query.over]
        wanted.payment = try request[Query.payment]
        wanted.delivery = try request[Query.delivery]
        wanted.shipsTo = try request[Query.shipsTo]
        wanted.sort = try request[Query.sort]
        wanted.near = try request[Query.near].map(GeographicPoint.entered)
        wanted.within = try request[Query.within]
        wanted.starsMin = try request[Query.stars]
        wanted.countsMatches = try request[Query.count]
        wanted.countsFacets = try request[Query.facets]
        wanted.showsSellers = try request[Query.sellers]
        wanted.caller = request.context.signedIn
        wanted.reachesMe = try request[Query.toMe]
        wanted.after = try request[Query.after]
        wanted.limit = try request[Query.limit]
        return wanted
    }
}

/// Adds the handler that shows one listing.
private func addListingRoute(
    to group: RouterGroup<APIContext>,
    listings: Listings,
    reviews: Reviews,
    ids: IDResolver
) {
    group.on(API.listings.listing) { request in
        let titles: MarketIndex.Titles = try request[Query.onSale] ? .onSale : .all
        let caller = request.context.signedIn
        let owner = try request[Query.ownListing] ? caller : nil
        var listing = try await listings.listing(
            ids.listing(request.id, by: titles, preferring: owner),
            for: caller
        )
        let rivals = try await listings.rivals(of: listing)
        if !rivals.isEmpty {
            listing.rivals = try await reviews.uses(rivals) { try listings.tokenSince(of: $0) }
            listing.tokenSince = try listings.tokenSince(of: listing)
        }
        return listing
    }
}

/// Adds the handlers of what changes listings.
private func addListingPlanRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    ids: IDResolver
) {
    let planner = market.listingPlanner
    group.on(API.sales.resale) { request in
        let id = try ids.sale(request.id, request.context, use: .resale, prefersOver: true)
        return DraftContent(content: try await planner.resale(of: id, by: request.account))
    }
    group.on(API.listings.list, preview: API.listings.preview) { request, account in
        planner.create(try await ids.named(request.body, request.context), by: account)
    }
    group.on(API.listings.edit, preview: API.listings.previewEdit) { request, account in
        let takesOne = try request[Query.acceptsOneSource]
        let wanted = try await request.body
        let id = try await ids.listing(request.id, by: .none, preferring: account)
        let content = try await ids.named(wanted, request.context)
        return try planner.edit(id, content, by: account, acceptsOneSource: takesOne)
    }
    group.on(API.listings.pieces, preview: API.listings.previewPieces) { request, account in
        let takesOne = try request[Query.acceptsOneSource]
        let change = try await request.body
        let id = try await ids.listing(request.id, by: .none, preferring: account)
        return try market.piecePlanner.change(
            piecesOf: id,
            change,
            by: account,
            acceptsOneSource: takesOne
        )
    }
    group.on(API.listings.withdraw, preview: API.listings.previewWithdraw) { request, account in
        let takesOne = try request[Query.acceptsOneSource]
        let id = try await ids.listing(request.id, by: .none, preferring: account)
        return try planner.withdraw(id, by: account, acceptsOneSource: takesOne)
    }
}
