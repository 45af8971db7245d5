import Client
import Hummingbird

/// Adds the routes of sales and the moves in them: `/v1/sales`.
func addSaleRoutes(
    to group: RouterGroup<APIContext>,
    sales: Sales,
    delivery: DeliveryNotes,
    ids: IDResolver
) {
    group.get("sales") { request, context in
        let account = try context.account()
        let query = request.uri.queryParameters
        let page = try await sales.sales(
            of: account,
            on: query["list"].map(String.init),
            in: query["phase"].map(String.init),
            after: query["after"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.post("sales/preview") { request, context in
        let account = try context.account()
        var purchase: Client.Purchase = try await request.read(context)
        purchase.listing = try await ids.listing(purchase.listing, by: .onSale)
        let notes = await delivery.notes(for: purchase, by: account)
        let preview = try await sales.preview(purchase, by: account, notes: notes)
        return try await reply(preview, context)
    }
    group.post("sales") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        var purchase: Client.Purchase = try await request.read(context)
        // Words of a title are accepted only for a sale that the buyer was shown.
        purchase.listing = try await ids.listing(
            purchase.listing,
            by: purchase.sale == nil ? .none : .onSale
        )
        let operation = try await sales.buy(
            purchase,
            by: account,
            notes: await delivery.notes(for: purchase, by: account),
            key: key,
            feeMax: fee
        )
        return try reply(.accepted, operation, context)
    }
    group.get("sales/{id}") { _, context in
        let id = try ids.sale(try context.id(), context)
        let account = context.signedIn
        var sale = try await sales.sale(id, for: account)
        sale.deliveryAddress = await delivery.address(forSale: id, shownTo: account)
        return try reply(.ok, sale, context)
    }
    group.post("sales/{id}/moves/preview") { request, context in
        let account = try context.account()
        let id = try ids.sale(try context.id(), context)
        let move: Client.SaleMove = try await request.read(context)
        return try await reply(try await sales.preview(id, move, by: account), context)
    }
    group.post("sales/{id}/moves") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        // Words of a title are for the preview, which shows what they found.
        let id = try ids.sale(try context.id(), context, takesTitles: false)
        let move: Client.SaleMove = try await request.read(context)
        let operation = try await sales.move(id, move, by: account, key: key, feeMax: fee)
        return try reply(.accepted, operation, context)
    }
}
