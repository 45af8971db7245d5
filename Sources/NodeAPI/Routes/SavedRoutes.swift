import Client
import Hummingbird
import Trade

/// Adds the handlers of favourites and of the cart.
func addSavedRoutes(
    to group: RouterGroup<APIContext>,
    favourites: Favourites,
    carts: Carts,
    ids: IDResolver
) {
    group.on(API.saved.favourites) { request in
        try await favourites.page(
            of: request.account,
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.saved.favour) { request in
        try await favourites.add(ids.listing(request.id, by: .all), by: request.account)
    }
    group.perform(API.saved.unfavour) { request in
        try await favourites.remove(request.id, by: request.account)
    }
    group.on(API.saved.cart) { try await carts.cart(of: $0.account) }
    group.on(API.saved.putInCart) { request in
        let (account, body) = (try request.account, try await request.body)
        let id = body.quantity == 1 ? try await ids.listing(request.id, by: .all) : try request.id
        return try await carts.put(id, quantity: body.quantity, by: account)
    }
    group.perform(API.saved.removeFromCart) { request in
        try await carts.remove(request.id, by: request.account)
    }
}
