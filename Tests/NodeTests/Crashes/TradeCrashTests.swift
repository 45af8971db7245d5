import Client
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

/// Real processes of the program, each of which stops itself after a step of its journal; at the
/// end the chain itself says that everything was done once.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TradeCrashTests {
    /// Of a price of 0.5 the seller deposits 1 and the buyer 0.5; the platform takes 0.01.
    @Test func `a trade completes even if its node stops after each step`() async throws {
        try await CrashHarness.scoped(["ana", "bo"]) { crashHarness, people in
            // Ana's first listing lets the contract mint for her.
            let bicycle = CrashHarness.list(CrashHarness.thing("bicycle"))
            try await crashHarness.crash("ana", transactions: 2, bicycle)
            try await crashHarness.crash("bo", CrashHarness.buy("bicycle"))
            try await crashHarness.crash("ana", CrashHarness.move("transfer", "bicycle"))
            try await crashHarness.crash("bo", CrashHarness.move("confirm", "bicycle"))
            try await crashHarness.run { [crashHarness] node in
                _ = try await crashHarness.done(
                    "ana",
                    on: node,
                    CrashHarness.list(CrashHarness.thing("lamp"))
                )
            }
            try await crashHarness.crash("ana", CrashHarness.withdraw("lamp"))
            try await crashHarness.crash("ana", CrashHarness.collect)
            try await crashHarness.run { [crashHarness] node in
                _ = try await crashHarness.done("bo", on: node, CrashHarness.collect)
                let ana = try await crashHarness.signedIn("ana", on: node)
                #expect(Set(try await ana.sales().items.map(\.phase)) == ["complete", "aborted"])
                #expect(try await ana.listings(ListingSearch()).items.isEmpty)
                var search = ListingSearch()
                search.includesOver = true
                #expect(try await ana.listings(search).items.map(\.content.title) == ["bicycle"])
                #expect(try await ana.wallet().credits.isEmpty)
                let operations = try await ana.operations(limit: 100).items
                #expect(operations.count == 5 && operations.allSatisfy { $0.state == .done })
            }

            #expect(crashHarness.stops == 5 * 5 + 9)
            let books = try await ChainBooks(of: crashHarness.harness)
            #expect(books.count(of: people[0]) == (6, 0))
            #expect(books.count(of: people[1]) == (3, 0))
            #expect(
                books.events == [
                    "Listed": 2, "Bought": 1, "ItemTransferred": 1, "Ended": 2, "Credited": 5,
                    "Withdrawn": 2,
                ]
            )
            let ends = [(people[0], "10490000000000000000"), (people[1], "9500000000000000000")]
            for (account, amount) in ends {
                #expect(try await books.balanceWithoutFees(of: account) == amount)
            }
            #expect(
                try await books.balanceWithoutFees(of: crashHarness.harness.market.escrow)
                    == "10000000000000000"
            )
        }
    }
}
