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
    group.on(API.wallet.send, preview: API.wallet.previewSend) { request, account in
        let wanted = try await request.body
        let receiver = try await ids.receiver(wanted.to, request.context)
        return try market.wallets(entered: wanted.chain, for: wanted.currency)
            .send(wanted, to: receiver, by: account)
    }
    group.on(API.listings.give, preview: API.listings.previewGive) { request, account in
        let gift = try await request.body
        let receiver = try await ids.receiver(gift.to, request.context)
        return try market.chain(entered: gift.chain).wallets.give(gift, to: receiver, by: account)
    }
    group.on(API.wallet.wallet) { request in
        let account = try request.account
        return try await market.chain(entered: request[Query.chain]).wallets.wallet(of: account)
    }
    group.on(API.wallet.collect, preview: API.wallet.previewCollect) { request, account in
        let wanted = try await request.body
        return try market.wallets(entered: wanted.chain, for: wanted.currency)
            .collect(wanted, by: account)
    }
    group.perform(API.wallet.acknowledge) { request in
        try await market.replacer.acknowledgeForeignUse(by: request.account)
    }
}
