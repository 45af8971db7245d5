import Client
import Hummingbird

/// Sales and the moves in them: `/v1/sales`.
func addSaleRoutes(to group: RouterGroup<APIContext>, sales: Sales) {
    group.get("sales") { request, context in
        let account = try context.account()
        let query = request.uri.queryParameters
        let page = try await sales.sales(
            of: account,
            in: query["phase"].map(String.init),
            after: query["after"].map(String.init),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.post("sales/preview") { request, context in
        let account = try context.account()
        let purchase: Client.Purchase = try await request.read(context)
        return try reply(.ok, try await sales.preview(purchase, by: account), context)
    }
    group.post("sales") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let purchase: Client.Purchase = try await request.read(context)
        let operation = try await sales.buy(purchase, by: account, key: key)
        return try reply(.accepted, operation, context)
    }
    group.get("sales/{id}") { _, context in
        let id = try context.id()
        let sale = try await sales.sale(id, for: context.signedIn)
        return try reply(.ok, sale, context)
    }
    group.post("sales/{id}/moves") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let id = try context.id()
        let move: Client.SaleMove = try await request.read(context)
        let operation = try await sales.move(id, move, by: account, key: key)
        return try reply(.accepted, operation, context)
    }
}
