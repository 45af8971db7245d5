import Client
import Hummingbird
import Keys
import Trade

/// Adds the handlers of the terms on which accounts are arbiters.
func addArbitrationRoutes(
    to group: RouterGroup<APIContext>,
    market: MarketServices,
    ids: IDResolver
) {
    group.on(API.reputation.arbitration) { request in
        var account = try request.account.checksummed
        if let named = try request[Query.account] {
            account = try await ids.account(
                named,
                request.context,
                findsSellers: true,
                field: "account"
            )
        }
        return try await market.terms(of: account, on: request[Query.chain])
    }
    group.on(API.reputation.previewArbitrate) { request in
        let (account, wanted) = (try request.account, try await request.body)
        return try await market.chain(entered: wanted.chain).arbiters
            .preview(wanted, by: account)
    }
    group.on(API.reputation.arbitrate) { request in
        let (account, key, fee) = (try request.account, try request.key, try request.feeMax)
        let wanted = try await request.body
        return try await market.chain(entered: wanted.chain).arbiters
            .register(wanted, by: account, key: key, feeMax: fee)
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
