import Client
import Hummingbird

/// Adds the routes of the signed-in account's money: `/v1/wallet`.
func addWalletRoutes(
    to group: RouterGroup<APIContext>,
    wallets: Wallets,
    runner: OperationRunner
) {
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
