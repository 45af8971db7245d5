import Answers
import Client
import Foundation
import Keys
import Market
import Support
import Testing
import Trade
import TradeSupport

/// The ends of the second law: a sale that the seller declines, and one that an arbiter rules.
extension SaleExitsTests {
    /// - From people: a refund by the seller before the time to send has ended → move_not_open
    /// - From people: a review of a declined sale → review_refused
    @Test func `a declined sale returns everything, counts, and allows no review`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let (listing, sale) = try await Self.list(Self.thing("vase"), node, by: ana)
                try await Self.buy(listing, sale, node, by: bo)
                let early = Client.SaleMove(move: "refund")
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.moves.move(sale, early, by: ana).begin(key: "early")
                }
                #expect(refused?.code == .moveNotOpen)
                #expect(refused?.detail.contains("decline") == true, "\(refused?.detail ?? "")")
                try await Self.move("decline", sale, node, by: ana)
                try await node.settled(sale, "declined", for: bo)

                let shown = try await node.market.sales.sale(sale, for: bo)
                #expect(shown.payouts?.map(\.amount) == ["2000000", "2000000"])
                #expect(shown.actions.isEmpty && shown.stage == "over")
                let draft = ReviewDraft(sale: sale, stars: 1)
                let review = await #expect(throws: Refusal.self) {
                    try await node.market.reviews.write(draft, by: bo)
                }
                #expect(review?.code == .reviewRefused)
                #expect(review?.detail.contains("Such a sale cannot be reviewed.") == true)
                let (other, _) = try await Self.list(Self.thing("lamp"), node, by: ana)
                let preview = try await node.market.purchases.buy(Purchase(listing: other), by: bo)
                    .preview()
                #expect(preview.explanation.contains { $0.detail.contains("1 declined") })
            }
        }
    }

    @Test func `a relisted sale refunds its first buyer and can be bought again`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let (listing, sale) = try await Self.list(Self.thing("vase"), node, by: ana)
                try await Self.buy(listing, sale, node, by: bo)
                let sales = node.market.sales
                let again = Client.SaleMove(move: "relist")
                let preview = try await node.market.moves.move(sale, again, by: ana).preview()
                #expect(
                    preview.summary.detail.contains("anyone can buy again"),
                    "\(preview.summary.detail)"
                )
                try await Self.move("relist", sale, node, by: ana)
                try await node.settled(sale, "listed", for: bo)
                let shown = try await sales.sale(sale, for: bo)
                #expect(shown.buyer == nil && shown.stage == "offered")
                let credits = try await node.market.wallets.wallet(of: bo).credits
                #expect(credits.map(\.money.amount) == ["2000000"])
                let collectable = try await sales.sales(of: bo, on: "to_collect", limit: 9)
                #expect(collectable.items.map(\.id) == [sale])

                let purchase = Purchase(listing: listing)
                let words = try await node.market.purchases.buy(purchase, by: bo).preview()
                #expect(words.problems.isEmpty)
                #expect(words.warnings.contains { $0.detail.hasPrefix("There is no arbiter") })
                let begun = try await node.market.purchases.buy(purchase, by: bo).begin(
                    key: "again"
                )
                _ = try await node.done(begun)
                try await node.settled(sale, "paid", for: ana)
            }
        }
    }

    /// - From people: a ruling of a dispute that the arbiter has not taken → move_not_open
    @Test func `an arbiter takes a dispute, rules on it and ends the proposals`() async throws {
        try await Self.withDispute { dispute, node in
            let (sale, carla) = (dispute.sale, dispute.carla)
            let rule = Client.SaleMove(move: "rule", share: 2_500)
            let early = await #expect(throws: Refusal.self) {
                try await node.market.moves.move(sale, rule, by: carla).begin(key: "early")
            }
            #expect(early?.detail.contains("Open to you: take") == true)

            try await Self.move("propose", sale, node, by: dispute.ana, share: 5_000)
            try await node.until(carla) {
                let shown = try await node.market.sales.sale(sale, for: carla)
                return shown.escrow?.proposals.count == 1
                    && shown.confirmations == shown.confirmationsNeeded
            }
            try await Self.move("take", sale, node, by: carla)
            let taken = try await node.market.sales.sale(sale, for: carla).escrow
            #expect(taken?.isTaken == true && taken?.proposals == [])
            let preview = try await node.market.moves.move(sale, rule, by: carla).preview()
            #expect(preview.summary.detail.contains("the arbiter"), "\(preview.summary.detail)")
            #expect(preview.comesBack.map(\.amount) == ["20000"])
            #expect(preview.explanation.map(\.code).contains("escrow.notesAsSent"))
            try await Self.move("rule", sale, node, by: carla, share: 2_500)
            try await node.settled(sale, "settled", for: carla)

            let payouts = try #require(
                try await node.market.sales.sale(sale, for: dispute.bo).payouts
            )
            // Of 1,000,000: a penalty of 20,000 and a fee of 20,000, three quarters of each the
            // seller's; of the quarter of the price 2 % each to platform and maker.
            #expect(payouts.map(\.role) == ["seller", "buyer", "platform", "maker", "arbiter"])
            #expect(
                payouts.map(\.amount) == ["2210000", "1760000", "5000", "5000", "20000"]
            )
        }
    }

    @Test func `an agreement in a dispute that an arbiter took pays the arbiter`() async throws {
        try await Self.withDispute { dispute, node in
            let sale = dispute.sale
            try await Self.move("take", sale, node, by: dispute.carla)
            try await Self.move("propose", sale, node, by: dispute.ana, share: 5_000)
            try await node.until(dispute.bo) {
                let shown = try await node.market.sales.sale(sale, for: dispute.bo)
                return shown.actions.contains { $0.move == "agree" }
            }
            try await Self.move("agree", sale, node, by: dispute.bo, share: 5_000)
            try await node.settled(sale, "settled", for: dispute.ana)

            let payouts = try #require(
                try await node.market.sales.sale(sale, for: dispute.bo).payouts
            )
            let arbiter = payouts.first { $0.role == "arbiter" }
            #expect(arbiter?.amount == "20000")
        }
    }

    /// A disputed sale of a vase for 1,000,000, and its arbiter, whose fee is 20,000.
    private struct Dispute {
        let sale: String
        let ana: Address
        let bo: Address
        let carla: Address
    }

    private static func withDispute(
        _ body: @escaping @Sendable (Dispute, RunningMarket) async throws -> Void
    ) async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let carla = try await node.account("carla", on: harness)
                try await node.signIn("carla")
                let nextYear = UInt64(Date().timeIntervalSince1970) + 365 * 86_400
                let registered = try await node.market.arbiters.register(
                    Arbitration(feeMin: "20000", until: nextYear),
                    by: carla
                ).begin(key: "register")
                _ = try await node.done(registered)
                var content = Self.thing("vase")
                var terms = Client.EscrowTerms()
                (terms.arbiter, terms.arbiterFee) = (carla.checksummed, "20000")
                content.terms = terms
                let (listing, sale) = try await Self.list(content, node, by: ana)
                try await Self.buy(listing, sale, node, by: bo)
                try await Self.move("transfer", sale, node, by: ana)
                try await node.settled(sale, "transferred", for: bo)
                try await Self.move("dispute", sale, node, by: bo)
                try await node.settled(sale, "disputed", for: carla)
                try await body(Dispute(sale: sale, ana: ana, bo: bo, carla: carla), node)
            }
        }
    }
}
