package import Keys

/// The end of a sale of one item, as the contract's `Ended` reports it.
package struct ItemSaleEnd<Status: SaleStatus>: Hashable, Sendable {
    package let seller: Address
    /// The zero address if there was no buyer.
    package let buyer: Address
    package let status: Status
    /// The account that made the move.
    package let by: Address
    package let tokenTo: Address
    package let maker: Address
    package let payout: ItemPayout

    /// Creates an end from an event's members.
    ///
    /// - Parameters:
    ///   - seller: The account that listed.
    ///   - buyer: The account that bought; the zero address if none did.
    ///   - status: The final status.
    ///   - by: The account that made the move.
    ///   - tokenTo: The account that received the token.
    ///   - maker: The token's maker, who receives the royalty.
    ///   - payout: The division of the price.
    package init(
        seller: Address,
        buyer: Address,
        status: Status,
        by: Address,
        tokenTo: Address,
        maker: Address,
        payout: ItemPayout
    ) {
        self.seller = seller
        self.buyer = buyer
        self.status = status
        self.by = by
        self.tokenTo = tokenTo
        self.maker = maker
        self.payout = payout
    }

    /// Checks everything except who may end the sale, when and how.
    ///
    /// - Parameters:
    ///   - listing: The sale's listing.
    ///   - buyer: The account that the token must go to; `nil` if it returns to the seller.
    ///   - price: The amount that the buyer paid.
    ///   - fees: The deployment's fees.
    /// - Throws: ``SaleFault/wrongAccount`` or ``SaleFault/wrongPayout``.
    func check(
        _ listing: ItemListing<some ItemTerms>,
        buyer: Address?,
        price: Amount,
        fees: MarketFees
    ) throws(SaleFault) {
        let seller = listing.offer.seller
        guard self.seller == seller, self.buyer == buyer ?? .zero, tokenTo == buyer ?? seller,
            maker == listing.offer.maker
        else { throw .wrongAccount }
        let payout = buyer == nil ? ItemPayout.none : ItemPayout(of: price, fees: fees)
        guard self.payout == payout else { throw .wrongPayout }
    }

    /// The parts of the payout in the contract's order, without parts of zero.
    func parts(fees: MarketFees) -> [SalePayout] {
        [
            SalePayout(role: "seller", account: seller, amount: payout.seller),
            SalePayout(role: "platform", account: fees.platform, amount: payout.platform),
            SalePayout(role: "maker", account: maker, amount: payout.maker),
        ].filter { !$0.amount.isZero }
    }
}

/// How a sale ended, and when.
package struct ItemSaleEnding<Status: SaleStatus>: Hashable, Sendable {
    package let event: ItemSaleEnd<Status>
    package let at: ChainTime

    package var buyer: Address? { event.buyer == .zero ? nil : event.buyer }
}
