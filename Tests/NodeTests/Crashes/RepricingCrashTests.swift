import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

/// As ``TradeCrashTests``: a change of a price, whose node stops between its transactions.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RepricingCrashTests {
    @Test func `a new price is listed once although the node stops in between`() async throws {
        try await CrashHarness.scoped(["ana"]) { crashHarness, people in
            try await crashHarness.listFirst("ana")
            let price = "400000000000000000"
            // The old sale is withdrawn when the node stops, and nothing else is signed; then its
            // deposit is paid out, too.
            let reprice = CrashHarness.reprice("lamp", price)
            let act = try await crashHarness.crashUntilMined("ana", transactions: 2, reprice)
            try await crashHarness.run { [crashHarness, act] node in
                let ana = try await crashHarness.signedIn("ana", on: node)
                let begun = try await ana.operation(try #require(act.id))
                _ = try await crashHarness.mined(begun, for: ana)
                let lamp = try #require(try await ana.listings(ListingSearch()).items.first)
                #expect(lamp.price?.amount == price && lamp.state == "open")
                let phases = try await ana.sales(showsReplaced: true).items.map(\.phase)
                #expect(Set(phases) == ["listed", "aborted"])
                #expect(try await ana.sales().items.map(\.phase) == ["listed"])
            }
            let books = try await ChainBooks(of: crashHarness.harness)
            #expect(books.count(of: people[0]) == (6, 0))
            #expect(
                books.events == ["Listed": 2, "Ended": 1, "Credited": 1, "Withdrawn": 1]
            )
            let left = try await books.balanceWithoutFees(of: people[0])
            #expect(left == "9200000000000000000")
        }
    }
}
