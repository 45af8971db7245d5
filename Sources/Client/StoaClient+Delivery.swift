/// Delivery addresses, and messages between buyer and seller about delivery.
extension StoaClient {
    /// Returns which parts of the account this node has found, which not, and why.
    public func recovery() async throws -> RecoveryReport {
        try await call(API.accounts.recovery)
    }

    /// Returns the account's delivery address, which only its own nodes know.
    public func deliveryAddress() async throws -> DeliveryAddress {
        try await call(API.saved.address)
    }

    /// Replaces the account's delivery address; an empty one removes it.
    public func set(_ address: DeliveryAddress) async throws -> DeliveryAddress {
        try await call(API.saved.setAddress, address)
    }

    /// Sends the seller of a sale the address to which the item goes, sealed.
    public func disclose(
        _ disclosure: AddressDisclosure,
        forSale sale: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.sales.disclose, at: sale, disclosure, key: key)
    }

    /// Ships to one buyer whatever the limits of one of the account's listings say.
    public func allow(
        _ exception: ShippingException,
        for listing: String,
        key: IdempotencyKey = IdempotencyKey()
    ) async throws -> Message {
        try await call(API.listings.exempt, at: listing, exception, key: key)
    }
}
