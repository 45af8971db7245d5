/// The division of an item's price at the end of a sale, exact to the smallest unit.
///
/// Nothing but the price is divided, because these sales have no deposits.
///
/// Source: Docs/contracts.md, sections 10 and 11.
package struct ItemPayout: Hashable, Sendable {
    /// The payout of a sale that ends without a buyer.
    package static let none = ItemPayout(seller: .zero, platform: .zero, maker: .zero)

    package let seller: Amount
    package let platform: Amount
    package let maker: Amount

    package init(seller: Amount, platform: Amount, maker: Amount) {
        (self.seller, self.platform, self.maker) = (seller, platform, maker)
    }

    /// Divides `price`: ⌊price × fee / 10,000⌋ to platform and maker each, the remainder to the
    /// seller.
    ///
    /// - Parameters:
    ///   - price: The price, or the highest bid.
    ///   - fees: The deployment's fees.
    package init(of price: Amount, fees: MarketFees) {
        guard let platform = price.portion(basisPoints: fees.platformBasisPoints),
            let maker = price.portion(basisPoints: fees.makerBasisPoints),
            let seller = price.subtracting(platform)?.subtracting(maker)
        else { preconditionFailure("fees are at most 15 % together") }
        self.init(seller: seller, platform: platform, maker: maker)
    }
}
