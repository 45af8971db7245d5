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
import Trade
import TradeSupport

/// A course through a node's services, on a development chain, paid in a token.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CourseTradeTests {
    private static let day: UInt64 = 86_400

    /// A course of a day that starts in a day.
    private static func course(in currency: String, at now: ChainTime) -> ListingContent {
        ListingContent(
            type: "course",
            title: "Knots",
            description: "Ten knots and their uses.",
            category: "course",
            tags: ["knots"],
            price: Money(amount: "10000", currency: currency),
            payment: "enrolment",
            delivery: "pickup",
            pickupPlace: "The old bridge",
            course: terms(from: now)
        )
    }

    private static func terms(from now: ChainTime, seats: UInt64 = 2) -> Client.CourseTerms {
        Client.CourseTerms(
            seats: seats,
            startsAt: now.seconds + day,
            endsAt: now.seconds + 2 * day
        )
    }

    private static func enrol(
        _ listing: String,
        _ node: RunningMarket,
        by account: Address,
        round: UInt64 = 0,
        key: String = "enrol"
    ) async throws {
        let purchase = Purchase(listing: listing, round: round)
        let begun = try await node.market.purchases.buy(purchase, by: account).begin(key: key)
        _ = try await node.done(begun)
    }

    private static func move(
        _ move: Client.SaleMove,
        _ sale: String,
        _ node: RunningMarket,
        by account: Address
    ) async throws {
        let begun = try await node.market.moves.move(sale, move, by: account).begin(
            key: "\(move.move) \(move.round ?? 0)"
        )
        _ = try await node.done(begun)
    }

    /// Lets time pass until the node's chain has reached a time.
    private static func pass(
        to time: ChainTime,
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws {
        let now = try #require(node.market.saleIndex.time)
        if now < time {
            try await AuctionTradeTests.pass(.seconds(time.seconds - now.seconds), harness)
        }
        try await node.market.service.until { _ in
            node.market.saleIndex.time.map { $0 >= time } ?? false
        }
    }

    private static func code(_ body: () async throws -> some Sendable) async -> ProblemCode? {
        let refusal = await #expect(throws: Refusal.self) { _ = try await body() }
        return refusal?.code
    }

    private static func credits(_ node: RunningMarket, of account: Address) async throws -> [String]
    {
        try await node.market.wallets.wallet(of: account).credits.map(\.money.amount)
    }

    /// - From people: enrolling in one's own course → own_listing
    /// - From people: enrolling without the round that was shown → malformed_value
    /// - From people: a used Idempotency-Key with other points of an evaluation →
    ///   idempotency_key_reused
    /// - From people: a review of a course by its teacher, by a stranger, or by a student who has
    ///   not evaluated a round → review_refused
    @Test func `a course can be paid, begun, rated, settled, repeated and refunded`()
        async throws
    {
        let token = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 6)
        try await MarketHarness.scoped(tokens: [token]) { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let cy = try await node.account("cy", on: harness)
                let dee = try await node.account("dee", on: harness)
                for name in ["cy", "dee"] { try await node.signIn(name) }
                for (account, amount) in [(bo, 110_000), (cy, 10_000)] as [(Address, UInt64)] {
                    try await harness.mint(amount, for: account)
                }
                let currency = try #require(harness.market.tokens.first?.address).checksummed
                let now = try #require(node.market.saleIndex.time)
                let (listing, sale) = try await SaleExitsTests.list(
                    Self.course(in: currency, at: now),
                    node,
                    by: ana
                )
                try await node.settled(sale, "open", for: ana)
                try await Self.fill(listing, sale, node, ana, [bo, cy], late: dee)
                try await Self.give(sale, node, harness, from: now, ana, bo, cy)
                try await Self.settle(sale, node, harness, from: now, ana, by: dee)
                try await Self.repeatAndCancel(listing, sale, node, ana, bo)
                #expect(try await Self.credits(node, of: ana) == ["18000"])
            }
        }
    }

    /// Two enrol in the two seats; the teacher and others cannot.
    private static func fill(
        _ listing: String,
        _ sale: String,
        _ node: RunningMarket,
        _ teacher: Address,
        _ students: [Address],
        late: Address
    ) async throws {
        let sales = node.market.sales
        let unread = Purchase(listing: listing)
        #expect(
            await code {
                try await node.market.purchases.buy(unread, by: students[0]).begin(key: "unread")
            }
                == .malformedValue
        )
        let purchase = Purchase(listing: listing, round: 0)
        #expect(
            await code {
                try await node.market.purchases.buy(purchase, by: teacher).begin(key: "own")
            }
                == .ownListing
        )
        for student in students {
            let preview = try await node.market.purchases.buy(purchase, by: student).preview()
            #expect(preview.problems.isEmpty && preview.leaves.first?.amount == "10000")
            try await enrol(listing, node, by: student)
        }
        let shown = try await sales.sale(sale, for: students[0])
        #expect(shown.course?.rounds.first?.own == "enrolled" && shown.stage == "offered")
        #expect(try await sales.sale(sale, for: teacher).course?.rounds[0].students?.count == 2)
        let again = await code {
            try await node.market.purchases.buy(purchase, by: students[0]).begin(key: "again")
        }
        #expect(again == .listingGone)
        let full = await #expect(throws: Refusal.self) {
            try await node.market.purchases.buy(purchase, by: late).begin(key: "late")
        }
        #expect(full?.code == .listingGone && full?.detail.contains("no seat is free") == true)
    }

    /// The round begins, and both students rate it; only then can they review it.
    private static func give(
        _ sale: String,
        _ node: RunningMarket,
        _ harness: MarketHarness,
        from now: ChainTime,
        _ ana: Address,
        _ bo: Address,
        _ cy: Address
    ) async throws {
        try await pass(to: now.advanced(by: .days(1)), node, harness)
        try await move(Client.SaleMove(move: "begin"), sale, node, by: ana)
        try await node.settled(sale, "begun", for: bo)
        let reviews = node.market.reviews
        let draft = ReviewDraft(sale: sale, stars: 5, text: "I can tie them all.")
        #expect(await code { try await reviews.write(draft, by: bo) } == .reviewRefused)
        let best = Client.SaleMove(move: "evaluate", points: [100, 100, 100, 100, 100])
        let fair = Client.SaleMove(move: "evaluate", points: [60, 60, 60, 60, 60])
        try await move(best, sale, node, by: bo)
        let other = await code {
            try await node.market.moves.move(sale, fair, by: bo).begin(key: "evaluate 0")
        }
        #expect(other == .keyReused)
        try await move(fair, sale, node, by: cy)
        let shown = try await node.market.sales.sale(sale, for: bo)
        #expect(shown.course?.average == 80 && shown.course?.raters == 2)
        #expect(shown.course?.rounds[0].own == "rated")

        let written = try await reviews.write(draft, by: bo)
        #expect(written.subject == ana.checksummed)
        #expect(try await reviews.reviews(ofAccount: ana.checksummed, limit: 9).items == [written])
        for account in [ana, testKey(7).address] {
            #expect(await code { try await reviews.write(draft, by: account) } == .reviewRefused)
        }
    }

    /// A stranger settles once the time to rate has ended: 90 % to the teacher.
    private static func settle(
        _ sale: String,
        _ node: RunningMarket,
        _ harness: MarketHarness,
        from now: ChainTime,
        _ ana: Address,
        by stranger: Address
    ) async throws {
        let early = Client.SaleMove(move: "settle")
        #expect(
            await code {
                try await node.market.moves.move(sale, early, by: ana).begin(key: "early")
            } == .moveNotOpen
        )
        try await pass(to: now.advanced(by: .days(16)), node, harness)
        try await move(Client.SaleMove(move: "settle"), sale, node, by: stranger)
        try await node.settled(sale, "settled", for: ana)
        let shown = try await node.market.sales.sale(sale, for: ana)
        #expect(shown.payouts?.map(\.amount) == ["18000", "2000"])
        #expect(try await credits(node, of: ana) == ["18000"])
    }

    /// Another round at another price opens, a student leaves it and comes back; it is withdrawn
    /// with its listing, and is refunded.
    private static func repeatAndCancel(
        _ listing: String,
        _ sale: String,
        _ node: RunningMarket,
        _ ana: Address,
        _ bo: Address
    ) async throws {
        let now = try #require(node.market.saleIndex.time)
        let currency = try await node.market.sales.sale(sale, for: ana).price.currency
        let price = Money(amount: "50000", currency: currency)
        let next = Client.SaleMove(
            move: "repeat",
            price: price,
            course: terms(from: now.advanced(by: .days(1)), seats: 3)
        )
        try await move(next, sale, node, by: ana)
        try await node.settled(sale, "open", for: ana)
        try await enrol(listing, node, by: bo, round: 1, key: "enrol again")
        try await move(Client.SaleMove(move: "leave", round: 1), sale, node, by: bo)
        #expect(try await credits(node, of: bo) == ["50000"])
        try await enrol(listing, node, by: bo, round: 1, key: "back")
        let shown = try await node.market.sales.sale(sale, for: bo)
        #expect(shown.price == price)
        #expect(shown.course?.rounds.map(\.phase) == ["settled", "open"])
        #expect(shown.course?.rounds.map(\.own) == ["rated", "enrolled"])

        let planner = node.market.listingPlanner
        let preview = try await planner.withdraw(listing, by: ana).preview()
        #expect(preview.problems.isEmpty && preview.comesBack.isEmpty)
        #expect(preview.explanation.contains { $0.detail.contains("open round is cancelled") })
        _ = try await node.done(try await planner.withdraw(listing, by: ana).begin(key: "withdraw"))
        try await node.settled(sale, "cancelled", for: bo)
        try await move(Client.SaleMove(move: "refund", round: 1), sale, node, by: bo)
        #expect(try await credits(node, of: bo) == ["100000"])
    }
}
