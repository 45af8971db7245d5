import Keys
import Market

/// The events of a sale, created one by one as the contract would emit them.
struct SaleScript {
    static let contract = ContractReference(
        chain: Samples.chain,
        address: Samples.key("contract").address
    )
    static let arbiter = Samples.key("arbiter").address
    static let stranger = Samples.key("stranger").address
    static let platform = Samples.key("platform").address
    static let fees = MarketFees(
        platformBasisPoints: 200,
        makerBasisPoints: 200,
        platform: platform
    )

    let listing: ItemListing<EscrowTerms>
    let id: SaleID
    private(set) var height: UInt64 = 0

    init(
        terms: EscrowTerms,
        seller: Address = Samples.ana.address,
        maker: Address? = nil,
        isMinted: Bool = true,
        promise: Bytes32 = Bytes32(repeating: 9),
        salt: Bytes32 = .zero
    ) {
        listing = ItemListing<EscrowTerms>(
            seller: seller,
            token: Amount(small: 1),
            promise: promise,
            contentHash: Samples.contentHash,
            maker: maker,
            salt: salt,
            isMinted: isMinted,
            terms: terms
        )
        id = listing.offer.id(on: Self.contract)
    }

    mutating func event(_ change: EscrowEvent.Change, at time: ChainTime) -> EscrowEvent {
        height += 1
        let position = EventPosition(
            blockNumber: height,
            blockHash: Bytes32(repeating: UInt8(truncatingIfNeeded: height)),
            logIndex: 0,
            time: time,
            transaction: Bytes32(words: height, 0, 0, 1)
        )
        return EscrowEvent(sale: id, position: position, change: change)
    }

    mutating func listed(at time: ChainTime = Samples.chainNow) throws -> EscrowSale {
        guard let fees = Self.fees else { throw SaleFault.notListed }
        return try EscrowSale(
            listing: event(.listed(listing), at: time),
            contract: Self.contract,
            fees: fees
        )
    }

    /// Applies `move` by `account` as the contract would, without checks.
    mutating func apply(
        _ move: EscrowMove,
        by account: Address,
        share: SellerShare = .all,
        to sale: inout EscrowSale,
        at time: ChainTime
    ) throws {
        let refund = ContractMoney.Credit(
            currency: sale.terms.currency,
            account: sale.buyer ?? .zero,
            amount: sale.terms.buyerSends
        )
        try sale.apply(event(change(move, by: account, share: share, in: sale, at: time), at: time))
        if move == .relist { try sale.apply(event(.credited(refund), at: time)) }
        guard case .ended(let ending) = sale.phase else { return }
        for credit in sale.credits(of: ending.event.payout, maker: ending.event.maker) {
            let credited = ContractMoney.Credit(
                currency: sale.terms.currency,
                account: credit.account,
                amount: credit.amount
            )
            try sale.apply(event(.credited(credited), at: time))
        }
    }

    /// Returns the event that the contract emits for `move`.
    func change(
        _ move: EscrowMove,
        by account: Address,
        share: SellerShare,
        in sale: EscrowSale,
        at time: ChainTime
    ) -> EscrowEvent.Change {
        let (seller, buyer) = (sale.seller, sale.buyer ?? .zero)
        switch move {
        case .buy:
            return .bought(
                seller: seller,
                buyer: account,
                deadline: time.advanced(by: sale.terms.shipWindow)
            )
        case .transferItem:
            return .itemTransferred(
                seller: account,
                buyer: buyer,
                deadline: time.advanced(by: sale.terms.confirmWindow)
            )
        case .relist: return .relisted(seller: account, buyer: buyer)
        case .dispute:
            return .disputed(
                buyer: account,
                arbiter: sale.terms.arbiter ?? .zero,
                deadline: time.advanced(by: sale.terms.rulingWindow)
            )
        case .take: return .taken(arbiter: account)
        case .propose:
            let proposal = SettlementProposal(
                by: account,
                share: share,
                until: time.advanced(by: .days(1))
            )
            return .proposed(proposal)
        case .withdrawProposal: return .proposalWithdrawn(by: account)
        case .abort: return ended(.abort, .none, by: account, in: sale)
        case .decline: return ended(.decline, .none, by: account, in: sale)
        case .confirm: return ended(.confirm, .all, by: account, in: sale)
        case .claim: return ended(.claim, .all, by: account, in: sale)
        case .refund: return ended(.refund, .none, by: account, in: sale)
        case .rule: return ended(.rule, share, by: account, in: sale)
        case .agree(let proposal): return ended(.settle, proposal.share, by: account, in: sale)
        case .executeDefault:
            return ended(.executeDefault, EscrowLimits.defaultShare, by: account, in: sale)
        }
    }

    private func ended(
        _ exit: EscrowExit,
        _ share: SellerShare,
        by account: Address,
        in sale: EscrowSale
    ) -> EscrowEvent.Change {
        .ended(
            EscrowEvent.Ended(
                seller: sale.seller,
                buyer: sale.buyer ?? .zero,
                status: exit.status,
                exit: exit,
                by: account,
                share: share,
                tokenTo: share.givesTokenToBuyer ? sale.buyer ?? .zero : sale.seller,
                maker: sale.listing.offer.maker,
                payout: sale.payout(by: exit, share: share)
            )
        )
    }
}
