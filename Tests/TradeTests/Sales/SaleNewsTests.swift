import AccountAccess
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

/// What accounts are told of sales: each event once when it is seen and once when it is final.
struct SaleNewsTests {
    private static let (ana, bo, cy) = (ItemMarket.ana, ItemMarket.bo, ItemMarket.cy)
    private static let dee = CourseMarket.dee
    private static let start = ItemMarket.start
    private static let bidTerms = Market.AuctionTerms(
        currency: .native,
        startingBid: Amount(small: 10_000)
    )

    private let items: ItemMarket
    private let courses: CourseMarket

    init() throws {
        items = ItemMarket()
        courses = try CourseMarket()
    }

    private static func block(_ height: UInt64) -> BlockID {
        BlockID(number: height, hash: Bytes32(words: height, 1, 0, 0))
    }

    /// A book with 3 confirmations that keeps the news of four accounts.
    private func book(of kind: SaleKind, at contract: DeployedMarket.Contract) -> SaleBook {
        let ledger = SaleLedger(
            chain: items.market.chain,
            contracts: [contract.address: .init(kind: kind, fees: contract.fees)],
            folds: SaleKinds.standard.folds
        )
        var book = SaleBook(ledger, confirmations: 3)
        book.watched = [Self.ana, Self.bo, Self.cy, Self.dee]
        return book
    }

    /// What an account is told, as `phase highestBid confirmations`.
    private static func told(_ account: Address, _ news: [SaleNews]) -> [String] {
        news.filter { $0.roles[account] != nil }.map { item in
            let bid = item.details["highestBid"].map { " \($0)" } ?? ""
            return "\(item.phase)\(bid) \(item.confirmations)"
        }
    }

    /// The events of an auction, all but the first in block 11.
    private static func inOneBlock(_ steps: AuctionSteps) -> [AuctionEvent] {
        steps.events.enumerated().map { index, event in
            guard index > 0 else { return event }
            return AuctionEvent(
                sale: event.sale,
                position: ItemMarket.position(11, UInt64(index), at: start),
                change: event.change
            )
        }
    }

    private func applied(
        _ events: [any SaleEvent],
        of contract: Address
    ) -> [(height: UInt64, event: SaleLedger.Event)] {
        events.map { ($0.position.blockNumber, SaleLedger.Event(of: contract, .sale($0))) }
    }

    @Test func `reports two bids in one block in order`() throws {
        var steps = try AuctionSteps(Self.bidTerms, in: items)
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        try steps.bid(10_500, by: Self.cy, at: Self.start)
        let events = applied(Self.inOneBlock(steps), of: ItemMarket.auctionAddress)
        var book = book(of: .auction, at: try items.contract(.auction))
        _ = book.apply(events, upTo: Self.block(11))
        let news = book.takeNews()
        #expect(book.faults.isEmpty)
        #expect(Self.told(Self.ana, news) == ["ready 2", "bid 10000 1", "bid 10500 1"])
        #expect(Self.told(Self.bo, news) == ["bid 10500 1"])
        #expect(Self.told(Self.cy, news).isEmpty && Self.told(Self.dee, news).isEmpty)
        // Bo had the highest bid when Ana was told of it, and lost it to Cy.
        #expect(news.map(\.details["bidder"]) == [nil, Self.bo.checksummed, Self.cy.checksummed])
        #expect(news.last?.roles == [Self.ana: "seller", Self.bo: "bidder"])

        #expect(book.takeNews().isEmpty)
        _ = book.apply([], upTo: Self.block(13))
        let final = book.takeNews()
        #expect(Self.told(Self.ana, final) == ["ready 3", "bid 10000 3", "bid 10500 3"])
        #expect(final.count(where: { !$0.isFinal }) == 0)
    }

    @Test func `reports an event only once if it is final when first seen`() throws {
        var steps = try AuctionSteps(Self.bidTerms, in: items)
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        try steps.bid(10_500, by: Self.cy, at: Self.start)
        try steps.bid(12_000, by: Self.bo, at: Self.start)
        var book = book(of: .auction, at: try items.contract(.auction))
        // Of blocks 10 to 13, two are final.
        _ = book.apply(applied(steps.events, of: ItemMarket.auctionAddress), upTo: Self.block(13))
        let news = book.takeNews()
        #expect(
            Self.told(Self.ana, news) == ["ready 3", "bid 10000 3", "bid 10500 2", "bid 12000 1"]
        )
        #expect(Self.told(Self.bo, news) == ["bid 10500 2"])
        #expect(Self.told(Self.cy, news) == ["bid 12000 1"])
    }

    @Test func `reports a listing to the only account that can buy`() throws {
        let terms = Market.DirectSaleTerms(
            currency: .native,
            price: Amount(small: 10_000),
            offerUntil: Self.start.advanced(by: .days(2)),
            buyer: Self.bo
        )
        let contract = try items.contract(.direct)
        let listing = ItemMarket.listing(terms)
        let event = DirectSaleEvent(
            sale: listing.offer.id(on: items.market.reference(to: contract)),
            position: ItemMarket.position(10, at: Self.start),
            change: .listed(listing)
        )
        var book = book(of: .direct, at: contract)
        _ = book.apply(applied([event], of: ItemMarket.directAddress), upTo: Self.block(10))
        let news = book.takeNews()
        #expect(book.faults.isEmpty)
        #expect(news.map(\.roles) == [[Self.ana: "seller", Self.bo: "buyer"]])
    }

    @Test func `reports enrolments in one block to each student and the teacher`() throws {
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.enrol, by: Self.cy)
        let events = steps.events.enumerated().map { index, event in
            CourseEvent(
                sale: event.sale,
                position: ItemMarket.position(10, UInt64(index), at: Self.start),
                change: event.change
            )
        }
        var book = book(of: .enrolment, at: courses.contract)
        _ = book.apply(applied(events, of: CourseMarket.address), upTo: Self.block(10))
        let news = book.takeNews()
        #expect(Self.told(Self.ana, news).count == 3)
        #expect(
            news.dropFirst().map { Set($0.roles.keys) } == [
                [Self.ana, Self.bo], [Self.ana, Self.cy],
            ]
        )
        _ = book.apply([], upTo: Self.block(12))
        #expect(Self.told(Self.bo, book.takeNews()).count == 1)
    }

    @Test func `a student who leaves gets one last report as a student`() throws {
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.leave, by: Self.bo)
        var book = book(of: .enrolment, at: courses.contract)
        _ = book.apply(applied(steps.events, of: CourseMarket.address), upTo: Self.block(12))
        let news = book.takeNews()
        #expect(book.faults.isEmpty)
        #expect(Self.told(Self.bo, news) == ["open 2", "open 1"])
        #expect(news.last?.roles == [Self.ana: "teacher", Self.bo: "student"])
    }

    @Test func `reports the beginning of a course to everyone in it`() throws {
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.begin, at: CourseMarket.terms.start)
        var book = book(of: .enrolment, at: courses.contract)
        _ = book.apply(applied(steps.events, of: CourseMarket.address), upTo: Self.block(12))
        #expect(book.faults.isEmpty)
        #expect(Self.told(Self.bo, book.takeNews()) == ["open 2", "begun 1"])
    }

    @Test func `reports a bid that is the highest again after a reorganisation`() throws {
        var steps = try AuctionSteps(Self.bidTerms, in: items)
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        try steps.bid(10_500, by: Self.cy, at: Self.start)
        var book = book(of: .auction, at: try items.contract(.auction))
        _ = book.apply(applied(steps.events, of: ItemMarket.auctionAddress), upTo: Self.block(12))
        _ = book.takeNews()

        _ = book.rollBack(to: Self.block(11))
        let news = book.takeNews()
        #expect(Self.told(Self.bo, news) == ["bid 10000 1"])
        #expect(Self.told(Self.ana, news) == ["bid 10000 1"])
        #expect(Self.told(Self.cy, news).isEmpty)
        #expect(news.map { $0.roles[Self.bo] } == ["buyer"] && news.first?.event == nil)
    }

    @Test func `shows a bid's confirmations without making anyone wait for them`() throws {
        var steps = try AuctionSteps(Self.bidTerms, in: items)
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        var book = book(of: .auction, at: try items.contract(.auction))
        let events = applied(steps.events, of: ItemMarket.auctionAddress)
        _ = book.apply(Array(events.prefix(1)), upTo: Self.block(10))
        _ = book.apply([], upTo: Self.block(20))
        let late = AuctionEvent(
            sale: steps.state.reference.id,
            position: ItemMarket.position(21, at: Self.start),
            change: try #require(steps.events.last).change
        )
        _ = book.apply(applied([late], of: ItemMarket.auctionAddress), upTo: Self.block(21))
        let view = SaleView(try #require(book.newest.sales[steps.state.reference.id]), in: book)
        #expect(view.confirmations == 1 && view.isFinal)
        #expect(view.isAnswerable(by: Self.cy, acceptsOneSource: false))
    }

    @Test func `reports each event in order, even if events are applied again`() async throws {
        let (market, sale) = (GiftMarket(), SaleID(Bytes32(repeating: 7)))
        let folder = try TemporaryFolder()
        let store = try Store(folder: folder.path, mapBytes: 1 << 26)
        try await store.write { transaction in
            for account in [Self.ana, Self.bo] {
                try transaction.put(AccountEntries.self, account, [1])
            }
        }
        let given = GiftContract.log(of: sale, by: Self.ana, at: Self.block(10), index: 0)
        let taken = GiftContract.log(of: sale, by: Self.bo, at: Self.block(10), index: 1)
        func told(_ account: Address) throws -> [String] {
            let page = try store.read { try $0.events(of: account, after: 0, limit: 100) }
            return try page.events.map { number, stored in
                let event = try stored.shown(number)
                return "\(event.data["phase"] ?? "?") \(event.data["confirmations"] ?? "?")"
            }
        }
        for _ in 0..<2 {
            let follower = SaleFollower(
                saleIndex: market.index(confirmations: 2),
                store: store,
                events: AccountEventLog(store: store),
                onBlock: { _ in },
                logger: quiet
            )
            try await follower.handle(
                .applied(AppliedRange(from: 10, to: Self.block(10), events: [given, taken])),
                on: market.market.chain
            )
            try await follower.handle(
                .applied(AppliedRange(from: 11, to: Self.block(11), events: [])),
                on: market.market.chain
            )
            #expect(try told(Self.ana) == ["given 1", "taken 1", "given 2", "taken 2"])
            #expect(try told(Self.bo) == ["taken 1", "taken 2"])
        }
    }
}
