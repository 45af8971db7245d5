import Answers
import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing
import TradeSupport

@testable import Trade

/// Pieces of one thing whose prices or terms differ, as a change that failed midway or a modified
/// node leaves them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UnequalPiecesTests {
    /// Lists two pieces, and returns the listing with its content.
    private static func list(
        _ payment: String,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> (id: String, content: ListingContent) {
        var content = SaleExitsTests.thing("lamp")
        (content.pieces, content.payment) = (2, payment)
        let (id, _) = try await SaleExitsTests.list(content, node, by: account)
        return (id, try node.market.listings.listing(id).content)
    }

    /// Adds a piece with a content of its own.
    static func add(
        _ content: ListingContent,
        to id: String,
        _ node: RunningMarket,
        by account: Address
    ) async throws {
        let planner = node.market.listingPlanner.offerPlanner
        let first = try node.store.found(try ListingID(id))
        let proposed = ProposedOperation(.list, content, by: account, on: planner.runner) {
            try await planner.plan(adding: content, to: first, &$0)
        }
        _ = try await node.done(try await proposed.begin(key: "add " + content.price.amount))
    }

    private static func terms(_ id: String, _ node: RunningMarket) throws -> [SaleTerms] {
        let first = try node.store.found(try ListingID(id))
        return try node.store.pieces(of: first).pieces.map(\.listing.terms)
    }

    @Test func `another price gives all pieces the same terms and deposits`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner
                let (id, content) = try await Self.list("escrow", node, by: ana)
                let end = try #require(content.terms?.offerUntil)
                var shorter = content
                shorter.terms?.offerUntil = end - 1_000
                try await Self.add(shorter, to: id, node, by: ana)
                #expect(Set(try Self.terms(id, node)).count == 2)

                var cheaper = try node.market.listings.listing(id).content
                #expect(cheaper.terms?.offerUntil == end - 1_000)
                cheaper.price.amount = "500000"
                let edit = try planner.edit(id, cheaper, by: ana)
                let preview = try await edit.preview()
                #expect(preview.problems.isEmpty, "\(preview.problems)")
                #expect(preview.leaves.first { $0.purpose == "deposit" }?.amount == "3000000")
                _ = try await node.done(try await edit.begin(key: "price"))
                let terms = try Self.terms(id, node)
                #expect(terms.count == 3 && Set(terms).count == 1)
                guard case .escrow(let all)? = terms.first else {
                    Issue.record("the pieces are sold in escrow")
                    return
                }
                #expect(all.sellerDeposit == Amount(small: 1_000_000))
                #expect(try node.market.listings.listing(id).pieces?.free == 3)
            }
        }
    }

    /// - From people: pieces whose terms would differ → bad_terms
    @Test func `pieces with different terms are not listed together`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner.offerPlanner
                var offers: [PlannedListing] = []
                for (title, price) in [("lamp", "1000000"), ("vase", "2000000")] {
                    var content = SaleExitsTests.thing(title)
                    content.price.amount = price
                    offers.append(try await planner.offer(content, by: ana))
                }
                let unequal = offers
                let refused = await #expect(throws: Refusal.self) {
                    try await planner.steps(of: unequal)
                }
                #expect(refused?.code == .badTerms && refused?.field == "terms")
            }
        }
    }

    /// - From peers: further pieces that cost more than the first one, by whose price searches sort,
    ///   or are sold in another currency → not free as long as the first one is, or not its pieces
    @Test func `a cheap first piece does not lead to dearer ones`() async throws {
        let coin = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 2)
        try await MarketHarness.scoped(tokens: [coin]) { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let listings = node.market.listings
                let (id, content) = try await Self.list("direct", node, by: ana)
                var dearer = content
                dearer.price.amount = "9000000"
                try await Self.add(dearer, to: id, node, by: ana)

                let shown = try listings.listing(id)
                #expect(shown.pieces == Client.Listing.Pieces(free: 2, total: 3))
                #expect(shown.price?.amount == "1000000")
                let rows = try await node.market.listingSearcher.page(ListingQuery()).items
                #expect(rows.map(\.price?.amount) == ["1000000"])
                let sales = node.market.sales
                let bought = try await node.market.purchases.buy(Purchase(listing: id), by: bo)
                    .preview()
                let sale = try await sales.sale(try #require(bought.subject), for: bo)
                #expect(sale.price.amount == "1000000")

                let more = PieceChange(add: 1)
                let added = try node.market.piecePlanner.change(piecesOf: id, more, by: ana)
                _ = try await node.done(try await added.begin(key: "more"))
                let prices = try Self.terms(id, node).map(\.price.decimal)
                #expect(prices == ["1000000", "1000000", "9000000", "1000000"])

                var other = content
                other.price.currency = try #require(harness.market.tokens.first).address.checksummed
                other.direct = nil
                try await Self.add(other, to: id, node, by: ana)
                #expect(try listings.listing(id).pieces == .init(free: 3, total: 4))
            }
        }
    }
}

extension OfferPlanner {
    /// Lists a further piece, whatever the first one is like.
    fileprivate func plan(
        adding content: ListingContent,
        to first: FoundListing,
        _ plan: inout PlannedOperation
    ) async throws {
        guard case .first(let count) = first.listing.pieces else { return }
        let chain = try markets.required(first.listing.chain)
        let listing = try content.listing(
            in: chain.saleIndex,
            seller: plan.account,
            at: try #require(chain.saleIndex.time)
        ).with(.further(of: first.id.slot))
        let slot = PieceRole.slot(count, of: first.id.slot)
        let offers = [try offer(listing, in: slot, of: nil, on: chain, by: plan.account)]
        plan.preview = ActionPreview(
            action: "list",
            chain: chain.chain.number,
            subject: first.id.description,
            summary: []
        )
        try await send(offers, &plan)
        plan.publish(.listing(first.listing.with(.first(count: count + 1))), in: first.id.slot)
        plan.publish(.listing(offers[0].anchored), in: slot)
    }
}
