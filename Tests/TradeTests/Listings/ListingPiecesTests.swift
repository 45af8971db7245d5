import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import TradeSupport

@testable import Trade

/// Several pieces of one thing, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListingPiecesTests {
    private static func thing(_ pieces: Int, _ payment: String = "direct") -> ListingContent {
        var content = SaleExitsTests.thing("lamp")
        (content.pieces, content.payment) = (pieces, payment)
        return content
    }

    /// Lists several pieces, and returns the listing.
    private static func list(
        _ content: ListingContent,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> String {
        let planner = node.market.listingPlanner
        let begun = try await planner.create(content, by: account).begin(key: "list")
        return try #require(try await node.done(begun).subject)
    }

    /// Buys one piece, and returns its sale.
    private static func buy(
        _ listing: String,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> String {
        let shown = try await node.market.purchases.buy(Purchase(listing: listing), by: account)
            .preview()
        #expect(shown.problems.isEmpty, "\(shown.problems)")
        let sale = try #require(shown.subject)
        let purchase = Purchase(listing: listing, sale: sale)
        _ = try await node.done(
            try await node.market.purchases.buy(purchase, by: account).begin(key: "buy \(sale)")
        )
        try await node.settled(sale, "sold", for: account)
        return sale
    }

    private static func change(
        _ listing: String,
        _ change: PieceChange,
        _ node: RunningMarket,
        by account: Address
    ) async throws {
        let key = "add \(change.add ?? 0) withdraw \(change.withdraw ?? 0)"
        let planner = node.market.piecePlanner
        _ = try await node.done(
            try await planner.change(piecesOf: listing, change, by: account).begin(key: key)
        )
    }

    /// Returns the deposit and the fees that the sentences of a preview say, in the smallest unit.
    private static func amounts(of preview: ActionPreview) -> [Int] {
        let deposit = preview.summary.compactMap { $0.values["deposit"] }
        let fees = preview.comesBack.compactMap { $0.when.values["fees"] }
        return (deposit + fees).compactMap { Int($0.prefix { $0 != " " }) }
    }

    /// - From people: adding pieces once all of them are sold → move_not_open
    @Test func `several pieces are one row, and are bought one by one`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let (listings, searcher) = (node.market.listings, node.market.listingSearcher)
                let preview = try await node.market.listingPlanner.create(Self.thing(3), by: ana)
                    .preview()
                #expect(preview.problems.isEmpty, "\(preview.problems)")
                #expect(preview.explanation.first?.code == "preview.pieces")
                let id = try await Self.list(Self.thing(3), node, by: ana)
                let row = try #require(try await searcher.page(ListingQuery()).items.first)
                #expect(try await searcher.page(ListingQuery()).items.count == 1)
                #expect(row.id == id && row.pieces == Client.Listing.Pieces(free: 3, total: 3))
                #expect(row.status.code == "standing.pieces" && row.state == "open")

                var bought: Set<String> = []
                for left in [2, 1, 0] {
                    let sale = try await Self.buy(id, node, by: bo)
                    bought.insert(sale)
                    let shown = try listings.listing(id)
                    #expect(shown.pieces?.free == left)
                    #expect(shown.state == (left == 0 ? "over" : "open"))
                    #expect(try await node.market.sales.sale(sale, for: bo).listing == id)
                    #expect(try await searcher.page(ListingQuery()).items.count == min(left, 1))
                }
                #expect(bought.count == 3)
                let sold = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(Purchase(listing: id), by: bo).begin(
                        key: "late"
                    )
                }
                #expect(sold?.code == .listingGone)
                let more = await #expect(throws: Refusal.self) {
                    try await Self.change(id, PieceChange(add: 1), node, by: ana)
                }
                #expect(more?.code == .moveNotOpen && more?.field == "add")
            }
        }
    }

    @Test func `the others stay for sale if the first piece is bought by name`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let id = try await Self.list(Self.thing(3), node, by: ana)
                let first = try node.store.found(try ListingID(id)).listing.sale
                let sale = try #require(first?.id.description)
                let purchase = Purchase(listing: id, sale: sale)
                _ = try await node.done(
                    try await node.market.purchases.buy(purchase, by: bo).begin(key: "first")
                )
                try await node.settled(sale, "sold", for: bo)
                #expect(try await Self.counted(node) == 1)
                try await Self.change(id, PieceChange(add: 1), node, by: ana)
                let left = Client.Listing.Pieces(free: 3, total: 4)
                #expect(try node.market.listings.listing(id).pieces == left)
                for number in [1, 2, 3] {
                    _ = try await Self.buy(id, node, by: bo)
                    #expect(try await Self.counted(node) == (number == 3 ? 0 : 1))
                }
            }
        }
    }

    /// Returns the number of matches of a search, which that of its facets must equal.
    private static func counted(_ node: RunningMarket) async throws -> Int? {
        var query = ListingQuery()
        (query.countsMatches, query.countsFacets) = (true, true)
        let page = try await node.market.listingSearcher.page(query)
        let direct = page.facets?.states.first { $0.value == "open" }?.count ?? 0
        #expect(page.total == direct)
        query.countsFacets = false
        #expect(try await node.market.listingSearcher.page(query).total == page.total)
        return page.total
    }

    /// - From people: buying the piece that somebody else has just bought → listing_gone, with how many
    ///   others are free
    @Test func `a buyer who comes second hears how many pieces are left`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let dee = try await node.account("dee", on: harness)
                try await node.signIn("dee")
                let id = try await Self.list(Self.thing(3), node, by: ana)
                let sale = try await Self.buy(id, node, by: bo)
                let late = Purchase(listing: id, sale: sale)
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(late, by: dee).begin(key: "late")
                }
                #expect(refused?.code == .listingGone)
                let codes = refused?.reason?.map(\.code)
                #expect(codes == ["refusal.soldToOther", "refusal.piecesLeft"])
                #expect(refused?.detail.contains("2 other pieces") == true)
                #expect(try await Self.buy(id, node, by: dee) != sale)
            }
        }
    }

    /// - From people: withdrawing more pieces than are free → move_not_open
    /// - From people: more than 20 pieces, or several of a token or of a thing that people bid for →
    ///   bad_listing
    @Test func `pieces are added and withdrawn, and change their price together`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let (listings, planner) = (node.market.listings, node.market.listingPlanner)
                let searcher = node.market.listingSearcher
                let id = try await Self.list(Self.thing(2, "escrow"), node, by: ana)
                let preview = try await node.market.piecePlanner.change(
                    piecesOf: id,
                    PieceChange(add: 2),
                    by: ana
                ).preview()
                #expect(preview.problems.isEmpty, "\(preview.problems)")
                #expect(preview.leaves.first { $0.purpose == "deposit" }?.amount == "4000000")
                let single = try await planner.create(Self.thing(1, "escrow"), by: ana).preview()
                let amounts = Self.amounts(of: single)
                #expect(amounts.count == 2)
                #expect(Self.amounts(of: preview) == amounts.map { $0 * 2 })
                try await Self.change(id, PieceChange(add: 2), node, by: ana)
                #expect(try listings.listing(id).pieces?.free == 4)
                try await Self.change(id, PieceChange(withdraw: 1), node, by: ana)
                let three = try listings.listing(id)
                #expect(three.pieces == Client.Listing.Pieces(free: 3, total: 3))
                let tooMany = await #expect(throws: Refusal.self) {
                    try await Self.change(id, PieceChange(withdraw: 4), node, by: ana)
                }
                #expect(tooMany?.code == .moveNotOpen && tooMany?.field == "withdraw")

                let shown = try await node.market.purchases.buy(Purchase(listing: id), by: bo)
                    .preview()
                let isAlarm = { (warning: Sentence) in warning.code == "item.others" }
                // A withdrawn piece is no other thing with the same identifier.
                #expect(!shown.warnings.contains(where: isAlarm))
                let sale = try #require(shown.subject)
                try await SaleExitsTests.buy(id, sale, node, by: bo)
                var content = try listings.listing(id).content
                content.price.amount = "500000"
                let cheaper = content
                let begun = try await planner.edit(id, cheaper, by: ana).begin(key: "price")
                _ = try await node.done(begun)
                let now = try listings.listing(id)
                #expect(now.pieces == Client.Listing.Pieces(free: 2, total: 3))
                #expect(now.price?.amount == "500000")
                let next = try await node.market.purchases.buy(Purchase(listing: id), by: bo)
                    .preview()
                #expect(!next.warnings.contains(where: isAlarm))
                let paid = try await node.market.sales.sale(sale, for: bo)
                #expect(paid.phase == "paid" && paid.price.amount == "1000000")
                let phases = try await node.market.sales.sales(of: ana, limit: 20).items.map(
                    \.phase
                )
                #expect(phases.count { $0 == "listed" } == 2)

                _ = try await node.done(try await planner.withdraw(id, by: ana).begin(key: "all"))
                #expect(try await searcher.page(ListingQuery()).items.isEmpty)
            }
        }
    }

    @Test func `a withdrawal counts the pieces that a transaction withdraws`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner
                let id = try await Self.list(Self.thing(3), node, by: ana)
                _ = try await Self.buy(id, node, by: bo)
                let all = try await planner.withdraw(id, by: ana).preview()
                #expect(all.problems.isEmpty, "\(all.problems)")
                let codes = ["preview.piecesWithdrawn", "preview.tokenReturns"]
                #expect(all.explanation.map(\.code).prefix(2) == codes[...])
                #expect(!all.explanation.contains { $0.code == "preview.saleOver" })
                #expect(all.explanation.first?.values == ["count": "2"])
                let returns = all.explanation[1].detail
                #expect(returns == "Their sales end, and the tokens come back to you.")

                let one = PieceChange(withdraw: 1)
                let some = try await node.market.piecePlanner.change(piecesOf: id, one, by: ana)
                    .preview()
                #expect(
                    some.summary.map(\.detail) == [
                        "Of 'lamp', one piece is withdrawn; one stays for sale."
                    ]
                )
                let single = some.explanation.first?.detail
                #expect(single == "Its sale ends, and the token comes back to you.")
            }
        }
    }

    @Test func `of a failed operation, listings with a new sale are published`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let id = try ListingID(try await Self.list(Self.thing(2), node, by: ana))
                let pieces = try node.store.pieces(of: try node.store.found(id)).pieces
                func publication(_ listing: Market.Listing, _ slot: Bytes32)
                    -> OperationPlan.Publication
                {
                    .init(
                        kind: .listing,
                        slot: slot,
                        payload: RecordContent.listing(listing).payload
                    )
                }
                let here = pieces.map { publication($0.listing, $0.id.slot) }
                #expect(try node.publisher.begun(here, by: ana).isEmpty)
                let new = publication(pieces[1].listing, Bytes32(repeating: 7))
                let unsold = pieces[1].listing.anchored(
                    contract: testKey(9).address,
                    sale: SaleID(Bytes32(repeating: 8))
                )
                let unmade = publication(unsold, Bytes32(repeating: 9))
                let begun = try node.publisher.begun([here[0], new, unmade], by: ana)
                #expect(begun == [here[0], new])
            }
        }
    }

    @Test(arguments: [21, 0])
    func `refuses a number of pieces that no listing has`(count: Int) async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                for content in [Self.thing(count), Self.thing(2, "auction")] {
                    let creation = node.market.listingPlanner.create(content, by: ana)
                    let problems = try await creation.preview().problems
                    #expect(problems.map(\.code) == ["bad_listing"])
                    #expect(problems.map(\.field) == ["pieces"])
                }
                let auction = try await Self.list(Self.thing(1, "auction"), node, by: ana)
                let refused = await #expect(throws: Refusal.self) {
                    try await Self.change(auction, PieceChange(add: 1), node, by: ana)
                }
                #expect(refused?.code == .badListing && refused?.field == "add")
            }
        }
    }
}
