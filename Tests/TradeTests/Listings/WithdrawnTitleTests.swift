import Answers
import Client
import Keys
import Market
import Support
import Testing
import Trade
import TradeSupport

/// The titles of earlier sales of a listing, on a development chain.
@Suite(.timeLimit(.minutes(5)))
struct WithdrawnTitleTests {
    @Test func `earlier sales keep their title after another price and a withdrawal`() async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let (planner, sales) = (node.market.listingPlanner, node.market.sales)
                let lamp = SaleExitsTests.thing("lamp")
                let (id, first) = try await SaleExitsTests.list(lamp, node, by: ana)
                for price in ["600000", "500000"] {
                    var content = try node.market.listings.listing(id).content
                    content.price.amount = price
                    let begun = try await planner.edit(id, content, by: ana).begin(key: price)
                    _ = try await node.done(begun)
                }
                #expect(try await sales.sale(first, for: ana).promised?.title == "lamp")
                let begun = try await planner.withdraw(id, by: ana).begin(key: "withdraw")
                _ = try await node.done(begun)
                try await node.until(ana) {
                    try await sales.sale(first, for: ana).listing == nil
                }
                let shown = try await sales.sale(first, for: ana)
                #expect(shown.promised?.title == "lamp" && shown.phase == "aborted")
                #expect(shown.title == "lamp")
            }
        }
    }

    @Test func `a sale whose words were replaced keeps the newest title of its listing`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let (planner, sales) = (node.market.listingPlanner, node.market.sales)
                let lamp = SaleExitsTests.thing("lamp")
                let (id, first) = try await SaleExitsTests.list(lamp, node, by: ana)
                var content = try node.market.listings.listing(id).content
                (content.price.amount, content.title) = ("600000", "red lamp")
                let edited = try await planner.edit(id, content, by: ana).begin(key: "edit")
                _ = try await node.done(edited)
                let begun = try await planner.withdraw(id, by: ana).begin(key: "withdraw")
                _ = try await node.done(begun)
                try await node.until(ana) {
                    try await sales.sale(first, for: ana).listing == nil
                }
                let shown = try await sales.sale(first, for: ana)
                #expect(shown.promised == nil && shown.title == "red lamp")
            }
        }
    }
}
