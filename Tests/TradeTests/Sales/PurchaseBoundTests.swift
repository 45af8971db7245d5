import Client
import Testing
import TradeSupport

@testable import Trade

/// The bound of a purchase on what leaves the account, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PurchaseBoundTests {
    /// - From people: a purchase for which more leaves, or another currency, than `leavesMax` allows →
    ///   not_as_promised
    @Test func `price and deposit together are at most what the request allows`() async throws {
        try await ReservedMarket.run("escrow") { market in
            let token = "0x" + String(repeating: "0b", count: 20)
            for (amount, currency, isRefused) in [
                ("2000000", "native", false), ("1999999", "native", true), ("2000000", token, true),
            ] {
                let purchase = Purchase(
                    listing: market.listing,
                    leavesMax: Money(amount: amount, currency: currency)
                )
                let preview = try await market.node.market.sales.buy(purchase, by: market.bo)
                    .preview()
                let refusals = preview.problems.filter { $0.field == "leavesMax" }
                #expect(refusals.map(\.code) == (isRefused ? ["not_as_promised"] : []))
            }
        }
    }
}
