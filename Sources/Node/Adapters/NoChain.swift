import Keys
import Market

/// The chain view of a node that is connected to no chain: nothing is anchored there.
struct NoChain: ChainView {
    func role(of contract: ContractReference) -> ContractRole { .foreign }
    func sale(_ sale: SaleReference) -> Sale? { nil }
    func isParty(_ account: Address) -> Bool { false }
}
