import Keys
import Market

/// The chain view of a node that is connected to no chain: nothing is anchored there.
struct NoChain: ChainView {
    func isDeployment(_ contract: ContractReference) -> Bool { false }
    func sale(_ sale: SaleReference) -> EscrowSale? { nil }
    func isParty(_ account: Address) -> Bool { false }
}
