package import Keys

/// An event of the escrow contract about one sale, decoded, with its position.
package struct EscrowEvent: SaleEvent {
    package let sale: SaleID
    package let position: EventPosition
    package let change: Change

    package init(sale: SaleID, position: EventPosition, change: Change) {
        (self.sale, self.position, self.change) = (sale, position, change)
    }

    package var move: ReportedMove? {
        switch change {
        case .listed(let listed): ReportedMove("list", by: listed.seller)
        case .bought(_, let buyer, _): ReportedMove("buy", by: buyer)
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
        case .listed, .bought, .itemTransferred, .disputed, .taken, .ended, .credited: true
        }
    }

    package var credit: ContractMoney.Credit? {
        guard case .credited(let currency, let account, let amount) = change else { return nil }
        return ContractMoney.Credit(currency: currency, account: account, amount: amount)
    }

    /// The change, with the names of the contract's events.
    ///
    /// The events' own `at` is the position's time.
    ///
    /// Source: Sources/Contracts/Vyper/escrow_terms.vy; Docs/contracts.md, section 13.
    package enum Change: Hashable, Sendable {
        case listed(Listed)
        case bought(seller: Address, buyer: Address, deadline: ChainTime)
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
        /// Follows the end, once for each part of the payout that is not zero.
        case credited(currency: Currency, account: Address, amount: Amount)
    }

    /// The creation of a sale.
    package struct Listed: Hashable, Sendable {
        package let seller: Address
        package let token: Amount
        package let promise: Bytes32
        package let contentHash: Bytes32
        package let maker: Address
        package let salt: Bytes32
        /// Whether the token was minted for this sale; its maker is then the seller.
        package let isMinted: Bool
        package let terms: EscrowTerms

        /// Creates the listing from an event's members; `maker` is `nil` if it is the seller.
        package init(
            seller: Address,
            token: Amount,
            promise: Bytes32,
            contentHash: Bytes32,
            maker: Address? = nil,
            salt: Bytes32,
            isMinted: Bool,
            terms: EscrowTerms
        ) {
            self.seller = seller
            self.token = token
            self.promise = promise
            self.contentHash = contentHash
            self.maker = maker ?? seller
            self.salt = salt
            self.isMinted = isMinted
            self.terms = terms
        }

        /// The offer to which the sale's id commits, and which every later move must repeat.
        package var offer: EscrowOffer {
            EscrowOffer(
                seller: seller,
                salt: salt,
                token: isMinted ? .zero : token,
                maker: maker,
                contentHash: contentHash,
                promise: promise,
                terms: terms
            )
        }
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
