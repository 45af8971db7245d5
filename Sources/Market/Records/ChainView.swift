package import Keys

/// What this node's own chain connection shows as final, as far as records need it.
package protocol ChainView {
    /// Tells whether the contract is one of this market's configured deployments.
    func isDeployment(_ contract: ContractReference) -> Bool

    /// The sale as the final blocks leave it; `nil` where they do not show it (yet).
    func sale(_ sale: SaleReference) -> SaleState?

    /// Tells whether the account is seller, buyer or arbiter of any final sale.
    func isParty(_ account: Address) -> Bool
}
