import Answers
import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing

@testable import Trade

/// Whether a listing can be bought, and what it shows of its sale, without a chain.
struct ListingStateTests {
    private static let start = ItemMarket.start
    private static let end = start.advanced(by: .days(7))
    private static let wall = Timestamp(milliseconds: 1_763_700_000_000)

    private let items: ItemMarket
    private let index: SaleIndex
    private var steps: AuctionSteps

    init() throws {
        items = ItemMarket()
        index = SaleIndex(deployment: items.market, confirmations: 3, clock: ManualClock())
        index.set(health: .following)
        let terms = Market.AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        steps = try AuctionSteps(terms, in: items)
    }

    private static func time(_ chain: ChainTime, _ wall: Timestamp = wall) -> ListingTime {
        ListingTime(wall: wall, chain: chain)
    }

    /// Shows the index the auction's events so far.
    private func apply() {
        index.restart()
        let events = steps.events.map { event in
            let address = ItemMarket.auctionAddress
            return (event.position.blockNumber, SaleLedger.Event(of: address, .sale(event)))
        }
        let block = BlockID(number: 40, hash: Bytes32(words: 40, 1, 0, 0))
        _ = index.apply(events, upTo: block)
    }

    private func listing(
        in currency: Currency = .native,
        hasSale: Bool = true,
        endsAt: Timestamp? = nil
    ) throws -> Market.Listing {
        let terms = Market.AuctionTerms(currency: currency, startingBid: Amount(small: 10_000))
        let listing = try Market.Listing(
            form: .goods,
            title: "Print",
            description: "Linocut.",
            category: "art",
            tags: ["print"],
            identifier: ItemIdentifier(normal: "print"),
            delivery: .pickup(place: "Berlin"),
            chain: items.market.chain,
            terms: .auction(terms),
            endsAt: endsAt
        )
        guard hasSale else { return listing }
        return listing.anchored(
            contract: ItemMarket.auctionAddress,
            sale: steps.state.reference.id
        )
    }

    /// The same, of a node with one chain.
    private static func times(_ chain: ChainTime) -> ListingTimes {
        let time = time(chain)
        return ListingTimes(wall: time.wall, chains: [time.chain])
    }

    @Test mutating func `a listing is open until its sale ends or it expires`() throws {
        apply()
        let plain = try listing()
        #expect(index.state(of: plain, at: Self.time(Self.start)).end?.chain == Self.end)
        #expect(index.state(of: plain, at: Self.time(Self.end)).name == "over")
        let late = Timestamp(milliseconds: Self.wall.milliseconds + 1)
        let short = try listing(endsAt: late)
        let open = index.state(of: short, at: Self.time(Self.start))
        #expect(open.end?.wall == late && open.end?.chain == Self.end)
        #expect(index.state(of: short, at: Self.time(Self.start, late)).name == "over")

        try steps.end(.aborted, by: ItemMarket.ana, at: Self.start)
        apply()
        let over = index.state(of: plain, at: Self.time(Self.start))
        #expect(over.name == "over" && over.isClosed && over.end == nil)
    }

    @Test func `a listing is not open if the chain does not show its sale`() throws {
        let listing = try listing()
        let now = Self.time(Self.start)
        #expect(index.state(of: listing, at: now).name == "without_sale")
        #expect(index.state(of: listing, at: now).isClosed)
        // Nobody knows while the newest blocks are not read.
        index.set(health: .unreachable)
        #expect(index.state(of: listing, at: now).name == "unknown")
        #expect(!index.state(of: listing, at: now).isClosed)
        let never = index.state(of: try self.listing(hasSale: false), at: now)
        #expect(never.name == "without_sale")

        index.set(health: .following)
        apply()
        #expect(!index.state(of: listing, at: now).isClosed)
        // A reorganisation takes the sale back.
        index.restart()
        #expect(index.state(of: listing, at: now).isClosed)
    }

    @Test mutating func `a listing shows its current price, next bid and end`() async throws {
        func shown(at time: ChainTime) async throws -> Client.Listing {
            apply()
            return Client.Listing(
                try await found(try listing()),
                on: SaleIndexes([index]),
                at: Self.times(time)
            )
        }
        let empty = try await shown(at: Self.start)
        #expect(empty.state == "open" && empty.price?.amount == "10000")
        #expect(empty.minimalBid?.amount == "10000" && empty.highestBid == nil)
        #expect(empty.endsAt == Self.end.date && empty.freeSeats == nil && empty.bids == 0)
        try steps.bid(15_000, by: ItemMarket.bo, at: Self.start)
        try steps.bid(20_000, by: ItemMarket.bo, at: Self.start)
        let bid = try await shown(at: Self.start)
        #expect(bid.price?.amount == "20000" && bid.content.price.amount == "10000")
        #expect(bid.minimalBid?.amount == "21000" && bid.highestBid?.amount == "20000")
        #expect(bid.bids == 2 && bid.students == nil && bid.raters == nil)
        let over = try await shown(at: Self.end)
        #expect(over.state == "over" && over.minimalBid == nil && over.endsAt == nil)
        #expect(over.price?.amount == "20000" && over.salePhase == "bid")
    }

    @Test mutating func `a listing says who made its token and whether it is a resale`()
        async throws
    {
        for (isMinted, maker, code) in [
            (true, ItemMarket.ana, "preview.soldFirst"), (false, ItemMarket.cy, "preview.soldOn"),
        ] {
            steps = try AuctionSteps(steps.listing.offer.terms, isMinted: isMinted, in: items)
            apply()
            let stored = try await found(try listing())
            let times = Self.times(Self.start)
            let shown = Client.Listing(stored, on: SaleIndexes([index]), at: times)
            #expect(shown.maker == maker.checksummed && shown.isResale == !isMinted)
            let view = try #require(index.view(of: steps.state.reference))
            let sale = Client.Sale(view, listing: nil, for: nil, in: index)
            #expect(sale.maker == shown.maker && sale.isResale == shown.isResale)
            #expect(index.origin(of: view.sale).map(\.code) == [code])
        }
    }

    /// - From people: a price in a token that the market does not take → the listing is shown, and
    ///   marked
    @Test func `marks a price in a token that the market does not accept`() async throws {
        for (currency, isAccepted) in [
            (.native, true), (.token(ItemMarket.token), true), (.token(testKey(77).address), false),
        ] as [(Currency, Bool)] {
            let shown = Client.Listing(
                try await found(try listing(in: currency, hasSale: false)),
                on: SaleIndexes([index]),
                at: Self.times(Self.start)
            )
            #expect(shown.isCurrencyAccepted == isAccepted, "\(currency)")
            #expect(shown.state == "without_sale" && shown.price == nil)
        }
    }

    @Test func `a repeated course shows the price and the seats of its last round`() async throws {
        let courses = try CourseMarket()
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: CourseMarket.bo)
        #expect(steps.state.part(of: CourseMarket.bo) == "student")
        try steps.make(.cancel)
        #expect(steps.state.part(of: CourseMarket.bo) == nil)
        var next = CourseMarket.terms
        (next.price, next.seats) = (Amount(small: 50_000), 9)
        try steps.make(.repeat, terms: next)
        try steps.make(.enrol, by: CourseMarket.bo)
        let index = courses.index()
        index.set(health: .following)
        let events = steps.events.map { event in
            let address = CourseMarket.address
            return (event.position.blockNumber, SaleLedger.Event(of: address, .sale(event)))
        }
        _ = index.apply(events, upTo: BlockID(number: 40, hash: Bytes32(words: 40, 1, 0, 0)))
        let listing = try Market.Listing(
            form: .course,
            title: "Drawing",
            description: "Ten evenings.",
            category: "course",
            tags: ["drawing"],
            identifier: ItemIdentifier(normal: "drawing"),
            delivery: .online,
            chain: courses.market.chain,
            terms: .enrolment(CourseMarket.terms)
        ).anchored(contract: CourseMarket.address, sale: steps.state.reference.id)
        let shown = Client.Listing(
            try await found(listing),
            on: SaleIndexes([index]),
            at: Self.times(CourseMarket.start)
        )
        #expect(shown.state == "open" && shown.freeSeats == 8 && shown.bids == nil)
        // One enrolment in each of two rounds.
        #expect(shown.students == 2 && shown.average == nil && shown.raters == 0)
        #expect(steps.state.part(of: steps.state.teacher) == "teacher")
        #expect(shown.price?.amount == "50000" && shown.content.price.amount == "10007")
        #expect(shown.endsAt == next.start.date)
    }

    /// Returns a listing as the node's store has it.
    private func found(_ listing: Market.Listing) async throws -> FoundListing {
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        let record = try SampleSale.record(
            .listing(listing),
            by: testKey(1),
            slot: Bytes32(repeating: 6),
            at: Self.wall
        )
        _ = try await store.ingest([RecordEntry(record, lane: .anchored)], at: record.createdAt)
        return try #require(
            try store.read { try $0.record(record.id) }.flatMap { FoundListing($0) }
        )
    }
}
