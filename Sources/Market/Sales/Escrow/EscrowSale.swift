package import Keys

/// The state of one escrow sale: the fold of its events.
///
/// Every event is checked against the contract's rules, so that a missing or forged one is
/// detected. All times are the chain's, from the events or the caller.
///
/// Source: Docs/protocol.md, section 6.1; Docs/contracts.md, sections 5 to 9.
package struct EscrowSale: Hashable, Sendable {
    /// The phase of the sale, with its data.
    package enum Phase: Hashable, Sendable {
        /// Offered. Becomes `paid` or `ended`.
        case listed(Offered)
        /// Bought, and not handed over yet. Becomes `transferred`, `listed` again or `ended`.
        case paid(Deal)
        /// Handed over, according to the seller. Becomes `disputed` or `ended`.
        case transferred(Deal)
        /// Disputed by the buyer. Becomes `ended`.
        case disputed(Deal)
        /// Final.
        case ended(Ending)
    }

    /// The data of a sale that can be bought.
    package struct Offered: Hashable, Sendable {
        /// When it was listed, or put back to listed.
        package let since: ChainTime
        /// The credit of the former buyer, which the contract must report next; `nil` except
        /// between two events of one transaction.
        let refund: SalePayout?

        init(since: ChainTime, refund: SalePayout? = nil) {
            (self.since, self.refund) = (since, refund)
        }
    }

    /// The buyer's data in an open sale.
    package struct Deal: Hashable, Sendable {
        package let buyer: Address
        /// When the sale entered this phase; its window starts here.
        package let since: ChainTime
        /// Whether the arbiter took the case; only in a dispute.
        package let isTaken: Bool
        /// The seller's last proposal of this phase; it may have expired.
        package internal(set) var sellerProposal: SettlementProposal?
        /// The buyer's last proposal of this phase; it may have expired.
        package internal(set) var buyerProposal: SettlementProposal?

        init(buyer: Address, since: ChainTime, isTaken: Bool = false) {
            (self.buyer, self.since, self.isTaken) = (buyer, since, isTaken)
        }
    }

    /// How a sale ended.
    package struct Ending: Hashable, Sendable {
        package let event: EscrowEvent.Ended
        package let at: ChainTime
        /// Whether the arbiter had taken the case.
        package let isTaken: Bool
        /// The number of credits seen so far; complete once the block is applied.
        package internal(set) var creditsSeen = 0

        init(event: EscrowEvent.Ended, at: ChainTime, isTaken: Bool) {
            (self.event, self.at, self.isTaken) = (event, at, isTaken)
        }

        package var buyer: Address? { event.buyer == .zero ? nil : event.buyer }
    }

    package let reference: SaleReference
    package let fees: MarketFees
    package let listing: ItemListing<EscrowTerms>
    package let listedAt: EventPosition
    package private(set) var phase: Phase
    /// The position of the last event applied.
    package private(set) var position: EventPosition
    /// The account that made the last move that changed the possible moves.
    package private(set) var lastMover: Address

    /// Creates the state from the listing event.
    package init(
        listing event: EscrowEvent,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) {
        guard case .listed(let listing) = event.change else { throw .notListed }
        reference = try listing.reference(event.sale, on: contract, at: event.position.time)
        self.fees = fees
        self.listing = listing
        listedAt = event.position
        position = event.position
        lastMover = listing.offer.seller
        phase = .listed(Offered(since: event.position.time))
    }

    package var terms: EscrowTerms { listing.offer.terms }
    package var seller: Address { listing.offer.seller }

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

    /// Whether the arbiter took the case, so that the fee is due in every end but the default.
    package var isTaken: Bool {
        switch phase {
        case .listed: false
        case .paid(let deal), .transferred(let deal), .disputed(let deal): deal.isTaken
        case .ended(let ending): ending.isTaken
        }
    }

    /// The accounts that acted in this sale and so paid for a transaction.
    ///
    /// These are the seller by listing, the buyer by buying, the arbiter by taking the case. Being
    /// named as arbiter is not an action, so it does not make an account a party.
    package var parties: [Address] {
        [seller, buyer, isTaken ? terms.arbiter : nil].compactMap { $0 }
    }

    /// The accounts that the sale concerns: the parties, and the named arbiter.
    package var concerned: [Address] { [seller, buyer, terms.arbiter].compactMap { $0 } }

    /// Returns whether `account` is the seller or the buyer.
    package func isParty(_ account: Address) -> Bool { account == seller || account == buyer }

    /// When the present status was reached.
    package var since: ChainTime {
        switch phase {
        case .listed(let offered): offered.since
        case .paid(let deal), .transferred(let deal), .disputed(let deal): deal.since
        case .ended(let ending): ending.at
        }
    }

    /// Returns the last proposal that `account` made in this phase; it may have expired.
    package func proposal(by account: Address) -> SettlementProposal? {
        guard let deal else { return nil }
        return account == seller
            ? deal.sellerProposal : account == deal.buyer ? deal.buyerProposal : nil
    }

    /// Returns the proposals that can be agreed to at `time`, the seller's first.
    package func proposals(at time: ChainTime) -> [SettlementProposal] {
        [deal?.sellerProposal, deal?.buyerProposal].compactMap { $0 }.filter { time < $0.until }
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
        try requireNext(event)
        let next = try phase(after: event)
        phase = next
        position = event.position
        if event.changesMoves, let move = event.move { lastMover = move.account }
    }
}
