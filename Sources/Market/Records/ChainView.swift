package import Keys

/// The final state of the chain as this node sees it, as far as records need it.
package protocol ChainView {
    /// Whether the contract is one of this market's configured deployments.
    func isDeployment(_ contract: ContractReference) -> Bool

    /// Returns the sale's state in the final blocks; `nil` if they do not show it, or not yet.
    func sale(_ sale: SaleReference) -> EscrowSale?

    /// Whether the account acted in any final sale, see ``EscrowSale/parties``.
    func isParty(_ account: Address) -> Bool

    /// Returns the number of final sales in which the account acted.
    func saleCount(of account: Address) -> Int
}

extension ChainView {
    /// Returns 1 for any party, for views that do not count.
    package func saleCount(of account: Address) -> Int { isParty(account) ? 1 : 0 }
}
