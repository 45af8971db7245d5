import NIOHTTP1

/// Favourites and the cart, which the node keeps for the account and shows nobody else.
extension StoaClient {
    /// Returns one page of the account's favourites, the last saved first.
    ///
    /// At most `limit` of them, which is at most 100, after the ``Page/next`` of the page before.
    public func favourites(limit: Int = 20, after: String? = nil) async throws -> Page<SavedListing>
    {
        try await get("favourites", [("limit", String(limit)), ("after", after)])
    }

    /// Saves a listing among the account's favourites.
    public func favour(_ listing: String) async throws -> SavedListing {
        let path = "favourites/\(try Call.part(listing))"
        return try await exchange.perform(try call(.PUT, path, nil, nil))
    }

    /// Removes a listing from the account's favourites.
    public func unfavour(_ listing: String) async throws {
        let path = "favourites/\(try Call.part(listing))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }

    /// Returns the account's cart.
    public func cart() async throws -> Cart { try await get("cart") }

    /// Puts a listing into the cart, or takes it out with a quantity of 0.
    public func put(
        inCart listing: String,
        _ quantity: CartQuantity = CartQuantity()
    ) async throws -> Cart {
        let path = "cart/\(try Call.part(listing))"
        return try await exchange.perform(try call(.PUT, path, quantity, nil))
    }

    /// Takes a listing out of the cart.
    public func remove(fromCart listing: String) async throws {
        let path = "cart/\(try Call.part(listing))"
        try await exchange.perform(try call(.DELETE, path, nil, nil))
    }
}
