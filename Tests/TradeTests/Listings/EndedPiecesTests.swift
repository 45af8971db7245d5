import Answers
import Client
import Keys
import Market
import Storage
import Support
import Testing
import TradeSupport

@testable import Trade

/// Edits of a listing some of whose pieces have no sale any more, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EndedPiecesTests {
    /// Lists several pieces, ends the sales of the first ones, and returns the listing.
    private static func list(
        _ pieces: Int,
        ending count: Int,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> String {
        var content = SaleExitsTests.thing("lamp")
        (content.pieces, content.payment) = (pieces, "direct")
        let (id, _) = try await SaleExitsTests.list(content, node, by: account)
        // As a change of the price does before a purchase interrupts it.
        for piece in try Self.pieces(id, node).prefix(count) {
            let sale = try #require(piece.sale).id.description
            try await SaleExitsTests.move("abort", sale, node, by: account)
            try await node.settled(sale, "aborted", for: account)
        }
        return id
    }

    private static func pieces(_ id: String, _ node: RunningMarket) throws -> [Market.Listing] {
        let found = try node.store.found(try ListingID(id))
        return try node.store.pieces(of: found).pieces.map(\.listing)
    }

    private static func edit(
        _ id: String,
        _ content: ListingContent,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> ActionPreview {
        let edit = try node.market.listingPlanner.edit(id, content, by: account)
        let preview = try await edit.preview()
        #expect(preview.problems.isEmpty, "\(preview.problems)")
        _ = try await node.done(
            try await edit.begin(key: content.description + content.price.amount)
        )
        return preview
    }

    @Test func `if no piece is on offer, an edit lists all again`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let id = try await Self.list(2, ending: 2, node, by: ana)
                let before = Set(try Self.pieces(id, node).compactMap(\.sale))
                let listings = node.market.listings
                _ = try await Self.edit(id, try listings.listing(id).content, node, by: ana)
                let now = try listings.listing(id)
                #expect(now.pieces == Client.Listing.Pieces(free: 2, total: 2))
                #expect(now.price?.amount == "1000000")
                #expect(before.isDisjoint(with: try Self.pieces(id, node).compactMap(\.sale)))
            }
        }
    }

    @Test func `another text reaches all pieces on offer beside an ended one`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let id = try await Self.list(3, ending: 1, node, by: ana)
                let before = try Self.pieces(id, node)
                var content = try node.market.listings.listing(id).content
                content.description = "A lamp without a shade"
                let text = try await Self.edit(id, content, node, by: ana)
                #expect(text.leaves.isEmpty)
                let now = try Self.pieces(id, node)
                #expect(now.map(\.sale) == before.map(\.sale))
                #expect(now.dropFirst().allSatisfy { $0.description == content.description })

                // As a change of the price that failed midway leaves one.
                content.price.amount = "2000000"
                try await UnequalPiecesTests.add(content, to: id, node, by: ana)
                let added = try #require(try Self.pieces(id, node).last?.sale)
                content.description = "A lamp without a shade or a bulb"
                _ = try await Self.edit(id, content, node, by: ana)
                let all = try Self.pieces(id, node)
                #expect(all.count == 4 && all.contains { $0.sale == added })
                #expect(all.allSatisfy { $0.description == content.description })
                #expect(try node.market.listings.listing(id).pieces?.free == 4)
            }
        }
    }
}
