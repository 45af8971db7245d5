import AccountAccess
import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// Markets that are not what their deployment file says.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WrongMarketTests {
    /// - From people: a deployment file that names another market → wrong_market
    @Test func `pays nothing into a market that differs from its file`() async throws {
        try await MarketHarness.scoped { harness in
            let good = harness.market
            let platform = good.escrowContract.fees.platform
            let fees = try #require(
                MarketFees(platformBasisPoints: 1, makerBasisPoints: 200, platform: platform)
            )
            let elsewhere = try #require(
                MarketFees(
                    platformBasisPoints: 200,
                    makerBasisPoints: 200,
                    platform: good.item.address
                )
            )
            let differences: [(DeployedMarket, String)] = [
                (
                    harness.market(escrow: good.item.address),
                    "the escrow contract's address is not the one that its factory"
                ),
                (
                    harness.market(item: good.escrow),
                    "the item contract's address is not the one that its factory"
                ),
                (
                    harness.market(fees: fees),
                    "the platform's fee in the escrow contract is 200 basis points"
                ),
                (
                    harness.market(fees: elsewhere),
                    "the platform of the escrow contract is \(platform.checksummed)"
                ),
                (
                    harness.market(tokens: [good.item.address]),
                    "the tokens that the escrow contract accepts are []"
                ),
            ]
            for (market, words) in differences {
                let refusal = try await Self.listing(
                    MarketHarness(dev: harness.dev, transport: harness.transport, market: market)
                )
                #expect(refusal?.code == .wrongMarket)
                #expect(refusal?.detail.contains(words) == true, "\(refusal?.detail ?? words)")
            }
        }
    }

    @Test func `buys nothing in a market that differs from its file`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let platform = testKey(7).address
            let fees = try #require(
                MarketFees(platformBasisPoints: 200, makerBasisPoints: 200, platform: platform)
            )
            let wrong = harness.market(fees: fees)
            try await harness.run(in: folder) { node in
                let (ana, _) = try await MarketServicesTests.parties(node, harness)
                _ = try await MarketServicesTests.list(node, by: ana)
            }
            let other = MarketHarness(dev: harness.dev, transport: harness.transport, market: wrong)
            try await other.run(in: folder) { node in
                try await node.signIn("bo")
                try await MarketServicesTests.current(node)
                let listing = try #require(
                    try await node.market.listingSearcher.page(ListingQuery()).items.first
                )
                let known = try await node.accounts.list().first { $0.name == "bo" }
                let bo = try Address(text: try #require(known).address)
                let refusal = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(
                        Client.Purchase(listing: listing.id, shipTo: "DE"),
                        by: bo
                    ).begin(key: "buy")
                }
                #expect(refusal?.code == .wrongMarket)
            }
        }
    }

    /// What a wish to list is refused with.
    private static func listing(_ harness: MarketHarness) async throws -> Refusal? {
        let folder = try TemporaryFolder()
        let refusal = Mutex<Refusal?>(nil)
        try await harness.run(in: folder) { node in
            let ana = try await node.account("ana", on: harness)
            try await node.signIn("ana")
            try await MarketServicesTests.current(node)
            let thrown = await #expect(throws: Refusal.self) {
                try await node.market.listingPlanner.create(MarketServicesTests.bicycle, by: ana)
                    .begin(key: "list")
            }
            refusal.withLock { $0 = thrown }
        }
        return refusal.withLock { $0 }
    }
}

extension MarketHarness {
    /// The market, as a file with something else in it says.
    fileprivate func market(
        item: Address? = nil,
        escrow: Address? = nil,
        fees: MarketFees? = nil,
        tokens: [Address]? = nil
    ) -> DeployedMarket {
        let tokens = tokens ?? market.escrowContract.tokens
        return DeployedMarket(
            chain: market.chain,
            item: market.item.moved(to: item),
            contracts: [
                DeployedMarket.Contract(
                    kind: .escrow,
                    location: market.escrowContract.location.moved(to: escrow),
                    fees: fees ?? market.escrowContract.fees,
                    tokens: tokens
                )
            ],
            tokens: tokens.map { DeployedMarket.Token(address: $0) }
        )
    }
}

extension DeployedMarket.Location {
    /// The same, at another address if there is one.
    fileprivate func moved(to other: Address?) -> DeployedMarket.Location {
        DeployedMarket.Location(
            address: other ?? address,
            firstBlock: firstBlock,
            creation: creation
        )
    }
}
