import BigInt
package import Client
import Contracts
import Foundation
package import Keys
import Market
import Setup

extension Client.Sale {
    /// A sale as the API shows it to `account` at the chain's present time.
    package init(
        _ view: SaleView,
        listing: String?,
        for account: Address?,
        in saleIndex: SaleIndex
    ) {
        let sale = view.sale
        let time = saleIndex.time ?? sale.position.time
        self.init(
            id: sale.id.description,
            kind: sale.kind.rawValue,
            chain: sale.reference.contract.chain.number,
            contract: sale.reference.contract.address.checksummed,
            listing: listing,
            phase: sale.status.name,
            stage: sale.stage.rawValue,
            seller: sale.seller.checksummed,
            buyer: sale.buyer?.checksummed,
            item: sale.state.item?.decimal,
            maker: sale.state.item.flatMap { _ in sale.state.maker?.checksummed },
            isResale: saleIndex.isResale(sale),
            price: Money(sale.price, sale.currency),
            since: sale.since.date,
            history: sale.history.map { Step($0, saleIndex.explorer) },
            payouts: sale.state.payouts?.map { Payout($0) },
            actions: account.map { saleIndex.actions(in: view, for: $0, at: time) } ?? [],
            deadline: sale.state.deadline(after: time).map { Deadline($0) },
            confirmations: view.confirmations,
            confirmationsNeeded: view.confirmationsNeeded,
            confirmedBy: view.confirmedBy,
            restsOnOneSource: view.restsOnOneSource,
            warnings: view.warnings
        )
        asOf = time.date
        saleIndex.service(for: sale).show(sale, at: time, for: account, in: &self)
        let registry = saleIndex.deployment.registry
        status = words(in: registry)
        for place in actions.indices {
            actions[place].consequence = actions[place].consequence.written(in: registry)
        }
    }
}

extension Client.Sale.Step {
    fileprivate init(_ step: SaleStep, _ explorer: ExplorerLink?) {
        self.init(
            move: step.move.name,
            by: step.move.account.checksummed,
            at: step.time.date,
            transaction: step.transaction.hex,
            link: explorer?.url(of: step.transaction)
        )
    }
}

extension Client.Sale.Payout {
    fileprivate init(_ payout: SalePayout) {
        self.init(
            role: payout.role,
            account: payout.account.checksummed,
            amount: payout.amount.decimal
        )
    }
}

extension Client.Sale.Deadline {
    init(_ deadline: SaleDeadline) {
        self.init(at: deadline.at.date, consequence: deadline.consequence)
    }
}

extension Money {
    init(_ amount: Amount, _ currency: Currency) {
        self.init(amount: amount.decimal, currency: currency.name)
    }
}

extension ChainTime {
    var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
}
