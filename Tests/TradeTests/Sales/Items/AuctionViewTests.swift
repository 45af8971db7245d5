import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Storage
import Support
import Testing

@testable import Trade

/// Auctions as the index shows them, and bids as they are planned, without a chain.
struct AuctionViewTests {
    private static let (ana, bo, cy) = (ItemMarket.ana, ItemMarket.bo, ItemMarket.cy)
    private static let start = ItemMarket.start
    private static let end = start.advanced(by: .days(7))

    private let index: SaleIndex
    private let steps: AuctionSteps

    init() throws {
        let items = ItemMarket()
        index = SaleIndex(deployment: items.market, confirmations: 3, clock: ManualClock())
        let terms = Market.AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        steps = try AuctionSteps(terms, in: items)
    }

    /// Applies the events up to a block, and returns the view.
    private func view(_ steps: AuctionSteps, upTo height: UInt64) throws -> SaleView {
        index.restart()
        let events = steps.events.filter { $0.position.blockNumber <= height }.map { event in
            let address = ItemMarket.auctionAddress
            return (event.position.blockNumber, SaleLedger.Event(of: address, .sale(event)))
        }
        _ = index.apply(
            events,
            upTo: BlockID(number: height, hash: Bytes32(words: height, 1, 0, 0))
        )
        return try #require(index.view(of: steps.state.reference.id))
    }

    private func plan(
        _ view: SaleView,
        _ bid: String?,
        by buyer: Address,
        form: Market.Listing.Form = .goods
    ) async throws -> PurchasePlan {
        PurchasePlan(
            found: try await found(form),
            view: view,
            buyer: buyer,
            request: Purchase(listing: "", bid: bid, acceptsChanges: true),
            notes: BuyerNotes(),
            service: index.service(for: view.sale),
            registry: index.deployment.registry
        )
    }

    /// Returns a listing as the node's store has it.
    private func found(_ form: Market.Listing.Form) async throws -> FoundListing {
        let image = Media(id: Bytes32(repeating: 7), byteCount: 1_000, form: .png)
        let isDigital = form == .digital
        let listing = try Market.Listing(
            form: form,
            title: "Print",
            description: "Linocut.",
            category: isDigital ? "digital" : "art",
            tags: ["print"],
            media: isDigital ? [image] : [],
            identifier: ItemIdentifier(normal: "print7"),
            delivery: isDigital ? .online : .pickup(place: "Berlin"),
            chain: ChainID(31_337),
            terms: .auction(steps.state.terms)
        )
        let record = try SampleSale.record(
            .listing(listing),
            by: testKey(1),
            at: Timestamp(milliseconds: 1_763_700_000_000)
        )
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path("store"), mapBytes: 1 << 26)
        _ = try await store.ingest([RecordEntry(record, lane: .open)], at: record.createdAt)
        let stored = try #require(try store.read { try $0.record(record.id) })
        return try #require(FoundListing(stored))
    }

    @Test func `bids in every block do not stop anyone from bidding or ending`() async throws {
        var steps = steps
        for number in 0..<9 as Range<UInt64> {
            let bidder = number.isMultiple(of: 2) ? Self.bo : Self.cy
            let time = Self.start.advanced(by: .seconds(12 * number))
            try steps.bid(10_000 * (number + 1), by: bidder, at: time)
        }
        let stranger = testKey(6).address
        for height in UInt64(10)...19 {
            let view = try view(steps, upTo: height)
            // The listing is final in block 12, whatever was bid meanwhile.
            #expect(view.isFinal == (height >= 12))
            #expect(view.isAnswerable(by: stranger, acceptsOneSource: false) == (height >= 12))
            let moves = index.actions(in: view, for: stranger, at: Self.start).map(\.move)
            #expect(moves == (height >= 12 ? ["bid"] : []))
            let ends = index.actions(in: view, for: stranger, at: Self.end).map(\.move)
            #expect(ends == (height >= 12 ? ["end"] : []))
        }
        let last = try view(steps, upTo: 19)
        let obstacles = try await plan(last, "100000", by: stranger)
            .obstacles(at: Self.start, now: Timestamp(milliseconds: 0))
        #expect(!obstacles.contains { $0.code == .notFinalYet || $0.code == .bidTooLow })
        #expect(last.sale.history.map(\.move.name) == ["list"] + Array(repeating: "bid", count: 9))
    }

    /// - From people: a seller's bid in their own auction → own_listing
    /// - From people: a bid or purchase after the end of the offer → listing_gone
    @Test func `the seller cannot bid, and no one can after the end of the bidding`() async throws {
        var steps = steps
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        let view = try view(steps, upTo: 20)
        func codes(_ bid: String, _ account: Address, _ time: ChainTime) async throws
            -> [ProblemCode]
        {
            try await plan(view, bid, by: account)
                .obstacles(at: time, now: Timestamp(milliseconds: 0))
                .map(\.code).filter { $0 != .notAsPromised }
        }
        let before = Self.end.earlier(by: 1)
        #expect(try await codes("10500", Self.cy, before).isEmpty)
        #expect(try await codes("10500", Self.bo, before).isEmpty)
        #expect(try await codes("10499", Self.cy, before) == [.bidTooLow])
        #expect(try await codes("10500", Self.ana, before) == [.ownListing])
        for account in [Self.bo, Self.cy] {
            #expect(try await codes("10500", account, Self.end) == [.listingGone])
            let over = try await plan(view, "10500", by: account)
                .obstacles(at: Self.end, now: Timestamp(milliseconds: 0))
            #expect(over.first?.detail == "The offer is over: its time has ended.")
        }
        try steps.end(.sold, by: Self.cy, at: Self.end)
        let sold = try self.view(steps, upTo: 20)
        for (account, words) in [
            (Self.bo, "The offer is over. The state of the sale: sold."),
            (Self.cy, "It has been sold to somebody else."),
        ] {
            let over = try await plan(sold, "10500", by: account)
                .obstacles(at: Self.end, now: Timestamp(milliseconds: 0))
            #expect(over.first?.code == .listingGone && over.first?.detail == words)
        }
    }

    @Test func `warns buyers of goods, not of digital works, of the missing escrow`() async throws {
        let view = try view(steps, upTo: 20)
        let goods = try await plan(view, "10000", by: Self.bo).preview(at: Self.start)
        #expect(goods.action == "bid")
        #expect(goods.warnings == view.warnings + [ItemSales.goodsWarning])
        #expect(goods.summary.detail.hasPrefix("You bid "))
        let digital = try await plan(view, "10000", by: Self.bo, form: .digital)
        #expect(digital.preview(at: Self.start).warnings == view.warnings)
        #expect(DirectSales.goodsWarning == ItemSales.goodsWarning)
        #expect(EscrowSales.goodsWarning == nil)
    }
}
