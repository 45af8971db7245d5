package import Keys

/// The contract's rules: who can end a sale, when, and with which division.
///
/// Source: Docs/contracts.md, "Escrow: moves"; Sources/Contracts/Vyper/Escrow.vy.
package enum EscrowRules {
    /// 0x…dEaD: nobody has its key, so the amounts that a default takes from both sides are lost.
    package static let nobody: Address = {
        guard let address = Address([UInt8](repeating: 0, count: 18) + [0xDE, 0xAD]) else {
            preconditionFailure("18 and 2 are 20 bytes")
        }
        return address
    }()

    /// Whether `account` can end the sale by `exit` at `time`.
    ///
    /// Only `settle` uses `share`, which is the agreed one.
    static func allows(
        _ exit: EscrowExit,
        by account: Address,
        share: SellerShare,
        in sale: EscrowSale,
        at time: ChainTime
    ) -> Result<Void, SaleFault> {
        guard exit.ends(sale.status) else { return .failure(.impossible(from: sale.status.name)) }
        let isLate = sale.deadline.map { time >= $0 } ?? false
        func need(_ isRightAccount: Bool, _ isRightTime: Bool = true) -> Result<Void, SaleFault> {
            guard isRightAccount else { return .failure(.wrongAccount) }
            return isRightTime ? .success(()) : .failure(.wrongTime)
        }
        switch exit {
        case .abort: return need(account == sale.seller)
        case .confirm: return need(account == sale.buyer)
        case .claim, .executeDefault: return need(true, isLate)
        case .refund:
            if account == sale.seller { return .success(()) }
            return need(sale.status == .paid, isLate)
        case .rule: return need(account == sale.terms.arbiter, !isLate)
        case .settle:
            guard let proposal = sale.deal?.proposal, proposal.share == share else {
                return .failure(.impossible(from: sale.status.name))
            }
            let isParty = account == sale.seller || account == sale.buyer
            return need(isParty && account != proposal.by, time < proposal.settleBy)
        }
    }

    /// Returns the seller's share that the contract records for `exit`; `nil` if it is chosen.
    static func fixedShare(of exit: EscrowExit) -> SellerShare? {
        switch exit {
        case .abort, .refund: SellerShare.none
        case .confirm, .claim: .all
        case .executeDefault: EscrowLimits.defaultShare
        case .settle, .rule: nil
        }
    }

    static func check(
        _ ended: EscrowEvent.Ended,
        of sale: EscrowSale,
        at time: ChainTime
    ) throws(SaleFault) {
        try allows(ended.exit, by: ended.by, share: ended.share, in: sale, at: time).get()
        guard ended.status == ended.exit.status else { throw .impossible(from: sale.status.name) }
        guard ended.seller == sale.seller, ended.buyer == sale.buyer ?? .zero,
            !sale.listing.isMinted || ended.maker == sale.seller
        else { throw .wrongAccount }
        guard fixedShare(of: ended.exit) ?? ended.share == ended.share,
            ended.payout == sale.payout(by: ended.exit, share: ended.share)
        else { throw .wrongPayout }
        let receiver = ended.share.givesTokenToBuyer ? ended.buyer : ended.seller
        guard ended.tokenTo == receiver else { throw .wrongAccount }
    }
}

extension EscrowSale {
    /// Returns the payout of ending the sale by `exit`.
    ///
    /// Only `settle` and `rule` use `share`, the seller's share.
    package func payout(by exit: EscrowExit, share: SellerShare = .all) -> EscrowPayout {
        guard let payout = EscrowPayout(exit: exit, share: share, terms: terms, fees: fees) else {
            preconditionFailure("terms were checked when the sale was listed: \(reference.id)")
        }
        return payout
    }
}
