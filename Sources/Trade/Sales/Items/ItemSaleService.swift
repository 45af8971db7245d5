package import Answers
package import Contracts
import Ethereum
package import Keys
package import Market

/// The service of sales of one item each.
package protocol ItemSaleService: ContractSales where Contract: ItemSaleContract {
    /// Returns the terms of this kind; `nil` for those of another.
    static func terms(in terms: SaleTerms) -> Contract.Terms?
}

extension ItemSaleService {
    package func newSale(
        of content: SaleContent,
        by seller: Address
    ) throws(Refusal) -> PlannedSale {
        guard let terms = Self.terms(in: content.terms) else {
            preconditionFailure("the registry gives each kind of sale its own service")
        }
        let offer = ItemOffer(
            seller: seller,
            salt: content.slot,
            token: content.item?.token,
            maker: content.item?.maker,
            contentHash: content.contentHash,
            promise: content.promise,
            terms: terms
        )
        return PlannedSale(
            sale: offer.sale(in: market.reference(to: deployed)),
            call: PaidCall(
                call: contract.list(offer),
                amount: terms.listingDeposit,
                currency: terms.currency,
                gas: ItemSales.listingGas
            )
        )
    }
}
