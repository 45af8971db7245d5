import BigInt
import Keys
import Market

/// A second implementation of the direct sale's rules, with what the contract would emit.
struct DirectSaleModel: Hashable {
    let listing: ItemListing<DirectSaleTerms>
    let id: SaleID
    var status = DirectSaleStatus.ready
    var buyer: Address?

    init(_ listing: ItemListing<DirectSaleTerms>) {
        self.listing = listing
        id = listing.offer.id(on: ItemSamples.contract)
    }

    var until: UInt64 { listing.offer.terms.offerUntil.seconds }

    func accepts(_ move: DirectSaleMove, by account: Address, at time: ChainTime) -> Bool {
        let isSeller = account == listing.offer.seller
        return switch move {
        case .list: false
        case .pay: status == .ready && !isSeller && time.seconds < until
        case .abort: status == .ready && (isSeller || time.seconds >= until)
        }
    }

    /// Makes a move without asking whether the contract accepts it; returns its events.
    mutating func make(_ move: DirectSaleMove, by account: Address) -> [DirectSaleEvent.Change] {
        switch move {
        case .list: return [.listed(listing)]
        case .pay: (status, buyer) = (.sold, account)
        case .abort: (status, buyer) = (.aborted, nil)
        }
        let (end, credits) = ItemSamples.end(
            status,
            of: listing,
            by: account,
            buyer: buyer,
            price: listing.offer.terms.price.units
        )
        return [.ended(end)] + credits.map { .credited($0) }
    }
}

/// A direct sale in progress: model, fold and clock together.
struct DirectSaleRun {
    var model: DirectSaleModel
    var sale: DirectSale
    var clock = EventClock()
    var money = ContractTotals()

    init(
        _ terms: DirectSaleTerms,
        isMinted: Bool = true,
        at time: ChainTime = Samples.chainNow
    ) throws {
        model = DirectSaleModel(ItemSamples.listing(terms, isMinted: isMinted))
        let event = DirectSaleEvent(
            sale: model.id,
            position: clock.position(at: time),
            change: .listed(model.listing)
        )
        sale = try DirectSale(
            listing: event,
            contract: ItemSamples.contract,
            fees: ItemSamples.fees
        )
    }

    /// Makes a move in model and fold, whether the contract accepts it or not.
    mutating func make(
        _ move: DirectSaleMove,
        by account: Address,
        at time: ChainTime
    ) throws {
        try apply(model.make(move, by: account), at: time)
    }

    /// Applies changes as the events of one transaction.
    mutating func apply(_ changes: [DirectSaleEvent.Change], at time: ChainTime) throws {
        let positions = clock.positions(changes.count, at: time)
        for (change, position) in zip(changes, positions) {
            let event = DirectSaleEvent(sale: model.id, position: position, change: change)
            try sale.apply(event)
            money.add(sale.taken(with: event), event.credit)
        }
    }
}
