import AccountAccess
import Client
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Support
import Testing
import TradeSupport

@testable import Trade

/// Listings that come back by themselves if the buyer of an accepted offer does not pay, on a
/// development chain.
///
/// Trade is imported as testable: the offers here come without mail.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReopeningTests {
    private static let on = DeadlineSettings(executes: true)
    /// A tenth of the deposit is more than the fee of ending the sale.
    private static let price: UInt64 = 1_000_000_000_000_000_000

    /// Runs a body after Ana has accepted Bo's offer of half the price.
    private static func run(
        _ payment: String,
        _ body: @escaping @Sendable (ReservedMarket, Client.Sale) async throws -> Void
    ) async throws {
        try await ReservedMarket.run(payment, price: price, deadlines: on) { market in
            let offer = try market.offer(price / 2, by: market.bo)
            try await body(market, try await market.accept(offer))
        }
    }

    /// Runs a body on a node that was started again, with nobody signed in, after Ana has accepted
    /// Bo's offer of half the price and has done `before`.
    private static func runAgain(
        before: @escaping @Sendable (ReservedMarket) async throws -> Void = { _ in },
        _ body: @escaping @Sendable (ReservedMarket, Client.Sale) async throws -> Void
    ) async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = try await accepted(in: folder, harness, before)
            try await harness.run(in: folder, deadlines: on) { node in
                try await node.market.service.until { $0.health == .following }
                try await body(ReservedMarket(known.facts, on: node, harness), known.sale)
            }
        }
    }

    private static func accepted(
        in folder: TemporaryFolder,
        _ harness: MarketHarness,
        _ before: @escaping @Sendable (ReservedMarket) async throws -> Void = { _ in }
    ) async throws -> (facts: ReservedMarket.Facts, sale: Client.Sale) {
        let known = Kept<(facts: ReservedMarket.Facts, sale: Client.Sale)>()
        try await harness.run(in: folder, deadlines: on) { node in
            let market = try await ReservedMarket("escrow", price: price, node, harness)
            let offer = try market.offer(price / 2, by: market.bo)
            known.value = (market.facts, try await market.accept(offer))
            try await before(market)
        }
        return try #require(known.value)
    }

    private static func count(_ kind: Client.Operation.Kind, _ market: ReservedMarket) throws -> Int
    {
        try market.operations().count { $0.kind == kind }
    }

    @Test(arguments: ["escrow", "direct"])
    func `an unpaid item is listed again once, as before the offer`(payment: String) async throws {
        try await ReservedMarket.run(payment, price: Self.price, deadlines: Self.on) { market in
            let first = try market.node.market.listings.listing(market.listing).content
            let offer = try market.offer(Self.price / 2, by: market.bo)
            let preview = try await market.proposal(offer).preview()
            let codes = preview.explanation.map(\.code)
            #expect(codes.suffix(2) == ["preview.offerReopens", "preview.reopeningNeeds"])
            #expect(!codes.contains("preview.offerUnpaid"))
            let reserved = try await market.accept(offer)
            #expect(reserved.ifUnpaid?.map(\.code) == ["reopening.planned"])
            let buyers = try await market.node.market.sales.sale(reserved.id, for: market.bo)
            #expect(buyers.ifUnpaid == nil)
            let consent = try #require(try market.consents().first)
            #expect(consent.sale.id.description == reserved.id)
            #expect(consent.first.description == market.sale)

            try await market.passPayment()
            let told = try await market.told()
            #expect(told.map(\.subject) == [reserved.id])
            #expect(told.first?.data["state"] == "listed")
            let again = try await market.current()
            #expect(again.id != reserved.id && again.id != market.sale)
            let shown = try market.node.market.listings.listing(market.listing)
            #expect(shown.state == "open" && shown.price?.amount == "\(Self.price)")
            #expect(shown.content.direct?.buyer == nil && shown.content.terms?.buyer == nil)
            #expect(shown.content.terms?.sellerDeposit == first.terms?.sellerDeposit)
            // No other move, and nothing of it again.
            try await market.follow(6)
            #expect(try Self.count(.edit, market) == 2 && Self.count(.move, market) == 0)
            #expect(try market.reopenings().count == 1)
        }
    }

    @Test func `a reservation by hand is not listed again by itself`() async throws {
        try await ReservedMarket.run("escrow", price: Self.price, deadlines: Self.on) { market in
            var content = try market.node.market.listings.listing(market.listing).content
            let seconds = try market.time().seconds + ReservedMarket.paymentSeconds
            content.price.amount = "\(Self.price / 2)"
            var terms = Client.EscrowTerms()
            terms.buyer = market.bo.checksummed
            terms.offerUntil = seconds
            content.terms = terms
            let edit = try market.planner.edit(market.listing, content, by: market.ana)
            _ = try await market.node.done(try await edit.begin(key: "by hand"))
            let reserved = try await market.current()
            #expect(try market.consents().isEmpty && reserved.ifUnpaid == nil)
            try await market.passPayment()
            try await market.ended(reserved)
            try await market.follow(6)
            #expect(try await market.current().id == reserved.id)
            #expect(try market.reopenings().isEmpty)
        }
    }

    @Test(arguments: ["escrow", "direct"])
    func `a payment in the last minutes stands, and ends the consent`(
        payment: String
    ) async throws {
        try await Self.run(payment) { market, reserved in
            let left: UInt64 = 900
            try await AuctionTradeTests.pass(
                .seconds(Int64(ReservedMarket.paymentSeconds - left)),
                market.harness
            )
            let purchase = Purchase(listing: market.listing)
            let begun = try await market.node.market.purchases.buy(purchase, by: market.bo).begin(
                key: "bo"
            )
            _ = try await market.node.done(begun)
            let phase = payment == "escrow" ? "paid" : "sold"
            try await market.node.settled(reserved.id, phase, for: market.bo)
            try await market.passPayment()
            try await waitUntil { try market.consents().isEmpty }
            try await market.follow(4)
            #expect(try await market.current().id == reserved.id)
            #expect(try Self.count(.edit, market) == 1 && market.reopenings().isEmpty)
        }
    }

    @Test func `an abort by hand goes first, and nothing is listed again`() async throws {
        try await Self.run("escrow") { market, reserved in
            try await SaleExitsTests.move("abort", reserved.id, market.node, by: market.ana)
            #expect(try market.consents().isEmpty)
            try await market.passPayment()
            try await market.ended(reserved)
            try await market.follow(6)
            #expect(try Self.count(.edit, market) == 1 && market.reopenings().isEmpty)
        }
    }

    @Test func `a seller who is signed out gets the listing back at the next sign-in`() async throws
    {
        try await Self.runAgain { market, reserved in
            try await market.passPayment()
            try await market.follow(6)
            #expect(try market.consents().count == 1)
            #expect(try Self.count(.edit, market) == 1 && Self.count(.move, market) == 0)
            let due = try await market.node.market.sales.sale(reserved.id, for: market.ana)
            #expect(due.ifUnpaid?.map(\.code) == ["reopening.due"])
            try await market.node.signIn("ana")
            #expect(try await market.told().first?.data["state"] == "listed")
            #expect(try await market.current().id != reserved.id)
        }
    }

    /// Leaving the end of sales to the node is no consent to list anything.
    @Test func `a sale that was left to the node is only ended`() async throws {
        try await Self.runAgain(before: { market in
            let request = UnattendedRequest(
                password: "correct horse",
                moves: ["end"],
                seconds: 60 * 86_400
            )
            _ = try await market.node.accounts.leaveAlone("ana", request, by: .operator)
        }) { market, reserved in
            try await market.passPayment()
            try await market.ended(reserved)
            let told = try await market.told()
            let codes = told.first?.words?.map(\.code)
            #expect(codes == ["reopening.ended", "reopening.byHand"])
            try await market.node.signIn("ana")
            try await market.follow(6)
            #expect(try Self.count(.edit, market) == 1 && market.reopenings().count == 1)
        }
    }

    @Test func `without money for the deposit the sale ends, and its seller is told`()
        async throws
    {
        try await Self.run("escrow") { market, reserved in
            // Half an ether, and the one that the reserved sale holds: two are needed.
            try await market.harness.dev.control(
                "evm_setBalance",
                #"["\#(market.ana.checksummed)", "0x6f05b59d3b20000"]"#
            )
            try await market.passPayment()
            let told = try await market.told()
            let codes = told.first?.words?.map(\.code) ?? []
            #expect(told.first?.data["state"] == "ended")
            #expect(codes.first == "reopening.failed" && codes.last == "reopening.byHand")
            #expect(codes.contains("refusal.insufficientReturned"), "\(codes)")
            try await market.ended(reserved)
            let credits = try await market.node.market.wallets.wallet(of: market.ana).credits
            #expect(credits.contains { $0.money.amount == "\(Self.price)" }, "\(credits)")
            let preview = try market.planner.reopen(market.listing, by: market.ana)
            #expect(try await preview.preview().problems.map(\.code) == ["insufficient_balance"])
        }
    }

    @Test(arguments: [JournalStep.intentRecorded, .signed, .broadcast])
    func `an item is listed again once if the node stops in the middle`(
        step: JournalStep
    ) async throws {
        struct Stopped: Error {}
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let (former, reserved) = try await Self.accepted(in: folder, harness)
            try await ReservedMarket.passPayment(harness)
            let stop: TransactionSender.StepHook = { if $0 == step { throw Stopped() } }
            await #expect(throws: Stopped.self) {
                try await harness.run(in: folder, deadlines: Self.on, afterStep: stop) { node in
                    try await node.signIn("ana")
                    _ = try await ReservedMarket(former, on: node, harness).told()
                }
            }
            try await harness.run(in: folder, deadlines: Self.on) { node in
                let market = ReservedMarket(former, on: node, harness)
                try await node.signIn("ana")
                #expect(try await market.told().map { $0.data["state"] } == ["listed"])
                #expect(try await market.current().id != reserved.id)
                try await market.follow(6)
                #expect(try Self.count(.edit, market) == 2 && Self.count(.move, market) == 0)
                #expect(try market.operations().allSatisfy { $0.state == .done })
                #expect(try market.reopenings().count == 1)
            }
        }
    }
}
