import Answers
import Client
import Hummingbird

/// Adds the routes of favourites and of the cart: `/v1/favourites`, `/v1/cart`.
func addSavedRoutes(
    to group: RouterGroup<APIContext>,
    favourites: Favourites,
    carts: Carts,
    ids: IDResolver
) {
    group.get("favourites") { request, context in
        let page = try await favourites.page(
            of: try context.account(),
            after: request.uri.queryParameters.text("after"),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.put("favourites/{id}") { _, context in
        let account = try context.account()
        let id = try await ids.listing(try context.id(), by: .all)
        return try reply(.ok, try await favourites.add(id, by: account), context)
    }
    group.delete("favourites/{id}") { _, context in
        let account = try context.account()
        let id = try await ids.listing(try context.id(), by: .all)
        try await favourites.remove(id, by: account)
        return Response(status: .noContent)
    }
    group.get("cart") { _, context in
        try reply(.ok, try await carts.cart(of: try context.account()), context)
    }
    group.put("cart/{id}") { request, context in
        let account = try context.account()
        let body: CartQuantity = try await request.read(context)
        let id = try await ids.listing(try context.id(), by: .all)
        let cart = try await carts.put(id, quantity: body.quantity, by: account)
        return try reply(.ok, cart, context)
    }
    group.delete("cart/{id}") { _, context in
        let account = try context.account()
        let id = try await ids.listing(try context.id(), by: .all)
        try await carts.remove(id, by: account)
        return Response(status: .noContent)
    }
}
