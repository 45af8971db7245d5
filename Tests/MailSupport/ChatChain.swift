package import Keys
package import Market
package import Synchronization

/// A chain that shows who is a party to some sale, and the sales that a test adds.
package final class ChatChain: ChainView, Sendable {
    package let parties = Mutex<Set<Address>>([])
    package let sales = Mutex<[SaleReference: Market.Sale]>([:])

    package init() {}

    package func role(of contract: ContractReference) -> ContractRole { .foreign }
    package func sale(_ sale: SaleReference) -> Market.Sale? { sales.withLock { $0[sale] } }
    package func isParty(_ account: Address) -> Bool { parties.withLock { $0.contains(account) } }
}
