import Contracts
import Keys
import Market
import Support
import Testing

@testable import Trade

/// Which accounts a deadline concerns, for each kind of sale, without a chain.
struct WatchedDeadlineTests {
    private static let start = ItemMarket.start

    private func watched(
        _ sale: Sale,
        _ account: Address,
        _ service: some SaleKindService,
        at time: ChainTime = start
    ) -> WatchedDeadline? {
        WatchedDeadline(of: sale, for: account, by: service, at: time)
    }

    @Test func `reports an escrow's deadline to the loser and the winner of a move`() throws {
        let items = ItemMarket()
        let service = EscrowSales(contract: try items.contract(.escrow), in: items.market)
        let (ana, bo, cy) = (testKey(1), testKey(2), testKey(5).address)
        var sample = try SampleSale(by: ana, slot: .zero, arbiter: cy)
        let listed = try #require(watched(sample.sale, ana.address, service))
        #expect(listed.closes == [] && listed.opens == ["abort"])
        #expect(watched(sample.sale, cy, service) == nil)

        try sample.buy(by: bo)
        let seller = try #require(watched(sample.sale, ana.address, service))
        // The seller can still transfer the item afterwards, until somebody has refunded.
        #expect(Set(seller.closes) == ["decline", "relist"] && seller.opens == ["refund"])
        let buyer = try #require(watched(sample.sale, bo.address, service))
        #expect(buyer.closes == [] && buyer.opens == ["refund"])
        #expect(buyer.at == Self.start.advanced(by: .days(3)) && buyer.at == seller.at)
        // The arbiter can do nothing before there is a dispute.
        #expect(watched(sample.sale, cy, service) == nil)
        #expect(watched(sample.sale, bo.address, service, at: buyer.at) == nil)
    }

    @Test func `reports an auction's end to all participants`() throws {
        let items = ItemMarket()
        let service = AuctionSales(contract: try items.contract(.auction), in: items.market)
        let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        var steps = try AuctionSteps(terms, in: items)
        try steps.bid(10_000, by: ItemMarket.bo, at: Self.start)
        try steps.bid(11_000, by: ItemMarket.cy, at: Self.start)
        for (account, closes) in [
            (ItemMarket.ana, []), (ItemMarket.bo, ["bid"]), (ItemMarket.cy, ["bid"]),
        ] {
            let found = watched(steps.sale, account, service)
            #expect(found?.closes == closes, "\(account)")
            #expect(found?.opens == (account == ItemMarket.bo ? [] : ["end"]))
        }
    }

    @Test func `reports a course's deadlines to the teacher, then the students`() throws {
        let courses = try CourseMarket()
        let service = CourseSales(contract: courses.contract, in: courses.market)
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: CourseMarket.bo)
        let terms = steps.terms
        let (ana, bo) = (CourseMarket.ana, CourseMarket.bo)
        let leaving = try #require(watched(steps.sale, bo, service))
        #expect(leaving.at == terms.leaveUntil && leaving.closes == ["leave"])
        #expect(watched(steps.sale, ana, service) == nil)
        let opening = try #require(watched(steps.sale, ana, service, at: terms.leaveUntil))
        #expect(opening.at == terms.start && opening.opens == ["begin"])
        #expect(watched(steps.sale, bo, service, at: terms.leaveUntil) == nil)

        let started = try #require(watched(steps.sale, ana, service, at: terms.start))
        #expect(started.at == terms.beginUntil && started.closes == ["begin"])
        let waiting = try #require(watched(steps.sale, bo, service, at: terms.start))
        #expect(waiting.closes == [] && waiting.opens == ["cancel"])

        try steps.make(.begin, at: terms.start)
        let rating = try #require(watched(steps.sale, bo, service, at: terms.start))
        #expect(rating.at == terms.rateUntil && rating.closes == ["evaluate"])
        #expect(watched(steps.sale, ana, service, at: terms.start)?.opens == ["settle"])
        try steps.make(.evaluate, by: bo, at: terms.start)
        #expect(watched(steps.sale, bo, service, at: terms.start) == nil)
    }

    @Test func `reports the end of a fixed-price offer to its seller`() throws {
        let items = ItemMarket()
        let service = DirectSales(contract: try items.contract(.direct), in: items.market)
        let until = Self.start.advanced(by: .days(30))
        let terms = DirectSaleTerms(
            currency: .native,
            price: Amount(small: 10_000),
            offerUntil: until
        )
        let listing = ItemMarket.listing(terms)
        let contract = items.market.reference(to: try items.contract(.direct))
        let event = DirectSaleEvent(
            sale: listing.offer.id(on: contract),
            position: ItemMarket.position(10, at: Self.start),
            change: .listed(listing)
        )
        let state = try DirectSale(listing: event, contract: contract, fees: items.fees)
        let found = try #require(watched(Sale(state), ItemMarket.ana, service))
        #expect(found.at == until && found.opens == ["abort"] && found.closes == [])
    }
}
