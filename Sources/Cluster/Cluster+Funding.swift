import Contracts
import Keys
import Market
import Trade

/// Play money for accounts.
extension Cluster {
    /// The token of play money that a market can be deployed with.
    static let playMoney = MarketPlan.TestToken(name: "Test Dollar", symbol: "TST", decimals: 6)
    private static let unitsMax: UInt64 = 1_000_000

    /// Sends an account play money from the development chain's faucet.
    ///
    /// - Parameters:
    ///   - account: Its address, or its name on a node of the cluster.
    ///   - ether: The amount, in ether.
    /// - Returns: The account's address.
    /// - Throws: ``ClusterError``
    @discardableResult
    package func fund(_ account: String, ether: UInt64) async throws -> String {
        let address = try await address(of: account)
        try await DevChainCall(endpoint: plan.chain.endpoint).fund(address, ether: ether)
        return address
    }

    /// Makes units of the market's test token for an account.
    ///
    /// - Parameters:
    ///   - account: Its address, or its name on a node of the cluster.
    ///   - tokens: The amount, in whole units of the token.
    /// - Returns: The account's address.
    /// - Throws: ``ClusterError``
    @discardableResult
    package func fund(_ account: String, tokens: UInt64) async throws -> String {
        guard (1...Self.unitsMax).contains(tokens) else { throw ClusterError.badTokenUnits }
        let token = try testToken()
        let scale = (0..<Self.playMoney.decimals).reduce(UInt64(1)) { product, _ in product * 10 }
        let address = try await address(of: account)
        try await DevChainCall(endpoint: plan.chain.endpoint)
            .mint(tokens * scale, of: token, to: address)
        return address
    }

    /// Returns the address of the market's test token.
    ///
    /// - Throws: ``ClusterError/noTestToken(folder:)`` if it was deployed without one.
    func testToken() throws -> Address {
        let market = try DeployedMarket(file: deploymentFile, chain: ChainID(plan.chain.id))
        let token = market.tokens.first { token in
            token.symbol == Self.playMoney.symbol && token.name == Self.playMoney.name
                && token.decimals == Self.playMoney.decimals
        }
        guard plan.chain.command != nil, let token else {
            throw ClusterError.noTestToken(folder: folder)
        }
        return token.address
    }
}
