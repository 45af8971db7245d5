import Answers
import Client
import Ethereum
import Foundation
import Market
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

    /// - From people: a bid or purchase that the chain's next block would take after the offer's end →
    ///   listing_gone
    @Test func `a bid that would be mined after the end is not signed`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let print = AuctionTradeTests.print()
                let (listing, sale) = try await SaleExitsTests.list(print, node, by: ana)
                try await node.settled(sale, "ready", for: bo)
                let shown = try await node.market.sales.sale(sale, for: bo)
                let end = try #require(shown.auction?.endsAt).timeIntervalSince1970
                func left() throws -> Int64 {
                    let time = try #require(node.market.saleIndex.time)
                    return Int64(end) - Int64(time.seconds)
                }
                try await harness.dev.control("evm_setIntervalMining", "[0]")
                let before = try #require(node.market.saleIndex.applied?.number)
                let first = try left() - 1_000
                try await AuctionTradeTests.pass(.seconds(first), harness)
                for _ in 0..<40 { try await AuctionTradeTests.pass(.seconds(20), harness) }
                try await node.market.service.until { _ in
                    (node.market.saleIndex.applied?.number ?? 0) >= before + 41
                }
                let bid = Purchase(listing: listing, bid: "10000")
                let preview = try await node.market.purchases.buy(bid, by: bo).preview()
                #expect(preview.problems.isEmpty)
                let last = try left() - 12
                try await AuctionTradeTests.pass(.seconds(last), harness)
                try await node.market.service.until { _ in
                    (node.market.saleIndex.applied?.number ?? 0) >= before + 42
                }
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(bid, by: bo).begin(key: "late")
                }
                #expect(refused?.code == .listingGone)
                #expect(refused?.reason?.first?.code == "refusal.mayBeLate")
            }
        }
    }
}
