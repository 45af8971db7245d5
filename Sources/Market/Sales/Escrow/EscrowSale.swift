package import Keys

/// The state of one escrow sale: the fold of its events.
///
/// Every event is checked against the contract's rules, so that a missing or forged one is
/// detected. All times are the chain's, from the events or the caller.
///
/// Source: Docs/protocol.md, section 6.1; Docs/contracts.md, "Escrow".
package struct EscrowSale: Hashable, Sendable {
    /// The phase of the sale, with its data.
    package enum Phase: Hashable, Sendable {
        /// Offered. Becomes `paid` or `ended`.
        case listed
        /// Bought, and not handed over yet. Becomes `transferred` or `ended`.
        case paid(Deal)
        /// Handed over, according to the seller. Becomes `disputed` or `ended`.
        case transferred(Deal)
        /// Disputed by the buyer. Becomes `ended`.
        case disputed(Deal)
        /// Final.
        case ended(Ending)
    }

    /// The buyer's data in an open sale.
    package struct Deal: Hashable, Sendable {
        package let buyer: Address
        /// When the sale entered this phase; its window starts here.
        package let since: ChainTime
        /// An offer made in this phase; it may have expired.
        package fileprivate(set) var proposal: SettlementProposal?
    }

    /// How a sale ended.
    package struct Ending: Hashable, Sendable {
        package let event: EscrowEvent.Ended
        package let at: ChainTime
        /// The number of credits seen so far; complete once the block is applied.
        package fileprivate(set) var creditsSeen = 0

        package var buyer: Address? { event.buyer == .zero ? nil : event.buyer }
    }

    package let reference: SaleReference
    package let fees: MarketFees
    package let listing: EscrowEvent.Listed
    package let listedAt: EventPosition
    package private(set) var phase: Phase
    /// The position of the last event applied.
    package private(set) var position: EventPosition

    /// Creates the state from the listing event.
    package init(
        listing event: EscrowEvent,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) {
        guard case .listed(let listing) = event.change else { throw .notListed }
        let id = SaleID(
            contract: contract,
            seller: listing.seller,
            salt: listing.salt,
            token: listing.isMinted ? .zero : listing.token,
            contentHash: listing.contentHash,
            promise: listing.promise,
            terms: listing.terms
        )
        guard id == event.sale else { throw .wrongID }
        do {
            try listing.terms.check(seller: listing.seller, at: event.position.time)
        } catch {
            throw .wrongTerms(TermsFault(error))
        }
        reference = SaleReference(contract: contract, id: id)
        self.fees = fees
        self.listing = listing
        listedAt = event.position
        position = event.position
        phase = .listed
    }

    package var terms: EscrowTerms { listing.terms }
    package var seller: Address { listing.seller }

    package var buyer: Address? {
        switch phase {
        case .listed: nil
        case .paid(let deal), .transferred(let deal), .disputed(let deal): deal.buyer
        case .ended(let ending): ending.buyer
        }
    }

    package var status: EscrowStatus {
        switch phase {
        case .listed: .listed
        case .paid: .paid
        case .transferred: .transferred
        case .disputed: .disputed
        case .ended(let ending): ending.event.status
        }
    }

    /// The accounts that acted in this sale and so paid for a transaction.
    ///
    /// These are the seller by listing, the buyer by buying, the arbiter by ruling. A sale names
    /// its arbiter without consent, so the name alone makes nobody a party.
    package var parties: [Address] { [seller, buyer, rulingArbiter].compactMap { $0 } }

    /// The accounts that the sale concerns: the parties, and the named arbiter.
    package var concerned: [Address] { [seller, buyer, terms.arbiter].compactMap { $0 } }

    private var rulingArbiter: Address? {
        guard case .ended(let ending) = phase, ending.event.exit == .rule else { return nil }
        return ending.event.by
    }

    /// When the present status was reached.
    package var since: ChainTime {
        switch phase {
        case .listed: listedAt.time
        case .paid(let deal), .transferred(let deal), .disputed(let deal): deal.since
        case .ended(let ending): ending.at
        }
    }

    /// Returns the last settlement offer if it can still be accepted at `time`.
    package func proposal(at time: ChainTime) -> SettlementProposal? {
        deal?.proposal.flatMap { time < $0.settleBy ? $0 : nil }
    }

    package var deal: Deal? {
        switch phase {
        case .paid(let deal), .transferred(let deal), .disputed(let deal): deal
        case .listed, .ended: nil
        }
    }

    /// When the window of the present phase ends.
    package var deadline: ChainTime? {
        switch phase {
        case .listed: terms.offerUntil
        case .paid(let deal): deal.since.advanced(by: terms.shipWindow)
        case .transferred(let deal): deal.since.advanced(by: terms.confirmWindow)
        case .disputed(let deal): deal.since.advanced(by: terms.rulingWindow)
        case .ended: nil
        }
    }

    /// Returns the role of `account` in this sale.
    package func role(of account: Address) -> SaleRole {
        if account == seller { return .seller }
        if account == buyer { return .buyer }
        return account == terms.arbiter ? .arbiter : .stranger
    }

    /// Applies the next event of this sale.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: EscrowEvent) throws(SaleFault) {
        guard event.sale == reference.id else { throw .otherSale }
        guard event.position > position, event.position.time >= position.time else {
            throw .outOfOrder
        }
        let next = try phase(after: event)
        phase = next
        position = event.position
    }

    private func phase(after event: EscrowEvent) throws(SaleFault) -> Phase {
        let time = event.position.time
        switch event.change {
        case .listed:
            throw .listedTwice
        case .bought(let seller, let buyer, let deadline):
            return try bought(seller, buyer, deadline, at: time)
        case .itemTransferred(let seller, let buyer, let deadline):
            return try transferred(seller, buyer, deadline, at: time)
        case .disputed(let buyer, let arbiter, let deadline):
            return try disputed(buyer, arbiter, deadline, at: time)
        case .settlementProposed(let proposal):
            return try proposed(proposal, at: time)
        case .ended(let ended):
            try EscrowRules.check(ended, of: self, at: time)
            return .ended(Ending(event: ended, at: time))
        case .credited(let currency, let account, let amount):
            return try credited(currency, account, amount)
        }
    }

    private func bought(
        _ seller: Address,
        _ buyer: Address,
        _ deadline: ChainTime,
        at time: ChainTime
    ) throws(SaleFault) -> Phase {
        guard case .listed = phase else { throw .impossible(from: status.name) }
        guard seller == self.seller, buyer != seller, buyer != terms.arbiter, buyer != .zero
        else { throw .wrongAccount }
        guard time < terms.offerUntil else { throw .wrongTime }
        guard deadline == time.advanced(by: terms.shipWindow) else { throw .wrongDeadline }
        return .paid(Deal(buyer: buyer, since: time))
    }

    private func transferred(
        _ seller: Address,
        _ buyer: Address,
        _ deadline: ChainTime,
        at time: ChainTime
    ) throws(SaleFault) -> Phase {
        guard case .paid(let deal) = phase else { throw .impossible(from: status.name) }
        guard seller == self.seller, buyer == deal.buyer else { throw .wrongAccount }
        guard time < deal.since.advanced(by: terms.shipWindow) else { throw .wrongTime }
        guard deadline == time.advanced(by: terms.confirmWindow) else { throw .wrongDeadline }
        return .transferred(Deal(buyer: buyer, since: time))
    }

    private func disputed(
        _ buyer: Address,
        _ arbiter: Address,
        _ deadline: ChainTime,
        at time: ChainTime
    ) throws(SaleFault) -> Phase {
        guard case .transferred(let deal) = phase else { throw .impossible(from: status.name) }
        guard buyer == deal.buyer, arbiter == terms.arbiter ?? .zero else { throw .wrongAccount }
        guard time < deal.since.advanced(by: terms.confirmWindow) else { throw .wrongTime }
        guard deadline == time.advanced(by: terms.rulingWindow) else { throw .wrongDeadline }
        return .disputed(Deal(buyer: buyer, since: time))
    }

    private func proposed(
        _ proposal: SettlementProposal,
        at time: ChainTime
    ) throws(SaleFault) -> Phase {
        guard var deal else { throw .impossible(from: status.name) }
        guard proposal.by == seller || proposal.by == deal.buyer else { throw .wrongAccount }
        guard time < proposal.settleBy else { throw .wrongTime }
        deal.proposal = proposal
        return switch phase {
        case .paid: .paid(deal)
        case .transferred: .transferred(deal)
        case .disputed: .disputed(deal)
        case .listed, .ended: phase
        }
    }

    private func credited(
        _ currency: Currency,
        _ account: Address,
        _ amount: Amount
    ) throws(SaleFault) -> Phase {
        guard case .ended(var ending) = phase else { throw .impossible(from: status.name) }
        let credits = credits(of: ending.event.payout, maker: ending.event.maker)
        guard ending.creditsSeen < credits.count, currency == terms.currency,
            credits[ending.creditsSeen] == EscrowCredit(account: account, amount: amount)
        else { throw .wrongCredit }
        ending.creditsSeen += 1
        return .ended(ending)
    }

    /// Returns the credits of `payout` in the contract's order, without parts of zero.
    package func credits(of payout: EscrowPayout, maker: Address) -> [EscrowCredit] {
        [
            EscrowCredit(account: seller, amount: payout.seller),
            EscrowCredit(account: buyer ?? .zero, amount: payout.buyer),
            EscrowCredit(account: fees.platform, amount: payout.platform),
            EscrowCredit(account: maker, amount: payout.maker),
            EscrowCredit(account: terms.arbiter ?? .zero, amount: payout.arbiter),
            EscrowCredit(account: EscrowRules.nobody, amount: payout.nobody),
        ].filter { !$0.amount.isZero }
    }
}

/// A part of a payout, and the account that can withdraw it.
package struct EscrowCredit: Hashable, Sendable {
    package let account: Address
    package let amount: Amount

    package init(account: Address, amount: Amount) {
        (self.account, self.amount) = (account, amount)
    }
}
