import Client
import Contracts
import Keys
import Market
import Storage

extension Store {
    /// Returns the words for what this node does if the buyer of a reserved item does not pay;
    /// `nil` if its seller has not agreed to anything, or for another account.
    nonisolated func ifUnpaid(
        _ sale: Market.Sale,
        for account: Address?,
        in saleIndex: SaleIndex
    ) throws -> [Sentence]? {
        guard account == sale.seller, sale.stage == .offered,
            let until = sale.state.offer?.offer.reservation?.until, let time = saleIndex.time,
            let consent = try read({ try $0.reopeningConsent(to: sale.id, by: sale.seller) }),
            let first = saleIndex.view(of: consent.first)?.sale
        else { return nil }
        let units = saleIndex.deployment.registry
        let price = first.price.value(in: first.currency, on: saleIndex.deployment.chain)
        guard time < until else { return [Sentence("reopening.due", ["price": price], in: units)] }
        return [
            Sentence("reopening.planned", ["price": price, "time": until.value], in: units)
        ]
    }
}
