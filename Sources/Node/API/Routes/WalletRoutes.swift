import Answers
import Client
import Hummingbird
import Setup

/// Adds the routes of the signed-in account's money: `/v1/wallet`.
func addWalletRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    ids: IDResolver
) {
    group.get("currencies") { request, context in
        let chain = try request.chain()
        let chains = chain == nil ? market.chains : [try market.chain(entered: chain)]
        return try reply(.ok, chains.flatMap(\.wallets.currencies), context)
    }
    group.get("wallet/history") { request, context in
        let account = try context.account()
        let page = try await market.chain(entered: try request.chain()).history.page(
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
        let wallets = try market.wallets(entered: wanted.chain, for: wanted.currency)
        let preview = try await wallets.preview(wanted, to: receiver, of: account)
        return try await reply(preview, context)
    }
    group.post("wallet/send") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        var wanted: Transfer = try await request.read(context)
        wanted.to = try await ids.receiver(wanted.to, context).account
        let wallets = try market.wallets(entered: wanted.chain, for: wanted.currency)
        let operation = try await wallets.send(wanted, by: account, key: key, feeMax: fee)
        return try reply(.accepted, operation, context)
    }
    group.get("wallet") { request, context in
        let account = try context.account()
        let wallets = try market.chain(entered: try request.chain()).wallets
        return try reply(.ok, try await wallets.wallet(of: account), context)
    }
    group.post("wallet/collect/preview") { request, context in
        let account = try context.account()
        let wanted: CreditCollection = try await request.read(context)
        let wallets = try market.wallets(entered: wanted.chain, for: wanted.currency)
        return try await reply(try await wallets.preview(wanted, of: account), context)
    }
    group.post("wallet/collect") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        let wanted: CreditCollection = try await request.read(context)
        let wallets = try market.wallets(entered: wanted.chain, for: wanted.currency)
        let operation = try await wallets.collect(wanted, by: account, key: key, feeMax: fee)
        return try reply(.accepted, operation, context)
    }
    group.post("wallet/acknowledge") { _, context in
        try await market.runner.acknowledgeForeignUse(by: try context.account())
        return Response(status: .noContent)
    }
}

extension Request {
    /// Returns the id of the chain that the query names, if it names one.
    ///
    /// - Throws: ``Refusal`` with `malformed_value`.
    func chain() throws(Refusal) -> UInt64? {
        guard let text = uri.queryParameters.text("chain") else { return nil }
        guard let number = UInt64(text), number > 0 else {
            throw Refusal(
                .malformedValue,
                "\(text.quoted) is not the id of a chain, which is a number such as 1 or 8217.",
                field: "chain"
            )
        }
        return number
    }
}
