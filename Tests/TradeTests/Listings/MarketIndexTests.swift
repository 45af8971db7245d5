import AccountAccess
import Answers
import Client
import Concurrency
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade
import TradeSupport

/// Which listings words of a title find among those on this node.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MarketIndexTests {
    /// - From people: words of a title that other listings also have, including sold or free ones →
    ///   ambiguous_id
    @Test func `title words buy a listing on sale; a single match names its seller`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await MarketServicesTests.parties(node, harness)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                let catalogue = try Catalogue(path: folder.path("titles"), store: node.store)
                let index = MarketIndex(
                    store: node.store,
                    catalogue: catalogue,
                    saleIndexes: node.market.saleIndexes,
                    clock: .system
                )
                #expect(try await index.listing("bicycle", by: .all) == listing)
                // More than a page of records that cost their author nothing.
                for number in 0...100 as ClosedRange<UInt64> {
                    try await Self.give("bicycle", number, by: bo, like: sale, on: node, harness)
                }
                #expect(try await index.listing("bicycle", by: .onSale) == listing)
                #expect(try await index.listing("bicycle", by: .none) == "bicycle")
                #expect(try await index.listing("red bicycle", by: .all) == listing)
                let many = await #expect(throws: Refusal.self) {
                    try await index.listing("bicycle", by: .all)
                }
                #expect(many?.code == .ambiguousID)
                // For what only its owner can do, the others' do not count, whatever they are called.
                #expect(
                    try await index.listing("bicycle", by: .all, preferring: ana) == listing
                )
                let digits = String(try ListingID(listing).slot.hex.prefix(10))
                #expect(
                    try await index.listing(digits, by: .none, preferring: ana) == listing
                )
                var second = MarketServicesTests.bicycle
                second.identifier = "WTU-123 457"
                _ = try await node.done(
                    try await node.market.listingPlanner.create(second, by: ana).begin(key: "2")
                )
                let two = await #expect(throws: Refusal.self) {
                    try await index.listing("bicycle", by: .onSale)
                }
                #expect(two?.code == .ambiguousID && two?.detail.contains(listing) == true)
            }
        }
    }

    /// Stores a listing that no sale backs.
    private static func give(
        _ title: String,
        _ number: UInt64,
        by author: Address,
        like sale: String,
        on node: RunningMarket,
        _ harness: MarketHarness
    ) async throws {
        var content = MarketServicesTests.bicycle
        content.title = title
        let id = try #require(Bytes32(hex: sale))
        let time = try #require(node.market.saleIndex.view(of: SaleID(id))).sale.position.time
        let now = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        let record = try RecordDraft(
            network: "test",
            author: author,
            content: .listing(content.listing(in: node.market.saleIndex, seller: author, at: time)),
            slot: Bytes32(words: number, 1, 2, 3),
            createdAt: now
        ).signed(by: try #require(await node.accounts.key(of: author)))
        let entry = RecordEntry(record, lane: .open)
        _ = try await node.store.write { try $0.put([entry], at: now) }
    }
}
