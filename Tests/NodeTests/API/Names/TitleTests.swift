import AccountAccess
import Answers
import Client
import Foundation
import Keys
import Market
import Node
import Storage
import Support
import Testing

/// What words of a title mean, if others may write any title.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TitleTests {
    /// - From people: a move or a review in a sale that is given by words of a title, over the API
    ///   → unknown_sale
    @Test func `finds a sale by its promised title, but a move needs its id`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            try await market.asking(market.ana) { ana in
                var words = MarketNode.bicycle
                words.title = "Golden lamp"
                let begun = try await ana.edit(listing: listing, words)
                #expect(try await ana.follow(begun) { _ in }.state == .done)
                #expect(try await ana.listing("lamp").id == listing)
                let unknown = await #expect(throws: Problem.self) { try await ana.sale("lamp") }
                #expect(unknown?.code == ProblemCode.unknownSale.rawValue)

                let abort = SaleMove(move: "abort")
                let preview = try await ana.preview(sale: "red bicycle", abort)
                #expect(preview.subject == sale && preview.sale?.id == sale)
                #expect(preview.sale?.title == "Red bicycle")
                #expect(preview.sale?.others.isEmpty == true)
                let refused = await #expect(throws: Problem.self) {
                    try await ana.move(sale: "red bicycle", abort)
                }
                #expect(refused?.code == ProblemCode.unknownSale.rawValue)
            }
            // Neither the shorter nor the older of two titles is the one that is meant.
            let other = try await market.list(title: "bicycle").sale
            try await market.asking(market.ana) { ana in
                let refused = await #expect(throws: Problem.self) {
                    try await ana.preview(sale: "bicycle", SaleMove(move: "abort"))
                }
                #expect(refused?.code == ProblemCode.ambiguousID.rawValue)
                #expect(refused?.detail.contains(sale) == true)
                #expect(refused?.detail.contains(other) == true)
                let begun = try await ana.move(
                    sale: String(sale.prefix(12)),
                    SaleMove(move: "abort")
                )
                #expect(try await ana.follow(begun) { _ in }.state == .done)
            }
            // One that is over has this very title, so an open one is not taken for it.
            let stand = try await market.list(title: "Red bicycle stand").sale
            try await market.asking(market.ana) { ana in
                let either = await #expect(throws: Problem.self) {
                    try await ana.sale("red bicycle")
                }
                #expect(either?.code == ProblemCode.ambiguousID.rawValue)
                #expect(either?.detail.contains(stand) == true)
                let found = try await ana.sale("red bic").id
                #expect(found == stand)
            }
        }
    }

    /// - From people: words of a title that other listings also have, including sold or free ones →
    ///   ambiguous_id
    @Test func `title words buy a listing on sale; a single match names its seller`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await TradeTests.parties(node, harness)
                let (listing, sale) = try await TradeTests.list(node, by: ana)
                let catalogue = try Catalogue(path: folder.path("titles"), store: node.store)
                let index = MarketIndex(
                    store: node.store,
                    catalogue: catalogue,
                    saleIndexes: node.market.saleIndexes
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
                var second = TradeTests.bicycle
                second.identifier = "WTU-123 457"
                _ = try await node.done(
                    try await node.market.listings.create(second, by: ana, key: "2")
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
        var content = MarketNode.bicycle
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
