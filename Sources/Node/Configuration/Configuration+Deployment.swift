import Contracts
import Market

extension Configuration {
    /// Returns the configured market; `nil` for a node without a chain.
    ///
    /// - Throws: ``DeploymentError``, which says what to do next.
    func deployedMarket() throws -> DeployedMarket? {
        guard !chainDeployment.isEmpty else { return nil }
        let market = try DeployedMarket(file: chainDeployment, chain: ChainID(chainID))
        if let difference = market.unproven(SaleKinds.standard.contracts) {
            throw DeploymentError.notGenuine(path: chainDeployment, difference: difference)
        }
        return market
    }

    /// Checks that the market's file can be read, is genuine and is of the configured chain.
    ///
    /// - Throws: ``DeploymentError``, which says what to do.
    package func checkDeployment() throws { _ = try deployedMarket() }
}
