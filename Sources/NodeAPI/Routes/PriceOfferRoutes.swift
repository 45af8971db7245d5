import Client
import Hummingbird
import Trade

/// Adds the handlers of buyers' offers to buy at other prices.
func addPriceOfferRoutes(
    to group: RouterGroup<APIContext>,
    offers: PriceOffers,
    market: MarketServices,
    ids: IDResolver
) {
    group.on(API.offers.list) { try await offers.offers(of: $0.account) }
    group.on(API.offers.make) { request in
        let (account, key) = (try request.account, try request.key)
        let draft = try await request.body
        let id = try await ids.listing(request.id, by: .none)
        return try await offers.offer(draft, for: id, by: account, key: key)
    }
    group.on(API.offers.previewMake) { request in
        let account = try request.account
        let draft = try await request.body
        let id = try await ids.listing(request.id, by: .none)
        return try await offers.preview(draft, for: id, by: account)
    }
    group.on(API.offers.withdraw) { request in
        let (account, key) = (try request.account, try request.key)
        let id = try await ids.listing(request.id, by: .none)
        return try await offers.withdraw(for: id, by: account, key: key)
    }
    group.on(API.offers.accept, preview: API.offers.previewAccept) { request, account in
        let (id, takesOne) = (try request.id, try request[Query.acceptsOneSource])
        let acceptance = try await request.body
        return try await offers.accept(id, acceptance, by: account, acceptsOneSource: takesOne)
    }
    group.on(API.offers.reopen, preview: API.offers.previewReopen) { request, account in
        let takesOne = try request[Query.acceptsOneSource]
        let id = try await ids.listing(request.id, by: .none, preferring: account)
        return try market.listingPlanner.reopen(id, by: account, acceptsOneSource: takesOne)
    }
}
