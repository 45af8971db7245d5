import AccountAccess
import Client
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Storage
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// Deadlines of a node's own sales, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeadlineWatcherTests {
    private static let on = DeadlineSettings(executes: true)

    /// The news of deadlines that an account was told, in order.
    private static func news(
        of account: Address,
        _ node: RunningMarket
    ) throws -> [DeadlineNews] {
        let page = try node.store.read { try $0.events(of: account, after: 0, limit: 1_000) }
        return try page.events.compactMap { DeadlineNews(try $0.event.shown($0.number)) }
    }

    /// The operations that make a move for an account.
    private static func moves(_ node: RunningMarket, of account: Address) throws -> [Operation] {
        try node.operations.operations(of: account, limit: 100).items.filter { $0.kind == .move }
    }

    private typealias Operation = Client.Operation

    /// A price of 0.01 ETH, more than the fee of a move.
    private static let price = "10000000000000000"

    /// Brings a sale to the phase in which the buyer can dispute.
    private static func transferred(
        _ title: String,
        for price: String = Self.price,
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address, sale: String) {
        let (ana, bo) = try await SaleExitsTests.parties(node, harness)
        var thing = SaleExitsTests.thing(title)
        thing.price.amount = price
        let (listing, sale) = try await SaleExitsTests.list(thing, node, by: ana)
        try await SaleExitsTests.buy(listing, sale, node, by: bo)
        try await SaleExitsTests.move("transfer", sale, node, by: ana)
        try await node.settled(sale, "transferred", for: ana)
        return (ana, bo, sale)
    }

    private static func pass(hours: Int64, _ harness: MarketHarness) async throws {
        try await AuctionTradeTests.pass(.seconds(3_600 * hours), harness)
    }

    /// Waits until the node has followed some blocks more.
    private static func follow(_ blocks: UInt64, _ node: RunningMarket) async throws {
        let from = node.market.saleIndex.applied?.number ?? 0
        try await node.market.service.until { _ in
            (node.market.saleIndex.applied?.number ?? 0) >= from + blocks
        }
    }

    @Test func `reminds parties once despite restarts; a locked one moves later`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, bo: Address, sale: String)>()
            try await harness.run(in: folder, deadlines: Self.on) { node in
                let found = try await Self.transferred("lamp", node, harness)
                known.value = found
                // The window to dispute is 21 days.
                try await Self.pass(hours: 21 * 24 - 20, harness)
                for account in [found.ana, found.bo] {
                    try await node.until(account) { try !Self.news(of: account, node).isEmpty }
                }
            }
            let (ana, bo, sale) = try #require(known.value)
            try await harness.run(in: folder, deadlines: Self.on) { node in
                try await node.market.service.until { $0.health == .following }
                try await Self.pass(hours: 15, harness)
                try await node.until(ana) { try Self.news(of: ana, node).count > 1 }
                try await node.until(bo) { try Self.news(of: bo, node).count > 1 }
                let seller = try Self.news(of: ana, node)
                #expect(seller.map(\.hoursLeft) == [24, 6])
                #expect(seller.allSatisfy { $0.role == "seller" && $0.opens == ["claim"] })
                let buyer = try Self.news(of: bo, node)
                #expect(buyer.map(\.hoursLeft) == [24, 6])
                #expect(buyer.allSatisfy { $0.closes == ["dispute"] && $0.problem == nil })

                // Both are locked since the restart, so nobody claims.
                try await Self.pass(hours: 6, harness)
                try await node.until(ana) { try Self.news(of: ana, node).last?.hoursLeft == 0 }
                try await Self.follow(4, node)
                #expect(try Self.news(of: ana, node).map(\.hoursLeft) == [24, 6, 0])
                #expect(try Self.moves(node, of: ana).count == 1)

                try await node.signIn("ana")
                try await node.settled(sale, "complete", for: bo)
                let made = try Self.moves(node, of: ana)
                #expect(made.count == 2 && made.first?.subject == sale)
                #expect(try Self.moves(node, of: bo).isEmpty)
                let history = try await node.market.sales.sale(sale, for: ana).history
                #expect(history.last?.move == "claim" && history.last?.by == ana.checksummed)
            }
        }
    }

    @Test func `the other party moves ten minutes later if the first one is locked`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, bo: Address, sale: String)>()
            try await harness.run(in: folder) { node in
                known.value = try await Self.transferred("vase", node, harness)
            }
            let (_, bo, sale) = try #require(known.value)
            try await harness.run(in: folder, deadlines: Self.on) { node in
                try await node.market.service.until { $0.health == .following }
                try await node.signIn("bo")
                try await Self.pass(hours: 21 * 24, harness)
                try await Self.follow(4, node)
                #expect(try Self.moves(node, of: bo).isEmpty)
                try await AuctionTradeTests.pass(.seconds(600), harness)
                try await node.settled(sale, "complete", for: bo)
                #expect(try Self.moves(node, of: bo).count == 1)
            }
        }
    }

    @Test func `tries a refused move again when its wait is over`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, bo: Address, sale: String)>()
            try await harness.run(in: folder) { node in
                known.value = try await Self.transferred("fan", node, harness)
            }
            let (ana, _, sale) = try #require(known.value)
            try await harness.run(in: folder, deadlines: Self.on) { node in
                try await node.market.service.until { $0.health == .following }
                try await node.signIn("ana")
                try await harness.dev.control(
                    "evm_setBalance",
                    #"["\#(ana.checksummed)", "0x0"]"#
                )
                try await Self.pass(hours: 21 * 24, harness)
                try await node.until(ana) { try Self.news(of: ana, node).last?.problem != nil }
                try await harness.dev.fund(ana)
                // Nothing else happens to the sale or the account.
                try await AuctionTradeTests.pass(.seconds(660), harness)
                try await node.settled(sale, "complete", for: ana)
            }
        }
    }

    @Test func `no deadline passes by a block from the future`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, bo: Address, sale: String)>()
            try await harness.run(in: folder) { node in
                known.value = try await Self.transferred("globe", node, harness)
            }
            let (ana, bo, sale) = try #require(known.value)
            var bounded = harness
            bounded.headLeadSecondsMax = 900
            try await bounded.run(in: folder, deadlines: Self.on) { node in
                try await node.market.service.until { $0.health == .following }
                try await node.signIn("ana")
                try await Self.pass(hours: 22 * 24, harness)
                try await node.market.service.until { $0.health == .stale(.futureTimestamp) }
                try await Self.follow(2, node)
                #expect(try Self.moves(node, of: ana).count == 1)
                for account in [ana, bo] { #expect(try Self.news(of: account, node).isEmpty) }
            }
            // Where people move the time, the same block counts.
            try await harness.run(in: folder, deadlines: Self.on) { node in
                try await node.market.service.until { $0.health == .following }
                try await node.signIn("ana")
                try await node.settled(sale, "complete", for: bo)
            }
        }
    }

    @Test(arguments: [JournalStep.intentRecorded, .signed, .broadcast])
    func `makes a deadline's move once if the node stops in the middle`(
        step: JournalStep
    ) async throws {
        struct Stopped: Error {}
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, bo: Address, sale: String)>()
            try await harness.run(in: folder) { node in
                known.value = try await Self.transferred("cup", node, harness)
            }
            let (ana, bo, sale) = try #require(known.value)
            try await Self.pass(hours: 21 * 24, harness)
            let stop: TransactionSender.StepHook = { if $0 == step { throw Stopped() } }
            await #expect(throws: Stopped.self) {
                try await harness.run(in: folder, deadlines: Self.on, afterStep: stop) { node in
                    try await node.signIn("ana")
                    try await node.settled(sale, "complete", for: bo)
                }
            }
            try await harness.run(in: folder, deadlines: Self.on) { node in
                try await node.signIn("ana")
                try await node.settled(sale, "complete", for: bo)
                try await Self.follow(4, node)
                let made = try Self.moves(node, of: ana)
                // The transfer, and one claim.
                #expect(made.count == 2 && made.allSatisfy { $0.state != .failed })
                // Those two, the listing, and the permission to mint before it.
                let sent = try await node.market.client.perform(
                    .transactionCount(of: ana, at: .latest)
                )
                #expect(sent.amount == Amount(small: 4))
            }
        }
    }

    @Test func `refunds a student the price of a round that never began`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder, deadlines: Self.on) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let now = try #require(node.market.saleIndex.time)
                var course = SaleExitsTests.thing("knots")
                (course.type, course.category, course.payment) = ("course", "course", "enrolment")
                course.price.amount = Self.price
                course.course = Client.CourseTerms(
                    seats: 2,
                    startsAt: now.seconds + 86_400,
                    endsAt: now.seconds + 2 * 86_400
                )
                let (listing, sale) = try await SaleExitsTests.list(course, node, by: ana)
                try await node.settled(sale, "open", for: ana)
                let begun = try await node.market.purchases.buy(
                    Purchase(listing: listing, round: 0),
                    by: bo
                ).begin(key: "enrol")
                _ = try await node.done(begun)
                // Three days to begin, from the start on.
                try await Self.pass(hours: 4 * 24, harness)
                try await node.settled(sale, "cancelled", for: bo)
                try await node.until(bo) {
                    let shown = try await node.market.sales.sale(sale, for: bo)
                    return shown.course?.rounds[0].own == "refunded"
                }
                let history = try await node.market.sales.sale(sale, for: bo).history
                #expect(history.suffix(2).map(\.move) == ["cancel", "refund"])
                #expect(history.suffix(2).allSatisfy { $0.by == bo.checksummed })
                #expect(try Self.moves(node, of: ana).isEmpty)
            }
        }
    }

    @Test func `makes no move of which the fee is over a tenth, and reports it`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder, deadlines: Self.on) { node in
                let (ana, bo, sale) = try await Self.transferred(
                    "pin",
                    for: "1000000",
                    node,
                    harness
                )
                try await Self.pass(hours: 21 * 24 + 1, harness)
                // It may fall with the next block.
                try await Self.follow(4, node)
                for account in [ana, bo] {
                    #expect(try Self.news(of: account, node).allSatisfy { $0.problem == nil })
                }
                for account in [ana, bo] {
                    var last: DeadlineNews?
                    while last?.problem == nil {
                        try await AuctionTradeTests.pass(.seconds(240), harness)
                        try await Self.follow(2, node)
                        last = try Self.news(of: account, node).last
                    }
                    let problem = last?.problem ?? ""
                    #expect(problem.contains("more than a tenth of the"))
                    #expect(last?.opens == ["claim"])
                }
                try await Self.follow(4, node)
                #expect(try await node.market.sales.sale(sale, for: ana).phase == "transferred")
                // The transfer alone.
                #expect(try Self.moves(node, of: ana).count == 1)
                #expect(try Self.moves(node, of: bo).isEmpty)
                // It stays open to who wants it all the same.
                try await SaleExitsTests.move("claim", sale, node, by: ana)
                try await node.settled(sale, "complete", for: bo)
            }
        }
    }

    @Test func `makes no move for an excepted account, and reports it`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(ana: Address, bo: Address, sale: String)>()
            try await harness.run(in: folder) { node in
                known.value = try await Self.transferred("bowl", node, harness)
            }
            let (ana, bo, sale) = try #require(known.value)
            let settings = DeadlineSettings(executes: true, except: [ana, bo])
            try await harness.run(in: folder, deadlines: settings) { node in
                try await node.market.service.until { $0.health == .following }
                for name in ["ana", "bo"] { try await node.signIn(name) }
                try await Self.pass(hours: 21 * 24 + 1, harness)
                try await node.until(ana) { try Self.news(of: ana, node).last?.hoursLeft == 0 }
                try await Self.follow(4, node)
                #expect(try await node.market.sales.sale(sale, for: ana).phase == "transferred")
                #expect(try Self.news(of: ana, node).last?.opens == ["claim"])
            }
        }
    }
}

/// What one run of a node leaves to the next.
final class Kept<Value: Sendable>: Sendable {
    private let kept = Mutex<Value?>(nil)

    var value: Value? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }
}
