/// An event of the direct sale contract about one sale, decoded, with its position.
package struct DirectSaleEvent: MoneyEvent {
    package let sale: SaleID
    package let position: EventPosition
    package let change: Change

    package init(sale: SaleID, position: EventPosition, change: Change) {
        (self.sale, self.position, self.change) = (sale, position, change)
    }

    package var move: ReportedMove? {
        switch change {
        case .listed(let listing):
            ReportedMove(DirectSaleMove.list.name, by: listing.offer.seller)
        case .ended(let end):
            ReportedMove((end.status == .sold ? DirectSaleMove.pay : .abort).name, by: end.by)
        case .credited: nil
        }
    }

    package var credit: ContractMoney.Credit? {
        if case .credited(let credit) = change { credit } else { nil }
    }

    /// The change, with the names of the contract's events.
    ///
    /// The events' own `at` is the position's time.
    ///
    /// Source: Sources/Contracts/Vyper/DirectSale.vy; Docs/contracts.md, section 11.
    package enum Change: MoneyChange {
        case listed(ItemListing<DirectSaleTerms>)
        case ended(ItemSaleEnd<DirectSaleStatus>)
        /// Follows the end, once for each part of the payout that is not zero.
        case credited(ContractMoney.Credit)
    }
}
