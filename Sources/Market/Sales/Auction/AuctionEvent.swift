package import Keys

/// An event of the auction contract about one auction, decoded, with its position.
package struct AuctionEvent: MoneyEvent {
    package let sale: SaleID
    package let position: EventPosition
    package let change: Change

    package init(sale: SaleID, position: EventPosition, change: Change) {
        (self.sale, self.position, self.change) = (sale, position, change)
    }

    package var move: ReportedMove? {
        switch change {
        case .listed(let listing, _): ReportedMove(AuctionMove.list.name, by: listing.offer.seller)
        case .bidPlaced(let bid, _): ReportedMove(AuctionMove.bid.name, by: bid.bidder)
        case .ended(let end):
            ReportedMove((end.status == .aborted ? AuctionMove.abort : .end).name, by: end.by)
        case .outbid, .creditUsed, .credited: nil
        }
    }

    /// `false` for a bid, because a bidder could make one in every block.
    ///
    /// The contract takes a higher bid and the end in any block, whatever bids precede them.
    package var changesMoves: Bool {
        switch change {
        case .listed, .ended: true
        case .outbid, .bidPlaced, .creditUsed, .credited: false
        }
    }

    package var credit: ContractMoney.Credit? {
        if case .credited(let credit) = change { credit } else { nil }
    }

    package var usedCredit: ContractMoney.Credit? {
        if case .creditUsed(let credit) = change { credit } else { nil }
    }

    /// The change, with the names of the contract's events.
    ///
    /// The events' own `at` is the position's time.
    ///
    /// Source: Sources/Contracts/Vyper/Auction.vy; Docs/contracts.md, section 10.
    package enum Change: MoneyChange {
        case listed(ItemListing<AuctionTerms>, ends: ChainTime)
        /// The bid that was the highest is a credit; a higher bid follows in the transaction.
        case outbid(AuctionBid)
        case bidPlaced(AuctionBid, ends: ChainTime)
        /// Follows `bidPlaced` if the bidder paid the bid partly or wholly with a credit.
        case creditUsed(ContractMoney.Credit)
        case ended(ItemSaleEnd<AuctionStatus>)
        /// Follows `outbid` once, and `ended` once for each part of the payout that is not zero.
        case credited(ContractMoney.Credit)
    }
}

/// A bid, which its bidder paid in full.
package struct AuctionBid: Hashable, Sendable {
    package let bidder: Address
    package let amount: Amount

    package init(bidder: Address, amount: Amount) {
        (self.bidder, self.amount) = (bidder, amount)
    }
}
