import Client
import Hummingbird

/// Adds the routes of listings: `/v1/listings`.
func addListingRoutes(
    to group: RouterGroup<APIContext>,
    listings: Listings,
    reviews: Reviews,
    curations: Curations,
    addresses: DeliveryAddresses,
    ids: IDResolver
) {
    group.get("listings") { request, context in
        var wanted = ListingQuery()
        let query = request.uri.queryParameters
        // Blanks are no words to search for.
        wanted.text = query.text("search").flatMap { text in
            text.allSatisfy(\.isWhitespace) ? nil : text
        }
        wanted.category = query.text("category")
        wanted.chain = try request.chain()
        if let author = query.text("author") {
            wanted.author = try await ids.account(
                author,
                context,
                findsSellers: true,
                field: "author"
            )
        }
        wanted.priceMin = query.text("priceMin")
        wanted.priceMax = query.text("priceMax")
        wanted.currency = query.text("currency")
        wanted.includesOver = try query.flag("over")
        wanted.payment = query.text("payment")
        wanted.delivery = query.text("delivery")
        wanted.shipsTo = query.text("shipsTo")
        wanted.sort = query.text("sort")
        wanted.near = query.text("near")
        wanted.within = try query.number("within", in: 1...ListingQuery.kilometresMax)
        wanted.starsMin = try query.number("stars", in: 1...5)
        wanted.countsMatches = try query.flag("count")
        wanted.countsFacets = try query.flag("facets")
        if let caller = context.signedIn, try !query.flag("hidden") {
            wanted.hidden = try await curations.hidden(from: caller)
        }
        wanted.reachesOnly = try query.flag("toMe")
        if wanted.reachesOnly {
            wanted.destination = try await addresses.destination(of: try context.account())
        } else if wanted.countsFacets, let caller = context.signedIn {
            // Who has said no place gets the other counts.
            wanted.destination = try? await addresses.destination(of: caller)
        }
        wanted.after = query.text("after")
        wanted.limit = try query.number("limit", default: 20, in: 1...100)
        return reply(.ok, json: try await listings.search(wanted))
    }
    group.get("listings/suggestions") { request, context in
        let text = request.uri.queryParameters.text("search") ?? ""
        return try reply(.ok, try await listings.suggestions(for: text), context)
    }
    group.post("listings") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        let content = try await ids.named(try await request.read(context), context)
        let operation = try await listings.create(content, by: account, key: key, feeMax: fee)
        return try reply(.accepted, operation, context)
    }
    group.post("listings/preview") { request, context in
        let account = try context.account()
        let content = try await ids.named(try await request.read(context), context)
        return try await reply(try await listings.preview(content, by: account), context)
    }
    group.post("listings/{id}/preview") { request, context in
        let account = try context.account()
        let wanted: ListingContent = try await request.read(context)
        let id = try await ids.listing(try context.id(), by: .none)
        let content = try await ids.named(wanted, context)
        let preview = try await listings.preview(editing: id, content, by: account)
        return try await reply(preview, context)
    }
    group.post("listings/{id}/withdraw/preview") { _, context in
        let account = try context.account()
        let id = try await ids.listing(try context.id(), by: .none)
        let preview = try await listings.preview(withdrawing: id, by: account)
        return try await reply(preview, context)
    }
    group.get("listings/{id}") { request, context in
        let isOnSale = try request.flag("onSale")
        let id = try await ids.listing(try context.id(), by: isOnSale ? .onSale : .all)
        var listing = try await listings.listing(id)
        let rivals = try await listings.rivals(of: listing)
        if !rivals.isEmpty {
            listing.rivals = try await reviews.uses(rivals) { try listings.tokenSince(of: $0) }
            listing.tokenSince = try listings.tokenSince(of: listing)
        }
        return try reply(.ok, listing, context)
    }
    group.put("listings/{id}") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let wanted: ListingContent = try await request.read(context)
        let id = try await ids.listing(try context.id(), by: .none)
        let content = try await ids.named(wanted, context)
        let operation = try await listings.edit(id, content, by: account, key: key)
        return try reply(.accepted, operation, context)
    }
    group.delete("listings/{id}") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        let takesOne = try request.flag("acceptsOneSource")
        let id = try await ids.listing(try context.id(), by: .none)
        let operation = try await listings.withdraw(
            id,
            by: account,
            key: key,
            feeMax: fee,
            acceptsOneSource: takesOne
        )
        return try reply(.accepted, operation, context)
    }
}
