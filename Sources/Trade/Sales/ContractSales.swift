package import Contracts
package import Market

/// The service of the sales of one contract, whose states and calls have their own types.
package protocol ContractSales: SaleKindService {
    associatedtype State: SaleState
    associatedtype Contract: SaleContract

    /// The contract as the market's file describes it.
    var deployed: DeployedMarket.Contract { get }
    var market: DeployedMarket { get }
}

extension ContractSales {
    package static var fold: any SaleState.Type { State.self }
    package static var contract: any SaleContract.Type { Contract.self }

    package var contract: Contract { Contract(address: deployed.address) }

    /// Needs no other party's consent.
    package func requireListable(_ content: SaleContent, on chain: MarketChain) async throws {}

    /// Returns the state of a sale of this contract.
    func state(of sale: Market.Sale) -> State {
        guard let state = sale.state as? State else {
            preconditionFailure("the registry gives each kind of sale its own service")
        }
        return state
    }

    func text(_ amount: Amount, in currency: Currency) -> String {
        market.registry.text(amount, in: currency)
    }

    /// An amount as a value of a sentence.
    func money(_ amount: Amount, in currency: Currency) -> String {
        amount.value(in: currency, on: market.chain)
    }
}
