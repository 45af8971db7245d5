package import Keys

/// The final state of the chain as this node sees it, as far as records need it.
package protocol ChainView {
    /// Returns a contract's role in this market.
    func role(of contract: ContractReference) -> ContractRole

    /// Returns the sale's state in the final blocks; `nil` if they do not show it, or not yet.
    func sale(_ sale: SaleReference) -> Sale?

    /// Returns a chain's time; `nil` if no block of it is seen.
    func time(of chain: ChainID) -> ChainTime?

    /// Whether the account acted in any final sale, see ``SaleState/parties``.
    func isParty(_ account: Address) -> Bool

    /// Whether the account acted in any final sale on this chain.
    func isParty(_ account: Address, on chain: ChainID) -> Bool

    /// Returns the number of final sales in which the account acted.
    func saleCount(of account: Address) -> Int
}

extension ChainView {
    /// Returns `nil`, for views without a chain.
    package func time(of chain: ChainID) -> ChainTime? { nil }

    /// Returns the same for each chain, for views of a single one.
    package func isParty(_ account: Address, on chain: ChainID) -> Bool { isParty(account) }

    /// Returns 1 for any party, for views that do not count.
    package func saleCount(of account: Address) -> Int { isParty(account) ? 1 : 0 }
}

/// A contract's role in a market.
package enum ContractRole: Hashable, Sendable {
    /// Its sales are of this kind, and this node follows them.
    case sells(SaleKind)
    /// The market names it, but this program does not know its kind of sale.
    case unknownKind(SaleKind)
    /// The market does not name it.
    case foreign
}
