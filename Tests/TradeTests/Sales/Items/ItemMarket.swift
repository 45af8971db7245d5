import Answers
import Client
import Contracts
import Keys
import Market
import Support
import Testing
import Trade

/// A market with auctions and direct sales, and their states as events make them, without a chain.
struct ItemMarket {
    static let start = ChainTime(seconds: 1_763_700_000)
    static let ana = testKey(1).address
    static let bo = testKey(2).address
    static let cy = testKey(5).address
    static let token = testKey(4).address
    static let auctionAddress = testKey(22).address
    static let directAddress = testKey(23).address

    let market = DeployedMarket(fees: .points(200, 100), tokens: [token])
        .with(.auction, at: auctionAddress)
        .with(.direct, at: directAddress)
    var fees: MarketFees { market.escrowContract.fees }

    func contract(_ kind: SaleKind) throws -> DeployedMarket.Contract {
        try #require(market.contract(for: kind))
    }

    /// Returns a listing by Ana; of a token that Cy made, or of one that is minted for the sale.
    static func listing<Terms: ItemTerms>(
        _ terms: Terms,
        isMinted: Bool = true
    ) -> ItemListing<Terms> {
        ItemListing(
            seller: ana,
            token: Amount(small: 7),
            promise: Bytes32(repeating: 9),
            contentHash: Bytes32(repeating: 8),
            maker: isMinted ? nil : cy,
            salt: Bytes32(repeating: 6),
            isMinted: isMinted,
            terms: terms
        )
    }

    /// The seller's token, if none is minted for the sale.
    private static let owned = OwnedItem(token: Amount(small: 7), maker: cy)

    /// Returns a print to list.
    static func content(_ terms: SaleTerms, isMinted: Bool) -> SaleContent {
        SaleContent(
            title: "Print",
            slot: .zero,
            contentHash: .zero,
            promise: .zero,
            terms: terms,
            item: isMinted ? nil : owned
        )
    }

    /// Returns the call's argument with which Ana lists ``content(_:isMinted:)``.
    static func offer<Terms: ItemTerms>(_ terms: Terms, isMinted: Bool) -> ItemOffer<Terms> {
        ItemOffer(
            seller: ana,
            salt: .zero,
            token: isMinted ? nil : owned.token,
            maker: isMinted ? nil : owned.maker,
            contentHash: .zero,
            promise: .zero,
            terms: terms
        )
    }

    static func position(
        _ height: UInt64,
        _ index: UInt64 = 0,
        at time: ChainTime
    ) -> EventPosition {
        EventPosition(
            blockNumber: height,
            blockHash: Bytes32(words: height, 1, 0, 0),
            logIndex: index,
            time: time,
            transaction: Bytes32(words: height, 2, 0, 0)
        )
    }
}

/// Expects that a kind of sale takes a price at its bounds and in a currency of its contract, and
/// refuses others.
func expectPriceBounds(
    _ price: ((inout ListingContent) -> Void) throws -> Amount
) throws {
    let most = SaleLimits.priceMax
    for amount in ["10000", most.decimal] {
        #expect(try price { $0.price.amount = amount }.decimal == amount)
    }
    let above = try #require(most.adding(Amount(small: 1))).decimal
    for (amount, code, field) in [
        ("9999", ProblemCode.badTerms, "price"), (above, .badTerms, "price"),
        ("1.5", .badAmount, "price.amount"), ("", .badAmount, "price.amount"),
    ] {
        let refused = #expect(throws: Refusal.self) {
            _ = try price { $0.price.amount = amount }
        }
        #expect(refused?.code == code && refused?.field == field)
    }
    let foreign = #expect(throws: Refusal.self) {
        _ = try price { $0.price.currency = testKey(40).address.checksummed }
    }
    #expect(foreign?.code == .badListing && foreign?.field == "price.currency")
}

/// An auction as its contract's events make it.
struct AuctionSteps {
    let listing: ItemListing<Market.AuctionTerms>
    private(set) var events: [AuctionEvent] = []
    private(set) var state: AuctionSale
    private var height: UInt64

    init(
        _ terms: Market.AuctionTerms,
        isMinted: Bool = true,
        at height: UInt64 = 10,
        in market: ItemMarket
    ) throws {
        self.height = height
        let contract = market.market.reference(to: try market.contract(.auction))
        listing = ItemMarket.listing(terms, isMinted: isMinted)
        let ends = ItemMarket.start.advanced(by: terms.duration)
        let listed = AuctionEvent(
            sale: listing.offer.id(on: contract),
            position: ItemMarket.position(height, at: ItemMarket.start),
            change: .listed(listing, ends: ends)
        )
        events = [listed]
        state = try AuctionSale(listing: listed, contract: contract, fees: market.fees)
    }

    var sale: Market.Sale { Market.Sale(state) }

    mutating func bid(
        _ units: UInt64,
        by account: Address,
        at time: ChainTime,
        fromCredit: Bool = false
    ) throws {
        let terms = listing.offer.terms
        let end = terms.end(afterBidAt: time, ends: state.ends, lastEnd: state.lastEnd)
        var changes: [AuctionEvent.Change] = []
        if let highest = state.highest {
            let credit = ContractMoney.Credit(
                currency: terms.currency,
                account: highest.bidder,
                amount: highest.amount
            )
            changes = [.outbid(highest), .credited(credit)]
        }
        let bid = AuctionBid(bidder: account, amount: Amount(small: units))
        changes.append(.bidPlaced(bid, ends: end))
        if fromCredit {
            let used = ContractMoney.Credit(
                currency: terms.currency,
                account: account,
                amount: bid.amount
            )
            changes.append(.creditUsed(used))
        }
        try apply(changes, at: time)
    }

    /// Ends the auction as the contract would, or takes it back.
    mutating func end(_ status: AuctionStatus, by account: Address, at time: ChainTime) throws {
        let fees = state.fees
        let payout = state.highest.map { ItemPayout(of: $0.amount, fees: fees) } ?? .none
        let maker = listing.isMinted ? state.seller : ItemMarket.cy
        let end = ItemSaleEnd(
            seller: state.seller,
            buyer: state.highest?.bidder ?? .zero,
            status: status,
            by: account,
            tokenTo: state.highest?.bidder ?? state.seller,
            maker: maker,
            payout: payout
        )
        let parts = [
            (state.seller, payout.seller), (fees.platform, payout.platform), (maker, payout.maker),
        ]
        let credits = parts.filter { !$0.1.isZero }.map { account, amount in
            AuctionEvent.Change.credited(
                ContractMoney.Credit(
                    currency: listing.offer.terms.currency,
                    account: account,
                    amount: amount
                )
            )
        }
        try apply([.ended(end)] + credits, at: time)
    }

    private mutating func apply(_ changes: [AuctionEvent.Change], at time: ChainTime) throws {
        height += 1
        for (index, change) in changes.enumerated() {
            let event = AuctionEvent(
                sale: state.reference.id,
                position: ItemMarket.position(height, UInt64(index), at: time),
                change: change
            )
            try state.apply(event)
            events.append(event)
        }
    }
}

extension ChainTime {
    /// So many seconds before this time.
    func earlier(by seconds: UInt64) -> ChainTime { ChainTime(seconds: self.seconds - seconds) }
}
