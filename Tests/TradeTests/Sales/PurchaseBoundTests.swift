import Answers
import Client
import Ethereum
import Keys
import Market
import Testing
import TradeSupport

@testable import Trade

/// The bound of a purchase on what leaves the account, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PurchaseBoundTests {
    /// - From people: a purchase for which more leaves, or another currency, than `leavesMax` allows →
    ///   not_as_promised
    /// - From people: a purchase of what is sold on another chain than the request's `chain` →
    ///   not_as_promised
    /// - From people: a purchase with `leavesMax` and no `chain` → malformed_value
    @Test func `price and deposit together are at most what the request allows`() async throws {
        try await ReservedMarket.run("escrow") { market in
            let token = "0x" + String(repeating: "0b", count: 20)
            let reference = try #require(
                try market.node.store.found(ListingID(market.listing)).listing.sale
            )
            let own = reference.contract.chain.number
            for (amount, currency, chain, field) in [
                ("2000000", "native", own, nil), ("1999999", "native", own, "leavesMax"),
                ("2000000", token, own, "leavesMax"), ("2000000", "native", own + 1, "chain"),
            ] {
                let purchase = Purchase(
                    listing: market.listing,
                    leavesMax: Money(amount: amount, currency: currency),
                    chain: chain
                )
                let preview = try await market.node.market.purchases.buy(purchase, by: market.bo)
                    .preview()
                let refusals = preview.problems.filter {
                    $0.field == "leavesMax" || $0.field == "chain"
                }
                #expect(refusals.map(\.field) == (field.map { [$0] } ?? []))
                #expect(refusals.allSatisfy { $0.code == "not_as_promised" })
            }
            let bare = Purchase(
                listing: market.listing,
                leavesMax: Money(amount: "2000000", currency: "native")
            )
            let refusal = await #expect(throws: Refusal.self) {
                try await market.node.market.purchases.buy(bare, by: market.bo).preview()
            }
            #expect(refusal?.code == .malformedValue && refusal?.field == "chain")
        }
    }
}
