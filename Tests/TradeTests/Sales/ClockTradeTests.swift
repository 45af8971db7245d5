import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import Trade
import TradeSupport

/// A node on a real chain's terms, whose own clock is set wrong.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ClockTradeTests {
    /// - From people: a new, changed or withdrawn listing, a review, a profile or a list, while the
    ///   computer's clock differs by more than 10 minutes from the chain's time and peers' →
    ///   clock_wrong
    @Test func `a node whose clock is two days behind refuses before money moves`() async throws {
        try await MarketHarness.scoped(arguments: ["--chain-id", "77"]) { harness in
            let clock = MovedClock()
            var moved = harness
            moved.wallClock = clock
            try await moved.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await MarketServicesTests.parties(node, harness)
                clock.move(by: -172_800)
                for _ in 0..<2 {
                    let refusal = await #expect(throws: Refusal.self) {
                        try await node.market.listingPlanner.create(
                            MarketServicesTests.bicycle,
                            by: ana
                        ).begin(key: "list")
                    }
                    #expect(refusal?.code == .clockWrong)
                    #expect(
                        refusal?.detail.hasPrefix("This computer's clock is 2 days behind") == true
                    )
                }
                let refusal = await #expect(throws: Refusal.self) {
                    try await node.market.listingPlanner.create(
                        MarketServicesTests.bicycle,
                        by: ana
                    ).preview()
                }
                #expect(refusal?.code == .clockWrong)
                #expect(try node.operations.operations(of: ana, limit: 9).items.isEmpty)

                clock.move(by: 0)
                let (listing, sale) = try await MarketServicesTests.list(node, by: ana)
                clock.move(by: -172_800)
                // Its sale would end on the chain, and nobody would take the record that says so.
                let kept = await #expect(throws: Refusal.self) {
                    try await node.market.listingPlanner.withdraw(listing, by: ana).begin(
                        key: "withdraw"
                    )
                }
                #expect(kept?.code == .clockWrong)
                #expect(try await node.market.sales.sale(sale, for: ana).phase == "listed")
            }
        }
    }

    @Test func `a listing whose deposit is paid waits until the clock is right`() async throws {
        try await MarketHarness.scoped(arguments: ["--chain-id", "77"]) { harness in
            let clock = MovedClock()
            var moved = harness
            moved.wallClock = clock
            try await moved.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await MarketServicesTests.parties(node, harness)
                let begun = try await node.market.listingPlanner.create(
                    MarketServicesTests.bicycle,
                    by: ana
                ).begin(key: "list")
                clock.move(by: -172_800)
                try await node.until(ana) {
                    let phases = try node.operations.entry(begun.id, account: ana).operation.phases
                    return phases.contains {
                        $0.name == .published
                            && $0.detail?.contains("clock is 2 days behind") == true
                    }
                }
                clock.move(by: 0)
                _ = try await node.done(begun)
            }
        }
    }
}
