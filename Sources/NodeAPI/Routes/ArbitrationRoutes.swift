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
    group.on(API.reputation.arbitrate, preview: API.reputation.previewArbitrate) {
        let wanted = try await $0.body
        return try market.chain(entered: wanted.chain).arbiters.register(wanted, by: $1)
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
