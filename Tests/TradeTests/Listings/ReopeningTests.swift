import AccountAccess
import Answers
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

/// Listings that the node lists again because the buyer of an accepted offer has not paid.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReopeningTests {
    private static let on = DeadlineSettings(executes: true)
    /// Of which a tenth is more than the fee of listing again.
    private static let price: UInt64 = 1_000_000_000_000_000_000
    private static let offered: UInt64 = 600_000_000_000_000_000

    /// Waits until the thing is on sale to anyone as before.
    private static func reopened(_ market: ReservedMarket) async throws {
        try await waitUntil {
            let shown = try market.node.market.listings.listing(market.listing)
            let content = shown.content
            return shown.state == "open" && shown.price?.amount == "\(price)"
                && content.direct?.buyer == nil && content.terms?.buyer == nil
        }
    }

    @Test(arguments: ["escrow", "direct"])
    func `a signed-in seller's listing comes back by itself`(payment: String) async throws {
        try await ReservedMarket.run(payment, price: Self.price, deadlines: Self.on) { market in
            let offer = try market.offer(Self.offered, by: market.bo)
            let preview = try await market.proposal(offer).preview()
            let codes = preview.explanation.map(\.code)
            #expect(codes.suffix(2) == ["preview.offerReopens", "preview.reopenFee"])
            let reserved = try await market.accept(offer)
            try await market.passPayment()
            try await Self.reopened(market)
            #expect(try await market.current().id != reserved.id)
            #expect(try market.state(of: offer) == "over")
            // One operation ends the sale and lists again: nothing was ended before.
            let made = try market.operations()
            #expect(made.filter { $0.kind == .move }.isEmpty)
            #expect(made.filter { $0.kind == .edit }.count == 2)
        }
    }

    @Test func `a locked seller's listing comes back at the next sign-in`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let known = Kept<(market: ReservedMarket, reserved: String)>()
            try await harness.run(in: folder) { node in
                let market = try await ReservedMarket.list(
                    "escrow",
                    price: Self.price,
                    node,
                    harness
                )
                let reserved = try await market.accept(
                    try market.offer(Self.offered, by: market.bo)
                )
                let end = UnattendedRequest(
                    password: "correct horse",
                    moves: ["end"],
                    seconds: 60 * 86_400
                )
                _ = try await node.accounts.leaveAlone("ana", end, by: .operator)
                known.value = (market, reserved.id)
            }
            let (before, reserved) = try #require(known.value)
            try await harness.run(in: folder, deadlines: Self.on) { node in
                let market = before.on(node)
                try await node.market.service.until { $0.health == .following }
                try await market.passPayment()
                // What was left to the node covers the end of the sale, and not a new one.
                try await node.settled(reserved, "aborted", for: market.ana)
                #expect(try await market.current().id == reserved)
                try await node.signIn("ana")
                try await Self.reopened(market)
                let made = try market.operations()
                #expect(made.filter { $0.kind == .move }.count == 1)
            }
        }
    }

    @Test func `only a listing that stayed reserved comes back, within 30 days`() async throws {
        try await ReservedMarket.run("direct") { market in
            let node = market.node
            func returned(_ account: Address, after seconds: Int64) throws -> DueMove? {
                let found = try node.store.found(ListingID(market.listing))
                let reference = try #require(found.listing.sale)
                let sale = try #require(node.market.saleIndexes.view(of: reference)?.sale)
                let end = sale.state.offer?.offer.reservation?.until
                return try market.planner.reopening(
                    after: sale,
                    for: account,
                    at: ChainTime(seconds: UInt64(Int64((end ?? sale.since).seconds) + seconds))
                )
            }
            #expect(try returned(market.ana, after: 0) == nil)
            let reserved = try await market.accept(try market.offer(600_000, by: market.bo))
            let move = try #require(try returned(market.ana, after: 0))
            #expect(move.name == "reopen" && move.unattended == .end)
            #expect(try returned(market.ana, after: -1) == nil)
            #expect(try returned(market.bo, after: 0) == nil)
            let month: Int64 = 30 * 86_400
            #expect(try returned(market.ana, after: month - 1) != nil)
            #expect(try returned(market.ana, after: month) == nil)
            // The seller's own decision stands.
            try await SaleExitsTests.move("abort", reserved.id, node, by: market.ana)
            try await node.settled(reserved.id, "aborted", for: market.ana)
            #expect(try returned(market.ana, after: 0) == nil)
        }
    }
}
