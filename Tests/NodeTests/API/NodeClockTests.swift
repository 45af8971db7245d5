import Client
import Concurrency
import Foundation
import NIOHTTP1
import Setup
import Support
import Testing
import TradeSupport

@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeClockTests {
    /// The machine's clock, half an hour behind: peers' certificates are valid from an hour before
    /// they are made.
    private struct LateClock: WallClock {
        var now: Date { SystemWallClock().now.addingTimeInterval(-1_800) }
    }

    private func lead(of node: TestNode) async throws -> Int64 {
        try await waitFor {
            try await node.call(.GET, "node").read(NodeStatus.self).clock?.peersAheadSeconds
        }
    }

    @Test func `linked nodes learn from descriptions how far their clocks differ`() async throws {
        try await TestNode.run { right in
            let address = try #require(right.running.addresses.first)
            try await TestNode.run(
                in: try TemporaryFolder().path,
                flags: ["bootstrap": address],
                clock: LateClock()
            ) { late in
                #expect(abs(try await lead(of: late) - 1_800) < 30)
                #expect(abs(try await lead(of: right) + 1_800) < 30)
                // One peer on this machine, which should have the same clock, decides nothing.
                let status = try await late.call(.GET, "node").read(NodeStatus.self)
                #expect(
                    status.clock?.warnings.isEmpty == true && status.clock?.chainAheadSeconds == nil
                )
            }
        }
    }

    @Test func `shows a clock's difference in status, readiness and previews`() async throws {
        try await MarketHarness.scoped(arguments: ["--chain-id", "77"]) { harness in
            let clock = MovedClock()
            let folder = try TemporaryFolder()
            try await MarketNode.run(in: folder, on: harness, clock: clock) { market in
                let (listing, _) = try await market.list()
                try await market.asking(market.bo) { client in
                    let warnings = { @Sendable () async throws -> [[Sentence]] in
                        [
                            try await client.preview(Purchase(listing: listing, shipTo: "DE")),
                            try await client.preview(
                                Transfer(to: market.ana.account.address, amount: "1")
                            ),
                        ].map { $0.warnings.filter { $0.detail.contains("clock") } }
                    }
                    #expect(try await warnings() == [[], []])
                    #expect(try await client.status().clock?.warnings.isEmpty == true)
                    clock.move(by: -300)
                    let told = "This computer's clock is 5 minutes behind the chain's time"
                    for warning in try await warnings() {
                        #expect(warning.count == 1 && warning.first?.detail.hasPrefix(told) == true)
                    }
                    let status = try await client.status()
                    #expect(status.clock?.warnings.detail.hasPrefix(told) == true)
                }
                let ready = try await market.node.get("readyz")
                #expect(ready.status == 503)
                #expect(ready.body.contains("clock is 5 minutes behind"))
            }
        }
    }
}
