import Contracts
package import Setup

extension ChainSettings {
    /// Returns the market of the chain; `nil` without one.
    ///
    /// - Throws: ``DeploymentError``, which states the next step.
    func deployedMarket() throws -> DeployedMarket? {
        guard isFollowed else { return nil }
        let market = try DeployedMarket(file: deployment, chain: id)
        if let difference = market.unproven(SaleKinds.standard.contracts) {
            throw DeploymentError.notGenuine(path: deployment, difference: difference)
        }
        return market
    }
}

extension Configuration {
    /// Checks that each market's file can be read, is genuine and is of the configured chain.
    ///
    /// - Throws: ``DeploymentError``, which states the next step.
    package func checkDeployment() throws {
        for chain in chains { _ = try chain.deployedMarket() }
    }
}
