package import Keys

/// What this node's own chain connection shows as final, as far as records need it.
package protocol ChainView {
    /// Tells whether the contract is one of this market's configured deployments.
    func isDeployment(_ contract: ContractReference) -> Bool

    /// The sale as the final blocks leave it; `nil` if they do not show it (yet).
    func sale(_ sale: SaleReference) -> SaleState?

    /// Tells whether the account acted in any final sale, see ``SaleState/parties``.
    func isParty(_ account: Address) -> Bool

    /// In how many final sales the account acted.
    func saleCount(of account: Address) -> Int
}

extension ChainView {
    /// One for any party: for views that do not count.
    package func saleCount(of account: Address) -> Int { isParty(account) ? 1 : 0 }
}
