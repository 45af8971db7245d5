package import Keys
package import Market
package import Synchronization

/// A chain that shows nothing but who is a party to some sale.
package final class ChatChain: ChainView, Sendable {
    package let parties = Mutex<Set<Address>>([])

    package init() {}

    package func role(of contract: ContractReference) -> ContractRole { .foreign }
    package func sale(_ sale: SaleReference) -> Market.Sale? { nil }
    package func isParty(_ account: Address) -> Bool { parties.withLock { $0.contains(account) } }
}
