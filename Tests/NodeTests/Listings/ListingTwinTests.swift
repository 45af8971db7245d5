import Client
import Contracts
import Keys
import Market
import Node
import Support
import Testing

/// The same thing listed twice, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListingTwinTests {
    @Test func `a listing is not begun again while the same is under way`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let listings = node.market.listings
                let thing = SaleExitsTests.thing("lamp")
                try await harness.dev.control("evm_setIntervalMining", "[0]")
                try await harness.dev.control("evm_setAutomine", "[false]")
                let begun = try await listings.create(thing, by: ana, key: "one")
                #expect(try await listings.create(thing, by: ana, key: "one").id == begun.id)
                let refused = await #expect(throws: Refusal.self) {
                    _ = try await listings.create(thing, by: ana, key: "two")
                }
                #expect(refused?.code == .inProgress)
                #expect(refused?.detail.contains(begun.id) == true)
                try await harness.dev.control("evm_setIntervalMining", "[0.2]")
                let first = try #require(try await node.done(begun).subject)

                // Once it is there, a second one is possible, and its preview warns of the first.
                let preview = try await listings.preview(thing, by: ana)
                #expect(preview.obstacles.isEmpty)
                let warning = preview.warnings.first { $0.contains("same identifier already") }
                #expect(warning?.contains(first) == true, "\(preview.warnings)")
                let others = try await listings.preview(thing, by: bo).warnings
                #expect(others.contains { $0.contains("same identifier now (\(first))") })
                let other = try await listings.preview(SaleExitsTests.thing("vase"), by: ana)
                #expect(!other.warnings.contains { $0.contains("identifier") })
                _ = try await node.done(try await listings.create(thing, by: ana, key: "three"))
            }
        }
    }
}
