import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

/// As ``TradeCrashTests``: a listing of several pieces, whose node stops between their sales.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PiecesCrashTests {
    @Test func `each piece is listed once although the node stops in between`() async throws {
        try await CrashHarness.scoped(["ana"]) { crashHarness, people in
            try await crashHarness.listFirst("ana")
            var vases = CrashHarness.thing("vase")
            vases.pieces = 3
            // The first piece is for sale when the node stops, and nobody can find it yet.
            let list = CrashHarness.list(vases)
            let act = try await crashHarness.crashUntilMined("ana", transactions: 2, list)
            try await crashHarness.run { [crashHarness, act] node in
                let ana = try await crashHarness.signedIn("ana", on: node)
                let begun = try await ana.operation(try #require(act.id))
                _ = try await crashHarness.mined(begun, for: ana)
                let found = try await ana.listings(ListingSearch(text: "vase")).items
                #expect(found.map(\.pieces) == [Listing.Pieces(free: 3, total: 3)])
                #expect(try await ana.sales().items.count == 4)

                let id = try #require(found.first?.id)
                let change = PieceChange(add: 2)
                let preview = try await ana.preview(piecesOf: id, change)
                #expect(preview.problems.isEmpty, "\(preview.problems)")
                let deposit = preview.leaves.first { $0.purpose == "deposit" }
                #expect(deposit?.amount == "2000000000000000000")
                let added = try await ana.change(piecesOf: id, change)
                _ = try await crashHarness.mined(added, for: ana)
                #expect(try await ana.listing(id).pieces == Listing.Pieces(free: 5, total: 5))
            }
            let books = try await ChainBooks(of: crashHarness.harness)
            #expect(books.events == ["Listed": 6])
            // One ether is deposited for each.
            let left = try await books.balanceWithoutFees(of: people[0])
            #expect(left == "4000000000000000000")
        }
    }
}
