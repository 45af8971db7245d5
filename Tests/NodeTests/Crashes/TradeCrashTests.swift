import Client
import Contracts
import Foundation
import Keys
import Market
import Node
import Support
import Testing

/// Real processes of the program, each of which stops itself after a step of its journal; at the
/// end the chain itself says that everything was done once.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TradeCrashTests {
    /// Of a price of 0.5 the seller deposits 1 and the buyer 0.5; the platform takes 0.01.
    @Test func `a trade ends right when its node stops after every step`() async throws {
        try await TradeRig.scoped { rig in
            let folder = try TemporaryFolder()
            var town = try await CrashTown(rig: rig, folder: folder)
            let people = try await town.settle(["ana", "bo"])
            try await town.crash("ana", CrashTown.list(CrashTown.thing("bicycle")))
            try await town.crash("bo", CrashTown.buy("bicycle"))
            try await town.crash("ana", CrashTown.move("transfer", "bicycle"))
            try await town.crash("bo", CrashTown.move("confirm", "bicycle"))
            try await town.run { [town] node in
                _ = try await town.done("ana", on: node, CrashTown.list(CrashTown.thing("lamp")))
            }
            try await town.crash("ana", CrashTown.withdraw("lamp"))
            try await town.crash("ana", CrashTown.collect)
            try await town.run { [town] node in
                _ = try await town.done("bo", on: node, CrashTown.collect)
                let ana = try await town.signedIn("ana", on: node)
                #expect(Set(try await ana.sales().items.map(\.phase)) == ["complete", "aborted"])
                #expect(try await ana.listings(ListingSearch()).items.isEmpty)
                var search = ListingSearch()
                search.includesOver = true
                #expect(try await ana.listings(search).items.map(\.content.title) == ["bicycle"])
                #expect(try await ana.wallet().credits.isEmpty)
                let operations = try await ana.operations(limit: 100).items
                #expect(operations.count == 5 && operations.allSatisfy { $0.state == "done" })
            }

            #expect(town.stops == 6 * 5)
            let books = try await ChainBooks(of: rig)
            #expect(books.count(of: people[0]) == (5, 0))
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
                try await books.balanceWithoutFees(of: rig.market.escrow) == "10000000000000000"
            )
        }
    }
}
