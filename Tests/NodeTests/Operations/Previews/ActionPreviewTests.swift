import Client
import Contracts
import Foundation
import Keys
import Market
import Node
import Support
import Testing

/// What is shown before something is signed, on a development chain: it is the call's own, in
/// money, and signs nothing.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ActionPreviewTests {
    private static let vase = ListingContent(
        title: "vase",
        description: "As it is.",
        category: "things",
        tags: ["thing"],
        price: Money(amount: "1000000", currency: "native"),
        identifier: "vase",
        delivery: "pickup",
        pickupPlace: "The old bridge"
    )

    private static func paid(_ preview: ActionPreview, _ purpose: String) -> String? {
        preview.leaves.first { $0.purpose == purpose }?.amount
    }

    private static func parties(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address) {
        let (ana, bo) = (
            try await node.account("ana", on: harness), try await node.account("bo", on: harness)
        )
        for name in ["ana", "bo"] { try await node.signIn(name) }
        try await node.market.service.until { $0.health == .following }
        return (ana, bo)
    }

    private static func list(
        _ node: RunningMarket,
        by ana: Address
    ) async throws -> (listing: String, sale: String) {
        let begun = try await node.market.listings.create(Self.vase, by: ana, key: "list")
        let id = try #require(try await node.done(begun).subject)
        let listing = try await node.market.listings.listing(id)
        return (id, try #require(listing.anchor?.sale))
    }

    private static func move(
        _ name: String,
        _ sale: String,
        _ node: RunningMarket,
        by account: Address,
        share: UInt64? = nil
    ) async throws {
        let move = Client.SaleMove(move: name, share: share)
        let sales = node.market.sales
        let shown = try await sales.preview(sale, move, by: account)
        #expect(shown.obstacles.isEmpty && shown.action == name, "\(shown)")
        let begun = try await sales.move(
            sale,
            move,
            by: account,
            key: "\(name) \(account) \(share ?? 0)",
            feeMax: shown.feeMax
        )
        #expect(begun.feeMax == shown.feeMax && shown.feeMax != nil)
        _ = try await node.done(begun)
    }

    @Test func `a listing and a purchase show what they lock, cost and bring`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let listings = node.market.listings
                let offer = try await listings.preview(Self.vase, by: ana)
                #expect(offer.obstacles.isEmpty, "\(offer.obstacles)")
                #expect(Self.paid(offer, "deposit") == "2000000")
                #expect(Self.paid(offer, "fee") == offer.feeMax)
                #expect(offer.comesBack.map(\.amount) == ["2000000", "2960000"])
                #expect(offer.deadline != nil && offer.summary.contains("vase"))
                let fee = try #require(offer.feeMax.flatMap { Amount(decimal: $0) })
                #expect(fee > .zero && fee < Amount(small: 1_000_000_000_000_000_000))
                #expect(try node.operations.operations(of: ana, limit: 20).items.isEmpty)

                let (listing, _) = try await Self.list(node, by: ana)
                let purchase = Purchase(listing: listing)
                let shown = try await node.market.sales.preview(purchase, by: bo)
                #expect(shown.obstacles.isEmpty, "\(shown.obstacles)")
                #expect(Self.paid(shown, "price") == "1000000")
                #expect(Self.paid(shown, "deposit") == "1000000")
                #expect(shown.comesBack.first?.amount == "1000000")
                #expect(shown.deadline?.consequence.contains("refunded") == true)
                #expect(shown.sale?.title == "vase" && shown.sale?.id == shown.subject)
                #expect(shown.sale?.others == [.init(role: "seller", account: ana.checksummed)])

                let withdrawal = try await listings.preview(withdrawing: listing, by: ana)
                #expect(withdrawal.comesBack.map(\.amount) == ["2000000"])
                #expect(withdrawal.feeMax != nil)
                var words = Self.vase
                words.description = "With a crack."
                let edit = try await listings.preview(editing: listing, words, by: ana)
                #expect(edit.leaves.isEmpty && edit.warnings.count == 1)
                let empty = try await node.market.wallets.preview(of: bo)
                #expect(empty.obstacles.count == 1 && empty.leaves.isEmpty)
            }
        }
    }

    @Test func `a settlement shows whether it proposes or accepts, and the sale shows whose it is`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo, sale) = try await Self.paid(node, harness)
                let sales = node.market.sales
                #expect(try await sales.sale(sale, for: bo).escrow?.proposal == nil)

                try await Self.move("settle", sale, node, by: ana, share: 5_000)
                try await node.until(bo) {
                    try await sales.sale(sale, for: bo).actions.count { $0.move == "settle" } == 2
                }
                let standing = try #require(try await sales.sale(sale, for: bo).escrow?.proposal)
                #expect(standing.by == ana.checksummed && standing.role == "seller")
                #expect(standing.share == 5_000 && standing.until > Date())

                let other = Client.SaleMove(move: "settle", share: 4_000)
                let proposing = try await sales.preview(sale, other, by: bo)
                #expect(proposing.summary.hasPrefix("You propose"), "\(proposing.summary)")
                #expect(proposing.summary.contains("40 %"))
                #expect(proposing.warnings.first?.contains("50 %") == true)
                #expect(proposing.comesBack.first?.amount == "1600000")
                #expect(proposing.sale?.id == sale && proposing.sale?.title == "vase")
                #expect(proposing.sale?.others == [.init(role: "seller", account: ana.checksummed)])
                let same = Client.SaleMove(move: "settle", share: 5_000)
                let accepting = try await sales.preview(sale, same, by: bo)
                #expect(accepting.summary.hasPrefix("You accept the proposal of the seller"))
                #expect(accepting.comesBack.first?.amount == "1500000")
                // The development chain has one endpoint.
                #expect(accepting.warnings == (try await sales.sale(sale, for: bo).warnings))
                #expect(!accepting.restsOnOneSource)

                let stranger = try await node.account("cy", on: harness)
                let refused = await #expect(throws: Refusal.self) {
                    try await sales.preview(sale, same, by: stranger)
                }
                #expect(refused?.code == .notYourSale)
                try await Self.move("settle", sale, node, by: bo, share: 5_000)
                try await node.settled(sale, "settled", for: ana)
                let credits = try await node.market.wallets.preview(of: bo)
                #expect(credits.comesBack.map(\.amount) == ["1500000"] && credits.feeMax != nil)
                let draft = ReviewDraft(sale: sale, stars: 4, text: "Good.")
                let review = try await node.market.reviews.preview(draft, by: bo)
                #expect(review.summary.contains(ana.checksummed) && review.leaves.isEmpty)
                #expect(review.sale?.title == "vase")
            }
        }
    }

    @Test func `a settlement only accepts or only proposes, as its sender was shown`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo, sale) = try await Self.paid(node, harness)
                let sales = node.market.sales
                try await Self.move("settle", sale, node, by: ana, share: 5_000)
                try await node.until(bo) {
                    try await sales.sale(sale, for: bo).actions.count { $0.move == "settle" } == 2
                }
                for (share, accepts) in [(5_000, true), (4_000, false)] as [(UInt64, Bool)] {
                    var move = Client.SaleMove(move: "settle", share: share)
                    #expect(try await sales.preview(sale, move, by: bo).accepts == accepts)
                    // As if the other side had changed its mind meanwhile.
                    move.accepts = !accepts
                    let wrong = move
                    let refused = await #expect(throws: Refusal.self) {
                        try await sales.move(sale, wrong, by: bo, key: "wrong \(share)")
                    }
                    #expect(refused?.code == .moveNotOpen && refused?.field == "accepts")
                    #expect(refused?.detail.contains("Nothing was signed") == true)
                }
                #expect(try node.operations.operations(of: bo, limit: 20).items.count == 1)
                let odd = Client.SaleMove(move: "dispute", accepts: true)
                let refused = await #expect(throws: Refusal.self) {
                    try await sales.preview(sale, odd, by: bo)
                }
                #expect(refused?.code == .malformedValue && refused?.field == "accepts")
                let right = Client.SaleMove(move: "settle", share: 5_000, accepts: true)
                _ = try await node.done(try await sales.move(sale, right, by: bo, key: "right"))
                try await node.settled(sale, "settled", for: bo)
            }
        }
    }

    @Test func `a listing and a purchase show who would decide a dispute, and for how much`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                var content = Self.vase
                var terms = Client.EscrowTerms()
                (terms.arbiter, terms.arbiterFee) = (testKey(7).address.checksummed, "5000")
                content.terms = terms
                let listings = node.market.listings
                let fee = Money(amount: "5000", currency: "native")
                let arbiter = ActionPreview.Arbiter(
                    account: testKey(7).address.checksummed,
                    fee: fee
                )
                let offer = try await listings.preview(content, by: ana)
                #expect(offer.arbiter == arbiter)
                #expect(offer.explanation.contains { $0.contains(arbiter.account) })
                #expect(try await listings.preview(Self.vase, by: ana).arbiter == nil)
                let begun = try await listings.create(content, by: ana, key: "list")
                let listing = try #require(try await node.done(begun).subject)
                let purchase = Purchase(listing: listing)
                #expect(try await node.market.sales.preview(purchase, by: bo).arbiter == arbiter)
            }
        }
    }

    @Test func `a call that agrees to less than the fee is refused and signs nothing`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await Self.parties(node, harness)
                let listings = node.market.listings
                for (fee, code) in [("1", ProblemCode.feeAboveLimit), ("x", .badAmount)] {
                    let refused = await #expect(throws: Refusal.self) {
                        try await listings.create(Self.vase, by: ana, key: "low", feeMax: fee)
                    }
                    #expect(refused?.code == code && refused?.field == "feeMax")
                }
                #expect(try node.operations.operations(of: ana, limit: 20).items.isEmpty)
            }
        }
    }

    /// A sale that Bo has paid for.
    private static func paid(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address, sale: String) {
        let (ana, bo) = try await parties(node, harness)
        let (listing, sale) = try await list(node, by: ana)
        let bought = try await node.market.sales.buy(
            Purchase(listing: listing),
            by: bo,
            key: "buy"
        )
        _ = try await node.done(bought)
        try await node.settled(sale, "paid", for: ana)
        return (ana, bo, sale)
    }
}
