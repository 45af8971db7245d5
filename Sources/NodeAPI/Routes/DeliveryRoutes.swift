import Client
import Hummingbird
import Trade

/// Adds the handlers of delivery addresses.
func addAddressRoutes(to group: RouterGroup<APIContext>, addresses: DeliveryAddresses) {
    group.on(API.saved.address) { try await addresses.address(of: $0.account) }
    group.on(API.saved.setAddress) { try await addresses.put($0.body, of: $0.account) }
}

/// Adds the handlers for messages between buyers and sellers about delivery.
func addDeliveryRoutes(
    to group: RouterGroup<APIContext>,
    mail: SaleMail,
    ids: IDResolver
) {
    group.on(API.sales.disclose) { request in
        let (account, key) = (try request.account, try request.key)
        let draft = try await request.body
        let id = try ids.sale(request.id, request.context, takesTitles: false)
        return try await mail.addresses.disclose(draft, for: id, by: account, key: key)
    }
    group.perform(API.sales.sent) { request in
        let account = try request.account
        let notice = try await request.body
        let id = try ids.sale(request.id, request.context, takesTitles: false)
        try await mail.sentNotices.tell(notice, for: id, by: account)
    }
    group.on(API.listings.exempt) { request in
        let (account, key) = (try request.account, try request.key)
        var draft = try await request.body
        let id = try await ids.listing(request.id, by: .none, preferring: account)
        draft.buyer = try await ids.account(draft.buyer, request.context, field: "buyer")
        return try await mail.exceptions.grant(id, to: draft, by: account, key: key)
    }
}
