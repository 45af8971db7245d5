import AccountAccess
import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing
import Trade
import TradeSupport

/// Direct sales, and tokens that are sold again, through a node's services on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResaleTests {
    private static func print(_ payment: String = "direct", item: String? = nil) -> ListingContent {
        var content = SaleExitsTests.thing("print")
        (content.payment, content.item) = (payment, item)
        return content
    }

    private static func buy(
        _ listing: String,
        _ node: RunningMarket,
        by account: Address
    ) async throws {
        let purchase = Purchase(listing: listing)
        let preview = try await node.market.purchases.buy(purchase, by: account).preview()
        #expect(preview.problems.isEmpty && preview.action == "buy")
        #expect(preview.warnings.contains { $0.detail.contains("Only a sale by escrow protects") })
        let begun = try await node.market.purchases.buy(purchase, by: account).begin(
            key: "buy \(listing)"
        )
        _ = try await node.done(begun)
    }

    private static func credit(of account: Address, _ node: RunningMarket) async throws -> [String]
    {
        try await node.market.wallets.wallet(of: account).credits.map(\.money.amount)
    }

    /// - From people: reselling a token that is not of this market, belongs to another account, or
    ///   is in a sale → bad_listing
    /// - From people: reselling a token under another identifier → bad_listing
    @Test func `a token can be bought and resold, and its maker gets a royalty`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let cy = try await node.account("cy", on: harness)
                try await node.signIn("cy")
                let first = try await SaleExitsTests.list(Self.print(), node, by: ana)
                try await node.settled(first.sale, "ready", for: ana)
                try await Self.buy(first.listing, node, by: bo)
                try await node.settled(first.sale, "sold", for: ana)
                // 2 % of 1,000,000 for the platform; the maker's 2 % are the seller's own.
                #expect(try await Self.credit(of: ana, node) == ["980000"])
                let sold = try await node.market.sales.sale(first.sale, for: bo)
                let token = try #require(sold.item)
                try await AuctionTradeTests.expectOwner(of: token, bo, node, harness)

                try await Self.refusals(of: token, node, ana: ana, bo: bo)
                let again = Self.print(item: token)
                let preview = try await node.market.listingPlanner.create(again, by: bo).preview()
                #expect(preview.problems.isEmpty && preview.comesBack.map(\.amount) == ["960000"])
                let takes = Sentence("preview.allowTake")
                #expect(preview.explanation.contains(takes))
                let second = try await SaleExitsTests.list(again, node, by: bo)
                try await node.settled(second.sale, "ready", for: bo)
                #expect(try await node.market.sales.sale(second.sale, for: bo).item == token)
                try await Self.expectInSale(token, node, bo: bo)

                try await Self.buy(second.listing, node, by: cy)
                try await node.settled(second.sale, "sold", for: bo)
                #expect(try await Self.credit(of: bo, node) == ["960000"])
                #expect(try await Self.credit(of: ana, node) == ["1000000"])
                try await AuctionTradeTests.expectOwner(of: token, cy, node, harness)
            }
        }
    }

    @Test func `does not ask for a contract's allowance twice`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let first = try await SaleExitsTests.list(Self.print("auction"), node, by: ana)
                try await node.settled(first.sale, "ready", for: ana)
                let token = try await node.market.sales.sale(first.sale, for: ana).item
                try await SaleExitsTests.move("abort", first.sale, node, by: ana)
                try await node.settled(first.sale, "aborted", for: ana)

                var again = Self.print("escrow", item: token)
                again.title = "print again"
                let takes = Sentence("preview.allowTake")
                let preview = try await node.market.listingPlanner.create(again, by: ana).preview()
                #expect(preview.explanation.contains(takes))
                let amount = try #require(token.flatMap { Amount(decimal: $0) })
                try await Self.approve(amount, by: ana, node, harness)
                let approved = try await node.market.listingPlanner.create(again, by: ana).preview()
                #expect(!approved.explanation.contains(takes))
                // Allowed for another kind, it is not allowed for this one.
                let other = try await node.market.listingPlanner.create(
                    Self.print("auction", item: token),
                    by: ana
                ).preview()
                #expect(other.explanation.contains(takes))
                let second = try await SaleExitsTests.list(again, node, by: ana)
                try await node.settled(second.sale, "listed", for: ana)
                #expect(try await node.market.sales.sale(second.sale, for: ana).item == token)
            }
        }
    }

    /// Allows the escrow contract to take a token, beside the node's own operations.
    private static func approve(
        _ token: Amount,
        by account: Address,
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws {
        let item = ItemContract(address: harness.market.item.address)
        let intent = Intent(
            id: IntentID(Keccak256.hash(account.bytes)),
            purpose: "approve",
            steps: [Intent.Step(item.approve(harness.market.escrow, token: token))]
        )
        let key = try #require(await node.accounts.key(of: account))
        let client = ChainClient(
            chain: harness.market.chain,
            endpoints: [harness.dev.endpoint],
            transport: harness.transport,
            logger: quiet
        )
        _ = try await SenderHarness(signer: KeySigner(key), client: client).run { sender in
            try await sender.submit(intent)
            return try await sender.ended(intent.id)
        }
    }

    private static func refusals(
        of token: String,
        _ node: RunningMarket,
        ana: Address,
        bo: Address
    ) async throws {
        var renamed = print(item: token)
        renamed.identifier = "another print"
        let beyond = "1" + String(repeating: "0", count: 78)
        for (content, account, field, words) in [
            (print(item: "0x7"), bo, "item", "'0x7' is not the number of a token:"),
            (print(item: ""), bo, "item", "'' is not the number of a token:"),
            (print(item: "0"), bo, "item", "'0' is not the number of a token:"),
            (print(item: beyond), bo, "item", "is not the number of a token:"),
            (print(item: token + "1"), bo, "item", "This market has no token \(token)1."),
            (print(item: token), ana, "item", "Token \(token) is owned by \(bo)."),
            (renamed, bo, "identifier", "Token \(token) was made for an identifier other than"),
        ] {
            let refused = await #expect(throws: Refusal.self) {
                try await node.market.listingPlanner.create(content, by: account).begin(key: words)
            }
            #expect(refused?.code == .badListing && refused?.field == field)
            #expect(refused?.detail.contains(words) == true, "\(refused?.detail ?? "")")
        }
    }

    private static func expectInSale(
        _ token: String,
        _ node: RunningMarket,
        bo: Address
    ) async throws {
        for payment in ["direct", "auction", "escrow"] {
            let refused = await #expect(throws: Refusal.self) {
                try await node.market.listingPlanner.create(print(payment, item: token), by: bo)
                    .begin(key: "again \(payment)")
            }
            #expect(refused?.code == .badListing && refused?.field == "item")
            #expect(refused?.reason?.first?.code == "refusal.tokenInOwnSale")
        }
    }
}
