import AccountAccess
import Answers
import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade
import TradeSupport

/// A listing that says something else than what its sale on the chain was made for.
@Suite(.timeLimit(.minutes(2)))
struct ListingCommitmentTests {
    /// - From people: a listing that differs from its promise on the chain → not_as_promised
    @Test func `refuses to buy a listing that differs from its promise`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let ana = try await node.account("ana", on: harness)
                let bo = try await node.account("bo", on: harness)
                for name in ["ana", "bo"] { try await node.signIn(name) }
                try await node.market.service.until { $0.health == .following }
                let begun = try await node.market.listingPlanner.create(MarketNode.bicycle, by: ana)
                    .begin(key: "list")
                let honest = try node.market.listings.listing(
                    try #require(try await node.done(begun).subject)
                )

                // It came before this node's chain showed the sale, so that it is not refuted yet.
                let forged = try await Self.forge(honest, in: harness, by: ana, on: node)

                let purchase = Purchase(listing: forged, shipTo: "DE")
                let refusal = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
                }
                #expect(refusal?.code == .notAsPromised)
                #expect(
                    refusal?.detail.contains("content that differs from this listing's") == true
                )
                let preview = try await node.market.purchases.buy(purchase, by: bo).preview()
                #expect(preview.problems.count == 1)
                let shown = try node.market.listings.listing(forged)
                #expect(shown.isAsPromised == false && shown.changes == nil)
            }
        }
    }

    /// Stores a listing by Ana for the same sale, with another title.
    private static func forge(
        _ honest: Client.Listing,
        in harness: MarketHarness,
        by ana: Address,
        on node: RunningMarket
    ) async throws -> String {
        var content = MarketNode.bicycle
        content.title = "Gold bicycle"
        let sale = try #require(honest.anchor.flatMap { Bytes32(hex: $0.sale) })
        let time = try #require(node.market.saleIndex.view(of: SaleID(sale))).sale.position.time
        let listing = try content.listing(in: node.market.saleIndex, seller: ana, at: time)
            .anchored(contract: harness.market.escrow, sale: SaleID(sale), promised: nil)
        let key = try #require(await node.accounts.key(of: ana))
        let slot = Bytes32(repeating: 7)
        let now = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        let record = try RecordDraft(
            network: "test",
            author: ana,
            content: .listing(listing),
            slot: slot,
            createdAt: now
        ).signed(by: key)
        let entry = RecordEntry(record, lane: .open, subject: sale)
        _ = try await node.store.write { try $0.put([entry], at: now) }
        return ListingID(author: ana, slot: slot).description
    }
}
