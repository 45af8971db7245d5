package import Keys

/// The state of one auction: the fold of its events.
///
/// Every event is checked against the contract's rules, so that a missing or forged one is
/// detected. All times are the chain's, from the events or the caller.
///
/// Source: Docs/contracts.md, section 10.
package struct AuctionSale: Hashable, Sendable {
    package typealias Ending = ItemSaleEnding<AuctionStatus>

    /// The phase of the auction, with its data.
    package enum Phase: Hashable, Sendable {
        /// Without a bid. Becomes `bid` or `ended`.
        case ready
        /// With a highest bid. Becomes `outbid` or `ended`.
        case bid(Bidding)
        /// Between the events of one transaction: a higher bid follows. Becomes `bid`.
        case outbid(Bidding)
        /// Final.
        case ended(Ending)
    }

    /// The highest bid, and the time of the first one.
    package struct Bidding: Hashable, Sendable {
        package let highest: AuctionBid
        package let since: ChainTime
    }

    package let reference: SaleReference
    package let fees: MarketFees
    package let listing: ItemListing<AuctionTerms>
    package let listedAt: EventPosition
    /// The latest time at which the bidding can end.
    package let lastEnd: ChainTime
    package private(set) var phase: Phase
    /// The time at which the bidding ends, unless a late bid extends it.
    package private(set) var ends: ChainTime
    /// The last bid of each account.
    ///
    /// The increments bound the number of bids of one auction below 10,000.
    package private(set) var bids: [Address: Amount] = [:]
    /// The number of all bids, of which an account can place several.
    package private(set) var bidsPlaced: UInt64 = 0
    /// The highest bid, also after the end; `nil` if nobody bid.
    package private(set) var highest: AuctionBid?
    /// The position of the last event applied.
    package private(set) var position: EventPosition
    private var credits: PendingCredits
    /// Whether the last event is a bid that a credit may have paid.
    private var canUseCredit = false

    /// Creates the state from the listing event.
    package init(
        listing event: AuctionEvent,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) {
        guard case .listed(let listing, let ends) = event.change else { throw .notListed }
        let time = event.position.time
        reference = try listing.reference(event.sale, on: contract, at: time)
        guard ends == time.advanced(by: listing.offer.terms.duration) else { throw .wrongDeadline }
        self.fees = fees
        self.listing = listing
        self.ends = ends
        lastEnd = ends.advanced(by: AuctionLimits.extensionsMax)
        listedAt = event.position
        position = event.position
        credits = PendingCredits([], in: listing.offer.terms.currency, after: event.position)
        phase = .ready
    }

    package var terms: AuctionTerms { listing.offer.terms }
    package var seller: Address { listing.offer.seller }

    package var status: AuctionStatus {
        switch phase {
        case .ready: .ready
        case .bid, .outbid: .bid
        case .ended(let ending): ending.event.status
        }
    }

    /// Whether events of the last transaction are still missing.
    ///
    /// That is never so once all events of a block are applied.
    package var isIncomplete: Bool {
        if case .outbid = phase { return true }
        return !credits.isComplete
    }

    /// The minimum bid that is accepted next; `nil` if the auction has ended or no bid can be
    /// higher.
    package var minimalBid: Amount? {
        status.stage == .over ? nil : terms.minimalBid(after: highest?.amount)
    }

    /// Applies the next event of this auction.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: AuctionEvent) throws(SaleFault) {
        try requireNext(event)
        if try !credits.take(from: event) { try change(event) }
        canUseCredit = if case .bidPlaced = event.change { true } else { false }
        position = event.position
    }

    private mutating func change(_ event: AuctionEvent) throws(SaleFault) {
        let time = event.position.time
        switch event.change {
        case .listed:
            throw .listedTwice
        case .outbid(let bid):
            try outbid(bid, at: event.position)
        case .bidPlaced(let bid, let ends):
            try placed(bid, ends: ends, at: event.position)
        case .creditUsed(let credit):
            try used(credit, at: event.position)
        case .ended(let end):
            try check(end, at: time)
            let parts = end.parts(fees: fees)
            credits = PendingCredits(parts, in: terms.currency, after: event.position)
            phase = .ended(Ending(event: end, at: time))
        case .credited:
            throw .wrongCredit
        }
    }

    private mutating func outbid(
        _ bid: AuctionBid,
        at position: EventPosition
    ) throws(SaleFault) {
        guard case .bid(let bidding) = phase else { throw .impossible(from: status.name) }
        guard bid.bidder == bidding.highest.bidder else { throw .wrongAccount }
        guard bid.amount == bidding.highest.amount else { throw .wrongCredit }
        guard position.time < ends else { throw .wrongTime }
        let part = SalePayout(role: "bidder", account: bid.bidder, amount: bid.amount)
        credits = PendingCredits([part], in: terms.currency, after: position)
        phase = .outbid(bidding)
    }

    private mutating func placed(
        _ bid: AuctionBid,
        ends: ChainTime,
        at position: EventPosition
    ) throws(SaleFault) {
        let since: ChainTime
        switch phase {
        case .ready: since = position.time
        case .outbid(let bidding):
            guard credits.isSameTransaction(position) else { throw .outOfOrder }
            since = bidding.since
        case .bid, .ended: throw .impossible(from: status.name)
        }
        if let refusal = refusal(of: .bid, by: bid.bidder, at: position.time) { throw refusal }
        if let refusal = refusal(ofBid: bid.amount) { throw refusal }
        let end = terms.end(afterBidAt: position.time, ends: self.ends, lastEnd: lastEnd)
        guard ends == end else { throw .wrongDeadline }
        self.ends = end
        highest = bid
        bids[bid.bidder] = bid.amount
        bidsPlaced += 1
        phase = .bid(Bidding(highest: bid, since: since))
    }

    /// Checks the part of the last bid that its bidder's credit paid.
    private func used(
        _ credit: ContractMoney.Credit,
        at position: EventPosition
    ) throws(SaleFault) {
        guard canUseCredit, case .bid(let bidding) = phase else {
            throw .impossible(from: status.name)
        }
        guard position.blockNumber == self.position.blockNumber,
            position.transaction == self.position.transaction
        else { throw .outOfOrder }
        guard credit.account == bidding.highest.bidder else { throw .wrongAccount }
        guard credit.currency == terms.currency, !credit.amount.isZero,
            credit.amount <= bidding.highest.amount
        else { throw .wrongCredit }
    }

    private func check(
        _ end: ItemSaleEnd<AuctionStatus>,
        at time: ChainTime
    ) throws(SaleFault) {
        if case .outbid = phase { throw .impossible(from: status.name) }
        let move: AuctionMove = end.status == .aborted ? .abort : .end
        if let refusal = refusal(of: move, by: end.by, at: time) { throw refusal }
        let status: AuctionStatus = highest == nil ? .unsold : .sold
        guard move == .abort || end.status == status else {
            throw .impossible(from: self.status.name)
        }
        try end.check(listing, buyer: highest?.bidder, price: highest?.amount ?? .zero, fees: fees)
    }
}
