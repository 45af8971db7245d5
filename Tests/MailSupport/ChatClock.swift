import Concurrency
package import Foundation
package import Keys
package import Market
package import Synchronization

/// A clock that stands until it is turned.
package final class ChatClock: WallClock {
    private let time = Mutex(Date(timeIntervalSince1970: 1_763_700_000))

    package init() {}

    package var now: Date { time.withLock { $0 } }

    package func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// A chain that shows nothing but who is a party to some sale.
package final class ChatChain: ChainView, Sendable {
    package let parties = Mutex<Set<Address>>([])

    package init() {}

    package func role(of contract: ContractReference) -> ContractRole { .foreign }
    package func sale(_ sale: SaleReference) -> Market.Sale? { nil }
    package func isParty(_ account: Address) -> Bool { parties.withLock { $0.contains(account) } }
}
