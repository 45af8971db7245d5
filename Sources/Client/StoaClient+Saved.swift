/// Favourites and the cart, which the node stores for the account and shows to nobody else.
extension StoaClient {
    /// Returns one page of the account's favourites, the last saved first.
    ///
    /// At most `limit` of them, which is at most 100, after the ``Page/next`` of the page before.
    public func favourites(limit: Int = 20, after: String? = nil) async throws -> Page<SavedListing>
    {
        try await call(API.saved.favourites, query: [Query.limit(limit), Query.after(after)])
    }

    /// Saves a listing among the account's favourites.
    public func favour(_ listing: String) async throws -> SavedListing {
        try await call(API.saved.favour, at: listing)
    }

    /// Removes a listing from the account's favourites.
    public func unfavour(_ listing: String) async throws {
        try await call(API.saved.unfavour, at: listing)
    }

    /// Returns the account's cart.
    public func cart() async throws -> Cart { try await call(API.saved.cart) }

    /// Puts a listing into the cart, or takes it out with a quantity of 0.
    public func put(
        inCart listing: String,
        _ quantity: CartQuantity = CartQuantity()
    ) async throws -> Cart {
        try await call(API.saved.putInCart, at: listing, quantity)
    }

    /// Removes a listing from the cart.
    public func remove(fromCart listing: String) async throws {
        try await call(API.saved.removeFromCart, at: listing)
    }
}
