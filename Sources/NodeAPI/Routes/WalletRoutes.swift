import Client
import Hummingbird
import Trade

/// Adds the handlers of the signed-in account's money.
func addWalletRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    ids: IDResolver
) {
    group.on(API.wallet.currencies) { request in
        let chain = try request[Query.chain]
        let chains = chain == nil ? market.chains : [try market.chain(entered: chain)]
        return chains.flatMap(\.wallets.currencies)
    }
    group.on(API.wallet.history) { request in
        let account = try request.account
        return try await market.chain(entered: request[Query.chain]).history.page(
            of: account,
            after: request[Query.after],
            limit: request[Query.limit]
        )
    }
    group.on(API.wallet.previewSend) { request in
        let (account, wanted) = (try request.account, try await request.body)
        let receiver = try await ids.receiver(wanted.to, request.context)
        return try await market.wallets(entered: wanted.chain, for: wanted.currency)
            .preview(wanted, to: receiver, of: account)
    }
    group.on(API.wallet.send) { request in
        let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
        var wanted = try await request.body
        wanted.to = try await ids.receiver(wanted.to, request.context).account
        return try await market.wallets(entered: wanted.chain, for: wanted.currency)
            .send(wanted, by: account, key: key, feeMax: fee)
    }
    group.on(API.listings.previewGive) { request in
        let (account, gift) = (try request.account, try await request.body)
        let receiver = try await ids.receiver(gift.to, request.context)
        let wallets = try market.chain(entered: gift.chain).wallets
        return try await wallets.preview(gift, to: receiver, of: account)
    }
    group.on(API.listings.give) { request in
        let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
        var gift = try await request.body
        gift.to = try await ids.receiver(gift.to, request.context).account
        let wallets = try market.chain(entered: gift.chain).wallets
        return try await wallets.give(gift, by: account, key: key, feeMax: fee)
    }
    group.on(API.wallet.wallet) { request in
        let account = try request.account
        return try await market.chain(entered: request[Query.chain]).wallets.wallet(of: account)
    }
    group.on(API.wallet.previewCollect) { request in
        let (account, wanted) = (try request.account, try await request.body)
        return try await market.wallets(entered: wanted.chain, for: wanted.currency)
            .preview(wanted, of: account)
    }
    group.on(API.wallet.collect) { request in
        let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
        let wanted = try await request.body
        return try await market.wallets(entered: wanted.chain, for: wanted.currency)
            .collect(wanted, by: account, key: key, feeMax: fee)
    }
    group.perform(API.wallet.acknowledge) { request in
        try await market.runner.acknowledgeForeignUse(by: request.account)
    }
}
