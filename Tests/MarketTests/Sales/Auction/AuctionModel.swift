import BigInt
import Keys
import Market

/// A second implementation of the auction's rules, which emits what the contract would emit.
///
/// It shares no rule and no arithmetic with the program.
struct AuctionModel: Hashable {
    static let bidMax = BigUInt(1) << 128 - 1
    static let day: UInt64 = 86_400

    let listing: ItemListing<AuctionTerms>
    let id: SaleID
    var status = AuctionStatus.ready
    var bidder: Address?
    var highest: BigUInt = 0
    var ends: UInt64
    let lastEnd: UInt64

    init(_ listing: ItemListing<AuctionTerms>, at time: ChainTime) {
        self.listing = listing
        id = listing.offer.id(on: ItemSamples.contract)
        ends = time.seconds + listing.offer.terms.duration.wholeSeconds
        lastEnd = ends + 30 * Self.day
    }

    var terms: AuctionTerms { listing.offer.terms }
    var extensionTime: UInt64 { terms.extensionTime.wholeSeconds }

    var minimum: BigUInt {
        guard status == .bid else { return terms.startingBid.units }
        return highest + max(1, highest * BigUInt(terms.minIncrementBasisPoints) / 10_000)
    }

    func accepts(
        _ move: AuctionMove,
        by account: Address,
        amount: BigUInt,
        at time: ChainTime
    ) -> Bool {
        let isSeller = account == listing.offer.seller
        let isOpen = status == .ready || status == .bid
        return switch move {
        case .list: false
        case .abort: status == .ready && isSeller && time.seconds < ends
        case .end: isOpen && time.seconds >= ends
        case .bid:
            isOpen && !isSeller && time.seconds < ends && amount >= minimum
                && amount <= Self.bidMax
        }
    }

    /// Makes a move without asking whether the contract accepts it.
    ///
    /// - Returns: The events that report it.
    mutating func make(
        _ move: AuctionMove,
        by account: Address,
        amount: BigUInt,
        at time: ChainTime
    ) -> [AuctionEvent.Change] {
        switch move {
        case .list: return [.listed(listing, ends: ChainTime(seconds: ends))]
        case .abort: return end(.aborted, by: account, buyer: nil)
        case .end: return end(bidder == nil ? .unsold : .sold, by: account, buyer: bidder)
        case .bid:
            var changes: [AuctionEvent.Change] = []
            if let bidder {
                let credit = ItemSamples.credit(bidder, highest, listing)
                changes += [
                    .outbid(AuctionBid(bidder: bidder, amount: credit.amount)), .credited(credit),
                ]
            }
            if time.seconds + extensionTime >= ends {
                ends = min(time.seconds + extensionTime, lastEnd)
            }
            (status, bidder, highest) = (.bid, account, amount)
            let bid = AuctionBid(bidder: account, amount: ItemSamples.amount(amount))
            return changes + [.bidPlaced(bid, ends: ChainTime(seconds: ends))]
        }
    }

    private mutating func end(
        _ status: AuctionStatus,
        by account: Address,
        buyer: Address?
    ) -> [AuctionEvent.Change] {
        self.status = status
        let (end, credits) = ItemSamples.end(
            status,
            of: listing,
            by: account,
            buyer: buyer,
            price: highest
        )
        return [.ended(end)] + credits.map { .credited($0) }
    }

    /// Returns the fold of the listing alone.
    func listed(_ clock: inout EventClock, at time: ChainTime) throws -> AuctionSale {
        let change = AuctionEvent.Change.listed(listing, ends: ChainTime(seconds: ends))
        let event = AuctionEvent(sale: id, position: clock.position(at: time), change: change)
        return try AuctionSale(
            listing: event,
            contract: ItemSamples.contract,
            fees: ItemSamples.fees
        )
    }

    /// Returns changes as events of one transaction.
    func events(
        _ changes: [AuctionEvent.Change],
        _ clock: inout EventClock,
        at time: ChainTime
    ) -> [AuctionEvent] {
        zip(changes, clock.positions(changes.count, at: time)).map { change, position in
            AuctionEvent(sale: id, position: position, change: change)
        }
    }
}

/// An auction in progress: model, fold and clock together.
struct AuctionRun {
    var model: AuctionModel
    var sale: AuctionSale
    var clock = EventClock()

    init(
        _ terms: AuctionTerms,
        isMinted: Bool = true,
        at time: ChainTime = Samples.chainNow
    ) throws {
        model = AuctionModel(ItemSamples.listing(terms, isMinted: isMinted), at: time)
        sale = try model.listed(&clock, at: time)
    }

    /// Makes a move in model and fold, whether the contract accepts it or not.
    mutating func make(
        _ move: AuctionMove,
        by account: Address,
        _ amount: BigUInt = 0,
        at time: ChainTime
    ) throws {
        let changes = model.make(move, by: account, amount: amount, at: time)
        for event in model.events(changes, &clock, at: time) { try sale.apply(event) }
    }
}
