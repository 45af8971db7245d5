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

/// The same thing listed twice, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ListingTwinTests {
    /// - From people: a listing for which the same request is under way with another key →
    ///   in_progress
    /// - From people: a listing with the identifier of something that another account offers → a
    ///   warning, not a refusal
    @Test func `does not start a listing again that is in progress`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner
                let thing = SaleExitsTests.thing("lamp")
                try await harness.dev.control("evm_setIntervalMining", "[0]")
                try await harness.dev.control("evm_setAutomine", "[false]")
                let begun = try await planner.create(thing, by: ana).begin(key: "one")
                #expect(try await planner.create(thing, by: ana).begin(key: "one").id == begun.id)
                let refused = await #expect(throws: Refusal.self) {
                    _ = try await planner.create(thing, by: ana).begin(key: "two")
                }
                #expect(refused?.code == .inProgress)
                #expect(refused?.detail.contains(begun.id) == true)
                var other = thing
                other.title = "The same under another title"
                let twin = await #expect(throws: Refusal.self) {
                    _ = try await planner.create(other, by: ana).begin(key: "four")
                }
                #expect(twin?.code == .inProgress && twin?.field == "identifier")
                try await harness.dev.control("evm_setIntervalMining", "[0.2]")
                let first = try #require(try await node.done(begun).subject)

                // Once it is there, another account can offer the same, and is warned.
                let others = try await planner.create(thing, by: bo).preview()
                #expect(
                    others.warnings.contains {
                        $0.detail.contains("with this identifier (\(first))")
                    }
                )
                #expect(others.problems.isEmpty)
                let vase = try await planner.create(SaleExitsTests.thing("vase"), by: ana).preview()
                #expect(!vase.warnings.contains { $0.detail.contains("identifier") })
            }
        }
    }

    /// - From people: a listing with the identifier of something that the account is already
    ///   selling, also for a token that it resells → bad_listing
    @Test func `an account can sell only one item of an identifier at a time`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let planner = node.market.listingPlanner
                let thing = SaleExitsTests.thing("lamp")
                let begun = try await planner.create(thing, by: ana).begin(key: "one")
                let first = try #require(try await node.done(begun).subject)
                var spelled = thing
                spelled.identifier = " \(thing.identifier.uppercased())-"
                spelled.title = "Another lamp"
                for twin in [thing, spelled] {
                    let preview = try await planner.create(twin, by: ana).preview()
                    let problem = preview.problems.first {
                        $0.detail.contains("already selling something")
                    }
                    #expect(problem?.detail.contains(first) == true, "\(preview.problems)")
                    let refused = await #expect(throws: Refusal.self) {
                        _ = try await planner.create(twin, by: ana).begin(key: "two")
                    }
                    #expect(refused?.code == .badListing && refused?.field == "identifier")
                }
                // Another account may: nobody but the buyers can say who is right.
                _ = try await node.done(try await planner.create(thing, by: bo).begin(key: "bo"))
                let withdrawn = try await planner.withdraw(first, by: ana).begin(key: "end")
                _ = try await node.done(withdrawn)
                _ = try await node.done(
                    try await planner.create(thing, by: ana).begin(key: "three")
                )
            }
        }
    }

    @Test func `refuses to resell a token beside a new one of its identifier`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let (planner, sales) = (node.market.listingPlanner, node.market.sales)
                for owner in [ana, bo] {
                    let thing = SaleExitsTests.thing(owner == ana ? "lamp" : "vase")
                    // Ana has withdrawn the token that she made; Bo has bought it since.
                    let (listing, sale) = try await SaleExitsTests.list(thing, node, by: ana)
                    if owner == ana {
                        let end = try await planner.withdraw(listing, by: ana).begin(key: "end")
                        _ = try await node.done(end)
                    } else {
                        try await SaleExitsTests.buy(listing, sale, node, by: bo)
                        try await SaleExitsTests.move("transfer", sale, node, by: ana)
                        try await node.settled(sale, "transferred", for: bo)
                        try await SaleExitsTests.move("confirm", sale, node, by: bo)
                        try await node.settled(sale, "complete", for: bo)
                    }
                    let token = try await sales.sale(sale, for: owner).item
                    #expect(token != nil)
                    let kept = Self.resale(of: token, from: thing)
                    let anew = try await planner.create(thing, by: owner).begin(key: "anew")
                    let second = try #require(try await node.done(anew).subject)
                    let preview = try await planner.create(kept, by: owner).preview()
                    #expect(preview.problems.contains { $0.detail.contains(second) })
                    let refused = await #expect(throws: Refusal.self) {
                        _ = try await planner.create(kept, by: owner).begin(key: "kept")
                    }
                    #expect(refused?.code == .badListing && refused?.field == "identifier")

                    // Alone it is sold again, and then it stands in the way of a new one.
                    let gone = try await planner.withdraw(second, by: owner).begin(key: "second")
                    _ = try await node.done(gone)
                    let resold = try await planner.create(kept, by: owner).begin(key: "resold")
                    let third = try #require(try await node.done(resold).subject)
                    let twin = try await planner.create(thing, by: owner).preview()
                    #expect(twin.problems.contains { $0.detail.contains(third) })
                    let last = try await planner.withdraw(third, by: owner).begin(key: "third")
                    _ = try await node.done(last)
                }
            }
        }
    }

    private static func resale(of token: String?, from thing: ListingContent) -> ListingContent {
        var content = thing
        content.item = token
        return content
    }

    @Test func `a hash copied from a pending listing does not make its thief older`() async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let (listings, planner, sales) = (
                    node.market.listings, node.market.listingPlanner, node.market.sales
                )
                let thing = SaleExitsTests.thing("lamp")
                let thief = testKey(9)
                try await harness.dev.fund(thief.address)
                let copy = try await copied(by: thief, from: thing, of: ana, node, harness)

                // Ana's own listing is mined after that.
                try await harness.dev.control("evm_increaseTime", "[100]")
                let begun = try await planner.create(thing, by: ana).begin(key: "one")
                let own = try listings.listing(
                    try #require(try await node.done(begun).subject)
                )
                let sale = try await sales.sale(try #require(own.anchor?.sale), for: bo)
                let second = try #require(
                    try await node.market.items.items(token: copy.decimal, for: bo).first
                )
                let tokens = try await node.market.items.items(
                    identifier: thing.identifier,
                    for: bo
                )
                #expect(tokens.map(\.maker) == [ana.checksummed])
                #expect(tokens.map(\.token) == [sale.item] && second.token != sale.item)
                #expect(second.contentHash == tokens.first?.contentHash)
                #expect(second.maker == thief.address.checksummed && second.identifier == nil)
                let (first, since) = (try #require(second.since), try #require(tokens.first?.since))
                #expect(first < since)

                // Nobody is warned of the copy, and it is no rival.
                #expect(try await listings.rivals(of: own).isEmpty)
                let purchase = Purchase(listing: own.id, shipTo: "DE")
                let warnings = try await node.market.purchases.buy(purchase, by: bo).preview()
                    .warnings
                #expect(!warnings.contains { $0.detail.contains("identifier") }, "\(warnings)")
            }
        }
    }

    /// Lists somebody else's thing first, with the hash that a pending transaction shows, and waits
    /// until the node sees the token.
    private func copied(
        by thief: PrivateKey,
        from thing: ListingContent,
        of maker: Address,
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> Amount {
        let planner = node.market.listingPlanner.offerPlanner
        let seen = try await planner.offer(thing, by: maker)
        let content = SaleContent(
            title: "A copy",
            slot: .random(),
            contentHash: seen.content.contentHash,
            promise: seen.content.promise,
            terms: seen.content.terms
        )
        let sale = try seen.service.newSale(of: content, by: thief.address)
        let offer = PlannedListing(
            chain: seen.chain,
            listing: seen.listing,
            slot: content.slot,
            content: content,
            sale: sale,
            service: seen.service,
            seller: thief.address
        )
        let intent = Intent(
            id: IntentID(Keccak256.hash(thief.address.bytes)),
            purpose: "copy",
            steps: try await planner.steps(of: [offer])
        )
        let client = ChainClient(
            chain: harness.market.chain,
            endpoints: [harness.dev.endpoint],
            transport: harness.transport,
            logger: quiet
        )
        _ = try await SenderHarness(signer: KeySigner(thief), client: client).run { sender in
            try await sender.submit(intent)
            #expect(try await sender.ended(intent.id).phase == .final)
        }
        return try await waitFor {
            node.market.saleIndex.view(of: sale.sale.id)?.sale.state.item
        }
    }

    @Test func `listings of one identifier name each other with their tokens' age`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let (listings, planner, reviews) = (
                    node.market.listings, node.market.listingPlanner, node.market.reviews
                )
                let thing = SaleExitsTests.thing("lamp")
                let older = try await node.done(
                    try await planner.create(thing, by: ana).begin(key: "a")
                )
                let alone = try listings.listing(try #require(older.subject))
                #expect(try await listings.rivals(of: alone).isEmpty)
                try await harness.dev.control("evm_increaseTime", "[100]")
                let newer = try await node.done(
                    try await planner.create(thing, by: bo).begin(key: "b")
                )
                _ = try await node.done(
                    try await planner.create(SaleExitsTests.thing("vase"), by: bo).begin(key: "c")
                )
                var since: [Date] = []
                for (own, other) in [(older, newer), (newer, older)] {
                    let shown = try listings.listing(try #require(own.subject))
                    let rivals = try await reviews.uses(try await listings.rivals(of: shown)) {
                        try listings.tokenSince(of: $0)
                    }
                    let twin = try #require(other.subject)
                    #expect(rivals.map(\.listing) == [twin])
                    #expect(rivals.map(\.authorsSales) == [0])
                    since.append(try #require(try listings.tokenSince(of: shown)))
                    let token = try #require(rivals.first?.tokenSince)
                    #expect(token != since.last)
                }
                #expect(since[1].timeIntervalSince(since[0]) >= 100)
                let items = try await node.market.items.items(
                    identifier: thing.identifier,
                    for: nil
                )
                #expect(items.map(\.since) == since)
                let purchase = Purchase(listing: try #require(newer.subject), shipTo: "DE")
                let warnings = try await node.market.purchases.buy(purchase, by: ana).preview()
                    .warnings
                let warning = try #require(warnings.first { $0.detail.contains("same identifier") })
                #expect(warning.detail.hasPrefix("Another token"))
                #expect(warning.detail.contains("one of them is older"))
                let first = Purchase(listing: try #require(older.subject), shipTo: "DE")
                let seen = try await node.market.purchases.buy(first, by: bo).preview().warnings
                #expect(seen.contains { $0.detail.contains("this token is older") })
            }
        }
    }
}
