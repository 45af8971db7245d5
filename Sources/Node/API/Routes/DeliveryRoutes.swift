import Client
import Hummingbird

/// Adds the routes of delivery addresses: `/v1/address`.
func addAddressRoutes(to group: RouterGroup<APIContext>, addresses: DeliveryAddresses) {
    group.get("address") { _, context in
        try reply(.ok, try await addresses.address(of: try context.account()), context)
    }
    group.put("address") { request, context in
        let account = try context.account()
        let address: DeliveryAddress = try await request.read(context)
        return try reply(.ok, try await addresses.put(address, of: account), context)
    }
}

/// Adds the routes by which buyers and sellers tell each other about sending an item.
func addDeliveryRoutes(
    to group: RouterGroup<APIContext>,
    delivery: DeliveryNotes,
    ids: IDResolver
) {
    group.post("sales/{id}/address") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let draft: AddressDisclosure = try await request.read(context)
        let id = try ids.sale(try context.id(), context, takesTitles: false)
        let message = try await delivery.disclose(draft, for: id, by: account, key: key)
        return try reply(.created, message, context)
    }
    group.post("listings/{id}/exceptions") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        var draft: ShippingException = try await request.read(context)
        let id = try await ids.listing(try context.id(), by: .none)
        draft.buyer = try await ids.account(draft.buyer, context, field: "buyer")
        let message = try await delivery.grant(id, to: draft, by: account, key: key)
        return try reply(.created, message, context)
    }
}
