import Client
import Hummingbird

/// Adds the routes of the signed-in account's money: `/v1/wallet`.
func addWalletRoutes(
    to group: RouterGroup<APIContext>,
    wallets: Wallets,
    history: WalletHistory,
    runner: OperationRunner,
    ids: IDResolver
) {
    group.get("currencies") { _, context in
        try reply(.ok, wallets.currencies, context)
    }
    group.get("wallet/history") { request, context in
        let account = try context.account()
        let page = try await history.page(
            of: account,
            after: request.uri.queryParameters.text("after"),
            limit: try request.number("limit", default: 20, in: 1...100)
        )
        return try reply(.ok, page, context)
    }
    group.post("wallet/send/preview") { request, context in
        let account = try context.account()
        let wanted: Transfer = try await request.read(context)
        let receiver = try await ids.receiver(wanted.to, context)
        return try reply(.ok, try await wallets.preview(wanted, to: receiver, of: account), context)
    }
    group.post("wallet/send") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        var wanted: Transfer = try await request.read(context)
        wanted.to = try await ids.receiver(wanted.to, context).account
        let operation = try await wallets.send(wanted, by: account, key: key, feeMax: fee)
        return try reply(.accepted, operation, context)
    }
    group.get("wallet") { _, context in
        let account = try context.account()
        return try reply(.ok, try await wallets.wallet(of: account), context)
    }
    group.post("wallet/collect/preview") { request, context in
        let account = try context.account()
        let wanted: CreditCollection = try await request.read(context)
        return try reply(.ok, try await wallets.preview(wanted, of: account), context)
    }
    group.post("wallet/collect") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        let wanted: CreditCollection = try await request.read(context)
        let operation = try await wallets.collect(wanted, by: account, key: key, feeMax: fee)
        return try reply(.accepted, operation, context)
    }
    group.post("wallet/acknowledge") { _, context in
        try await runner.acknowledgeForeignUse(by: try context.account())
        return Response(status: .noContent)
    }
}
