package import Keys

/// The contract's rules: who can make which move, and when.
///
/// The fold checks events by them, and ``EscrowSale/actions(for:at:)`` offers moves by them.
///
/// Source: Docs/contracts.md, section 6; Sources/Contracts/Vyper/Escrow.vy.
package enum EscrowRules {
    /// 0x…dEaD: nobody has its key, so the amounts that a default takes from both sides are lost.
    package static let nobody: Address = {
        guard let address = Address([UInt8](repeating: 0, count: 18) + [0xDE, 0xAD]) else {
            preconditionFailure("18 and 2 are 20 bytes")
        }
        return address
    }()

    /// Checks whether `account` can make a move in a block of `time`.
    ///
    /// - Throws: ``SaleFault/impossible(from:)``, ``SaleFault/wrongAccount`` or
    ///   ``SaleFault/wrongTime``, in this order.
    static func check(
        _ move: EscrowMove,
        by account: Address,
        in sale: EscrowSale,
        at time: ChainTime
    ) throws(SaleFault) {
        guard move.fits(sale.status), hasGround(for: move, by: account, in: sale) else {
            throw .impossible(from: sale.status.name)
        }
        guard isRight(account, for: move, in: sale) else { throw .wrongAccount }
        let isLate = sale.deadline.map { time >= $0 } ?? false
        let isRightTime =
            switch move {
            case .buy, .decline, .relist, .dispute, .take, .rule: !isLate
            case .claim, .executeDefault: isLate
            case .abort: isLate || account == sale.seller
            case .refund: isLate || sale.status != .paid
            case .agree(let proposal): time < proposal.until
            case .transferItem, .confirm, .propose, .withdrawProposal: true
            }
        guard isRightTime else { throw .wrongTime }
    }

    /// Returns whether the sale has the move's subject: a proposal, or a case taken or not.
    private static func hasGround(
        for move: EscrowMove,
        by account: Address,
        in sale: EscrowSale
    ) -> Bool {
        switch move {
        case .take: !sale.isTaken
        case .rule: sale.isTaken
        case .agree(let proposal): sale.proposal(by: proposal.by) == proposal
        case .withdrawProposal: !sale.isParty(account) || sale.proposal(by: account) != nil
        default: true
        }
    }

    private static func isRight(
        _ account: Address,
        for move: EscrowMove,
        in sale: EscrowSale
    ) -> Bool {
        switch move {
        case .abort, .claim, .executeDefault: true
        case .buy:
            ![sale.seller, sale.terms.arbiter, .zero].contains(account)
                && (sale.terms.buyer ?? account) == account
        case .decline, .relist, .transferItem: account == sale.seller
        case .refund: sale.status == .paid || account == sale.seller
        case .confirm, .dispute: account == sale.buyer
        case .take, .rule: account == sale.terms.arbiter
        case .propose, .withdrawProposal: sale.isParty(account)
        case .agree(let proposal): sale.isParty(account) && account != proposal.by
        }
    }

    /// Checks the event of a sale's end against the state before it.
    static func check(
        _ ended: EscrowEvent.Ended,
        of sale: EscrowSale,
        at time: ChainTime
    ) throws(SaleFault) {
        try check(move(of: ended, in: sale), by: ended.by, in: sale, at: time)
        guard ended.status == ended.exit.status else { throw .impossible(from: sale.status.name) }
        guard ended.seller == sale.seller, ended.buyer == sale.buyer ?? .zero,
            ended.maker == sale.listing.offer.maker
        else { throw .wrongAccount }
        guard ended.exit.fixedShare ?? ended.share == ended.share,
            ended.payout == sale.payout(by: ended.exit, share: ended.share)
        else { throw .wrongPayout }
        let receiver = ended.share.givesTokenToBuyer ? ended.buyer : ended.seller
        guard ended.tokenTo == receiver else { throw .wrongAccount }
    }

    /// Returns the move that ended a sale.
    private static func move(
        of ended: EscrowEvent.Ended,
        in sale: EscrowSale
    ) throws(SaleFault) -> EscrowMove {
        switch ended.exit {
        case .abort: return .abort
        case .decline: return .decline
        case .confirm: return .confirm
        case .claim: return .claim
        case .refund: return .refund
        case .rule: return .rule
        case .executeDefault: return .executeDefault
        case .settle:
            let other = ended.by == sale.seller ? sale.buyer : sale.seller
            guard let proposal = other.flatMap({ sale.proposal(by: $0) }),
                proposal.share == ended.share
            else { throw .impossible(from: sale.status.name) }
            return .agree(proposal)
        }
    }
}

extension EscrowSale {
    /// The arbiter's fee that is due however the sale ends, except by a ruling or the default: none
    /// until the arbiter takes the case.
    ///
    /// Proposals and agreements name it, so a case that is taken just before them costs no party a
    /// fee.
    package var feeDue: Amount { isTaken ? terms.arbiterFee : .zero }

    /// Returns the payout of ending the sale by `exit`, in its present state.
    ///
    /// Only `settle` and `rule` use `share`, the seller's share. Of an ended sale, the state before
    /// the end counts.
    package func payout(by exit: EscrowExit, share: SellerShare = .all) -> EscrowPayout {
        let payout = EscrowPayout(
            exit: exit,
            share: share,
            terms: terms,
            fees: fees,
            isTaken: isTaken
        )
        guard let payout else {
            preconditionFailure("terms were checked when the sale was listed: \(reference.id)")
        }
        return payout
    }
}
