package import Keys

/// The state of one direct sale: the fold of its events.
///
/// Every event is checked against the contract's rules, so that a missing or forged one is
/// detected. All times are the chain's, from the events or the caller.
///
/// Source: Docs/contracts.md, section 11.
package struct DirectSale: Hashable, Sendable {
    package typealias Ending = ItemSaleEnding<DirectSaleStatus>

    package let reference: SaleReference
    package let fees: MarketFees
    package let listing: ItemListing<DirectSaleTerms>
    package let listedAt: EventPosition
    /// How the sale ended; `nil` while it is offered.
    package private(set) var ending: Ending?
    /// The position of the last event applied.
    package private(set) var position: EventPosition
    private var credits: PendingCredits

    /// Creates the state from the listing event.
    package init(
        listing event: DirectSaleEvent,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) {
        guard case .listed(let listing) = event.change else { throw .notListed }
        reference = try listing.reference(event.sale, on: contract, at: event.position.time)
        self.fees = fees
        self.listing = listing
        listedAt = event.position
        position = event.position
        credits = PendingCredits([], in: listing.offer.terms.currency, after: event.position)
    }

    package var terms: DirectSaleTerms { listing.offer.terms }
    package var seller: Address { listing.offer.seller }
    package var status: DirectSaleStatus { ending?.event.status ?? .ready }

    /// Whether events of the last transaction are still missing.
    ///
    /// That is never so once all events of a block are applied.
    package var isIncomplete: Bool { !credits.isComplete }

    /// Applies the next event of this sale.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: DirectSaleEvent) throws(SaleFault) {
        try requireNext(event)
        switch event.change {
        case .listed:
            throw .listedTwice
        case .credited(let credit):
            credits = try credits.taking(credit, at: event.position)
        case .ended(let end):
            guard credits.isComplete else { throw .wrongCredit }
            try check(end, at: event.position.time)
            let parts = end.parts(fees: fees)
            credits = PendingCredits(parts, in: terms.currency, after: event.position)
            ending = Ending(event: end, at: event.position.time)
        }
        position = event.position
    }

    private func check(
        _ end: ItemSaleEnd<DirectSaleStatus>,
        at time: ChainTime
    ) throws(SaleFault) {
        let move: DirectSaleMove =
            switch end.status {
            case .sold: .pay
            case .aborted: .abort
            case .ready: throw .impossible(from: status.name)
            }
        if let refusal = refusal(of: move, by: end.by, at: time) { throw refusal }
        let buyer = move == .pay ? end.by : nil
        try end.check(listing, buyer: buyer, price: terms.price, fees: fees)
    }
}
