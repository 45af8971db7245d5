import Client
import Contracts
import Foundation
import Market
import Support
import Testing
import TradeSupport

/// The calls of an account that offers itself as an arbiter, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ArbitrationCallTests {
    @Test func `an account is an arbiter on its own terms until it resigns`() async throws {
        try await MarketNode.run { market in
            try await market.asking(market.ana) { client in
                try await client.waitUntilFunded()
                #expect(try await client.arbitration().isEmpty)
                var terms = Arbitration(
                    chain: market.harness.market.chain.number,
                    feeMin: "10000000000000000",
                    until: UInt64(Date().timeIntervalSince1970) + 100 * 86_400
                )
                let preview = try await client.preview(terms)
                #expect(preview.action == "arbitrate" && preview.problems.isEmpty)
                let begun = try await client.register(terms, feeMax: preview.feeMax)
                #expect(try await client.follow(begun) { _ in }.state == .done)
                #expect(try await client.arbitration() == [terms])

                (terms.feeMin, terms.until) = ("0", 0)
                let resigned = try await client.register(terms)
                #expect(try await client.follow(resigned) { _ in }.state == .done)
                #expect(try await client.arbitration().isEmpty)
            }
            let shown = try await market.asking(market.bo) { client in
                try await client.arbitration(of: market.ana.account.address)
            }
            #expect(shown.isEmpty)
        }
    }
}
