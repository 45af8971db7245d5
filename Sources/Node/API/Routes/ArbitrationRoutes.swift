import Client
import Hummingbird
import Keys

/// Adds the routes of the terms on which accounts are arbiters: `/v1/arbitration`.
func addArbitrationRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    ids: IDResolver
) {
    group.get("arbitration") { request, context in
        let own = try context.account()
        guard let named = request.uri.queryParameters["account"] else {
            let found = try await market.terms(of: own.checksummed, on: try request.chain())
            return try reply(.ok, found, context)
        }
        let account = try await ids.account(
            String(named),
            context,
            findsSellers: true,
            field: "account"
        )
        return try reply(
            .ok,
            try await market.terms(of: account, on: try request.chain()),
            context
        )
    }
    group.post("arbitration/preview") { request, context in
        let account = try context.account()
        let wanted: Arbitration = try await request.read(context)
        let arbiters = try market.chain(entered: wanted.chain).arbiters
        return try await reply(try await arbiters.preview(wanted, by: account), context)
    }
    group.post("arbitration") { request, context in
        let account = try context.account()
        let key = try request.idempotencyKey()
        let fee = request.feeMax
        let wanted: Arbitration = try await request.read(context)
        let arbiters = try market.chain(entered: wanted.chain).arbiters
        let begun = try await arbiters.register(wanted, by: account, key: key, feeMax: fee)
        return try reply(.accepted, begun, context)
    }
}

extension MarketServices {
    /// Returns the terms of an arbiter on the chain that is named, or on all chains.
    fileprivate func terms(of account: String, on chain: UInt64?) async throws -> [Arbitration] {
        guard chain == nil else {
            return try await self.chain(entered: chain).arbiters.terms(of: account)
        }
        var found: [Arbitration] = []
        for chain in chains { found += try await chain.arbiters.terms(of: account) }
        return found
    }
}
