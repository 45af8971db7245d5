package import Keys

/// An event of the escrow contract about one sale, decoded, with its position.
package struct EscrowEvent: MoneyEvent {
    package let sale: SaleID
    package let position: EventPosition
    package let change: Change

    package init(sale: SaleID, position: EventPosition, change: Change) {
        (self.sale, self.position, self.change) = (sale, position, change)
    }

    package var move: ReportedMove? {
        switch change {
        case .listed(let listing): ReportedMove("list", by: listing.offer.seller)
        case .bought(_, let buyer, _): ReportedMove("buy", by: buyer)
        case .relisted(let seller, _): ReportedMove("relist", by: seller)
        case .itemTransferred(let seller, _, _): ReportedMove("transfer", by: seller)
        case .disputed(let buyer, _, _): ReportedMove("dispute", by: buyer)
        case .taken(let arbiter): ReportedMove("take", by: arbiter)
        case .proposed(let proposal): ReportedMove("propose", by: proposal.by)
        case .proposalWithdrawn(let account): ReportedMove("withdraw_proposal", by: account)
        case .ended(let ended): ReportedMove(ended.exit.name, by: ended.by)
        case .credited: nil
        }
    }

    package var changesMoves: Bool {
        switch change {
        case .proposed, .proposalWithdrawn: false
        case .listed, .bought, .relisted, .itemTransferred, .disputed, .taken, .ended, .credited:
            true
        }
    }

    package var credit: ContractMoney.Credit? {
        if case .credited(let credit) = change { credit } else { nil }
    }

    /// The change, with the names of the contract's events.
    ///
    /// The events' own `at` is the position's time.
    ///
    /// Source: Sources/Contracts/Vyper/escrow_terms.vy; Docs/contracts.md, section 13.
    package enum Change: MoneyChange {
        case listed(ItemListing<EscrowTerms>)
        case bought(seller: Address, buyer: Address, deadline: ChainTime)
        /// The seller put a paid sale back to listed; the credit of the buyer follows.
        case relisted(seller: Address, buyer: Address)
        case itemTransferred(seller: Address, buyer: Address, deadline: ChainTime)
        /// `arbiter` is the zero address if there is none.
        case disputed(buyer: Address, arbiter: Address, deadline: ChainTime)
        /// The arbiter says that the case is being worked on, so that the fee becomes due.
        case taken(arbiter: Address)
        /// Replaces the same party's earlier proposal.
        case proposed(SettlementProposal)
        case proposalWithdrawn(by: Address)
        /// Also of a decline, with the status `declined`.
        case ended(Ended)
        /// Follows the end, once for each part of the payout that is not zero, and a relisting
        /// once.
        case credited(ContractMoney.Credit)
    }

    /// The end of a sale.
    package struct Ended: Hashable, Sendable {
        package let seller: Address
        /// The zero address if there was no buyer.
        package let buyer: Address
        package let status: EscrowStatus
        package let exit: EscrowExit
        /// The account that made the move.
        package let by: Address
        package let share: SellerShare
        package let tokenTo: Address
        package let maker: Address
        package let payout: EscrowPayout

        package init(
            seller: Address,
            buyer: Address,
            status: EscrowStatus,
            exit: EscrowExit,
            by: Address,
            share: SellerShare,
            tokenTo: Address,
            maker: Address,
            payout: EscrowPayout
        ) {
            self.seller = seller
            self.buyer = buyer
            self.status = status
            self.exit = exit
            self.by = by
            self.share = share
            self.tokenTo = tokenTo
            self.maker = maker
            self.payout = payout
        }
    }
}

/// A party's proposal to settle, which stands until a time or until the sale changes.
///
/// Each party has at most one; every change of status and the arbiter's `take` clear both.
package struct SettlementProposal: Hashable, Sendable {
    package let by: Address
    /// The seller's share of the price.
    package let share: SellerShare
    /// The other party can agree before this time.
    package let until: ChainTime

    package init(by: Address, share: SellerShare, until: ChainTime) {
        (self.by, self.share, self.until) = (by, share, until)
    }
}
