import Answers
import Client
import Ethereum
import Support
import Testing
import Trade
import TradeSupport

/// How long a late bid leaves for an answer, on a chain whose blocks take a known time.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AuctionBlockTests {
    /// - From people: an auction whose extension is shorter than five blocks of its chain →
    ///   bad_terms
    @Test func `an auction's extension lasts at least five blocks`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                // The last blocks are twenty seconds apart.
                try await harness.dev.control("evm_setIntervalMining", "[0]")
                let before = try #require(node.market.saleIndex.applied?.number)
                for _ in 0..<40 { try await AuctionTradeTests.pass(.seconds(20), harness) }
                try await node.market.service.until { _ in
                    (node.market.saleIndex.applied?.number ?? 0) >= before + 40
                }

                var print = AuctionTradeTests.print()
                print.auction = Client.AuctionTerms(extensionSeconds: 60)
                let short = print
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.listingPlanner.create(short, by: ana).begin(key: "short")
                }
                #expect(refused?.code == .badTerms && refused?.field == "auction.extensionSeconds")
                #expect(refused?.detail.contains("so a late bid must leave at least") == true)
                print.auction = Client.AuctionTerms(extensionSeconds: 3_600)
                let preview = try await node.market.listingPlanner.create(print, by: ana).preview()
                #expect(preview.problems.isEmpty)
            }
        }
    }
}
