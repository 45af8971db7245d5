import Client
import Hummingbird
import Trade

/// Adds the handlers of sales and the moves in them.
func addSaleRoutes(
    to group: RouterGroup<APIContext>,
    sales: Sales,
    delivery: DeliveryNotes,
    ids: IDResolver
) {
    group.on(API.sales.list) { request in
        try await sales.sales(
            of: request.account,
            on: request[Query.list],
            in: request[Query.phase],
            byDeadline: request[Query.byDeadline],
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.sales.previewBuy) { request in
        let account = try request.account
        var purchase = try await request.body
        purchase.listing = try await ids.listing(purchase.listing, by: .onSale)
        let notes = await delivery.notes(for: purchase, by: account)
        return try await sales.preview(purchase, by: account, notes: notes)
    }
    group.on(API.sales.buy) { request in
        let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
        var purchase = try await request.body
        // Words of a title are accepted only for a sale that the buyer was shown.
        purchase.listing = try await ids.listing(
            purchase.listing,
            by: purchase.sale == nil ? .none : .onSale
        )
        let notes = await delivery.notes(for: purchase, by: account)
        return try await sales.buy(purchase, by: account, notes: notes, key: key, feeMax: fee)
    }
    group.on(API.sales.sale) { request in
        let id = try ids.sale(request.id, request.context)
        let account = request.context.signedIn
        return await delivery.opened(try await sales.sale(id, for: account), for: account)
    }
    group.on(API.sales.previewMove) { request in
        let account = try request.account
        let id = try ids.sale(request.id, request.context)
        let move = try await request.body
        let note = await delivery.note(of: move, by: account)
        return try await sales.preview(id, move, by: account, note: note)
    }
    group.on(API.sales.move) { request in
        let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
        // Words of a title are for the preview, which shows the listings found.
        let id = try ids.sale(request.id, request.context, takesTitles: false)
        let move = try await request.body
        let note = await delivery.note(of: move, by: account)
        return try await sales.move(id, move, by: account, note: note, key: key, feeMax: fee)
    }
}
