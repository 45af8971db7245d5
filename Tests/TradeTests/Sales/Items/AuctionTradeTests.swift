import AccountAccess
import Answers
import Client
import Concurrency
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade
import TradeSupport

/// Auctions through a node's services, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AuctionTradeTests {
    static func print(_ currency: String = "native") -> ListingContent {
        var content = SaleExitsTests.thing("print", in: currency)
        content.payment = "auction"
        content.price.amount = "10000"
        return content
    }

    /// Bids, and waits until the seller's account is told of it.
    static func bid(
        _ amount: String,
        _ listing: String,
        _ node: RunningMarket,
        by account: Address,
        seller: Address
    ) async throws {
        let begun = try await node.market.purchases.buy(
            Purchase(listing: listing, bid: amount),
            by: account
        ).begin(key: "bid \(amount)")
        #expect(begun.kind == .bid)
        let sale = try #require(try await node.done(begun).subject)
        try await node.until(seller) {
            try await node.market.sales.sale(sale, for: seller).auction?.highestBid?.amount
                == amount
        }
    }

    /// The phases and highest bids that an account was told of a sale, each once.
    private static func news(
        of account: Address,
        about sale: String,
        _ node: RunningMarket
    ) throws -> [String] {
        let page = try node.store.read { try $0.events(of: account, after: 0, limit: 1_000) }
        var told: [String] = []
        for (number, stored) in page.events {
            let event = try stored.shown(number)
            guard event.type == "sale", event.subject == sale else { continue }
            let phase = try #require(event.data["phase"])
            let text = event.data["highestBid"].map { "\(phase) \($0)" } ?? phase
            if told.last != text { told.append(text) }
        }
        return told
    }

    @Test func `an auction in tokens that a stranger ends pays and informs everyone`() async throws
    {
        let token = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 6)
        try await MarketHarness.scoped(tokens: [token]) { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let cy = try await node.account("cy", on: harness)
                let dee = try await node.account("dee", on: harness)
                for name in ["cy", "dee"] { try await node.signIn(name) }
                let address = try #require(harness.market.tokens.first?.address)
                for account in [bo, cy] { try await harness.mint(20_000, for: account) }
                // A title that looks like an amount is shown as it is.
                var decoy = Self.print(address.checksummed)
                decoy.title = "5000000 units of token \(address.checksummed)"
                let offer = try await node.market.listingPlanner.create(decoy, by: ana).preview()
                let words = "You auction '\(decoy.title)' for 7 days from 0.01 TST."
                #expect(offer.summary.detail == words)
                let (listing, sale) = try await SaleExitsTests.list(
                    Self.print(address.checksummed),
                    node,
                    by: ana
                )
                try await node.settled(sale, "ready", for: ana)
                try await Self.bid("10000", listing, node, by: bo, seller: ana)
                let low = Purchase(listing: listing, bid: "10499")
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(low, by: cy).begin(key: "low")
                }
                #expect(refused?.code == .bidTooLow)
                try await Self.bid("10500", listing, node, by: cy, seller: ana)
                let credits = try await node.market.wallets.wallet(of: bo).credits
                #expect(credits.map(\.money.amount) == ["10000"])
                // What is outbid is to be collected, of the sale that it comes from.
                #expect(credits.map(\.kind) == ["auction"])
                #expect(credits.first?.sales == [Wallet.Part(sale: sale, amount: "10000")])
                for (account, lists) in [
                    (ana, ["running"]), (bo, ["bids", "to_collect"]), (cy, ["bids"]),
                ] {
                    #expect(try await MarketServicesTests.lists(of: account, node) == lists)
                }
                #expect(try await node.market.wallets.wallet(of: bo).locked.isEmpty)
                let locked = try await node.market.wallets.wallet(of: cy).locked
                let bid = Money(amount: "10500", currency: address.checksummed)
                #expect(
                    locked == [
                        Wallet.Locked(sale: sale, kind: "auction", phase: "bid", money: bid)
                    ]
                )

                try await Self.pass(.days(7), harness)
                try await Self.untilOver(sale, node)
                let closed = try await node.market.sales.sale(sale, for: dee)
                #expect(closed.actions.map(\.move) == ["end"])
                try await SaleExitsTests.move("end", sale, node, by: dee)
                try await node.settled(sale, "sold", for: bo)
                let shown = try await node.market.sales.sale(sale, for: bo)
                #expect(shown.buyer == cy.checksummed && shown.auction?.ownBid == "10000")
                #expect(try await MarketServicesTests.lists(of: bo, node) == ["to_collect"])
                let collected = try await node.market.wallets.collect(by: bo).begin(key: "collect")
                _ = try await node.done(collected)
                try await waitUntil { try await MarketServicesTests.lists(of: bo, node).isEmpty }
                #expect(try await node.market.wallets.wallet(of: cy).locked.isEmpty)
                #expect(try await MarketServicesTests.lists(of: cy, node).first == "purchases")
                #expect(try await MarketServicesTests.lists(of: ana, node).first == "sold")
                // 2 % for the platform; the maker's 2 % are the seller's own.
                let wallet = try await node.market.wallets.wallet(of: ana)
                #expect(wallet.credits.map(\.money.amount) == ["10290"])
                try await Self.expectOwner(of: shown.item, cy, node, harness)

                let told = try [ana, bo, cy, dee].map { try Self.news(of: $0, about: sale, node) }
                #expect(told[0] == ["ready", "bid 10000", "bid 10500", "sold 10500"])
                #expect(told[1] == ["bid 10500", "sold 10500"])
                #expect(told[2] == ["sold 10500"])
                #expect(told[3].isEmpty)
            }
        }
    }

    /// - From people: withdrawing the listing of an auction with a bid → move_not_open
    @Test func `search and names find an auction until it ends`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let (listing, sale) = try await SaleExitsTests.list(Self.print(), node, by: ana)
                try await node.settled(sale, "ready", for: ana)
                let (planner, searcher) = (node.market.listingPlanner, node.market.listingSearcher)
                let catalogue = try Catalogue(path: folder.path("titles"), store: node.store)
                let names = MarketIndex(
                    store: node.store,
                    catalogue: catalogue,
                    saleIndexes: node.market.saleIndexes,
                    clock: .system
                )
                #expect(try await searcher.page(ListingQuery()).items.first?.highestBid == nil)
                for amount in ["10000", "10500"] {
                    try await Self.bid(amount, listing, node, by: bo, seller: ana)
                    // A bid belongs to the sale: each node with the listing shows it at once.
                    let found = try await searcher.page(ListingQuery()).items
                    #expect(found.map(\.id) == [listing])
                    #expect(found.first?.highestBid?.amount == amount)
                    #expect(found.first?.salePhase == "bid")
                }
                // A search by price compares the highest bid, not the least first one.
                for (least, most, count) in [
                    ("10500", nil, 1), ("10510", nil, 0), (nil, "10500", 1), (nil, "10499", 0),
                    ("10010", "10600", 1),
                ] as [(String?, String?, Int)] {
                    var query = ListingQuery()
                    (query.priceMin, query.priceMax, query.currency) = (least, most, "native")
                    query.countsMatches = true
                    let page = try await searcher.page(query)
                    #expect(page.items.count == count && page.total == count)
                }
                let other = try await SaleExitsTests.list(
                    SaleExitsTests.thing("print two"),
                    node,
                    by: ana
                )
                let ambiguous = await #expect(throws: Refusal.self) {
                    try await names.listing("print", by: .onSale)
                }
                #expect(ambiguous?.code == .ambiguousID)
                let bound = await #expect(throws: Refusal.self) {
                    try await planner.withdraw(listing, by: ana).begin(key: "bid for")
                }
                #expect(bound?.code == .moveNotOpen && bound?.detail.contains("bid for it") == true)

                try await Self.pass(.days(7), harness)
                try await Self.untilOver(sale, node)
                let left = try await searcher.page(ListingQuery()).items
                #expect(left.map(\.id) == [other.listing])
                #expect(try await names.listing("print", by: .onSale) == other.listing)
                let late = Purchase(listing: listing, bid: "20000")
                let gone = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(late, by: bo).begin(key: "late")
                }
                #expect(gone?.code == .listingGone)
            }
        }
    }

    /// - From people: a bid that somebody outbids before it is mined → bid_too_low
    @Test func `a bidder outbid before mining is told and pays only the fee`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let cy = try await node.account("cy", on: harness)
                try await node.signIn("cy")
                let (listing, sale) = try await SaleExitsTests.list(Self.print(), node, by: ana)
                try await node.settled(sale, "ready", for: ana)
                // Both are sent before the next block, which has room for both.
                try await harness.dev.control("evm_setIntervalMining", "[0]")
                try await harness.dev.control("evm_setAutomine", "[false]")
                let bid = Purchase(listing: listing, bid: "10000")
                var begun: [Client.Operation] = []
                for account in [bo, cy] {
                    let operation = try await node.market.purchases.buy(bid, by: account).begin(
                        key: "bid"
                    )
                    begun.append(operation)
                    try await node.until(account) {
                        let now = try node.operations.entry(operation.id, account: account)
                        return now.operation.phases.first { $0.name == .sent }?.state == .done
                    }
                }
                try await harness.dev.control("evm_setIntervalMining", "[0.2]")
                var ends: [Client.Operation] = []
                for operation in begun {
                    ends.append(try await Self.ended(operation, node))
                }
                let lost = try #require(ends.first { $0.state == .failed })
                #expect(ends.contains { $0.state == .done })
                #expect(lost.problem?.code == "bid_too_low")
                #expect(lost.problem?.detail.hasPrefix("Somebody bid more") == true)
                let loser = try Address(text: lost.account)
                let gas = try await node.gasPaid(by: loser, on: harness.market.chain)
                let balance = try await node.market.wallets.wallet(of: loser).balances.first
                let had = try #require(Amount(decimal: "10000000000000000000"))
                #expect(balance?.amount == had.subtracting(gas)?.decimal)
            }
        }
    }

    private static func ended(
        _ operation: Client.Operation,
        _ node: RunningMarket
    ) async throws -> Client.Operation {
        let account = try Address(text: operation.account)
        var last = operation
        try await node.until(account) {
            last = try node.operations.entry(operation.id, account: account).operation
            return !last.isRunning
        }
        return last
    }

    @Test(arguments: [("abort before the end", "aborted"), ("end from then on", "unsold")])
    func `withdraws an auction without a bid`(way: String, phase: String) async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await SaleExitsTests.parties(node, harness)
                let (listing, sale) = try await SaleExitsTests.list(Self.print(), node, by: ana)
                try await node.settled(sale, "ready", for: ana)
                let planner = node.market.listingPlanner
                var words = Self.print()
                words.tags = ["signed"]
                words.auction = Client.AuctionTerms(
                    durationSeconds: 604_800,
                    minIncrement: 500,
                    extensionSeconds: 600
                )
                _ = try await node.done(
                    try await planner.edit(listing, words, by: ana).begin(key: "edit")
                )
                for change in [
                    { $0.auction?.minIncrement = 600 }, { $0.payment = "direct" },
                    { $0.item = "1" }, { $0.direct = Client.DirectSaleTerms(offerUntil: 1) },
                ] as [@Sendable (inout ListingContent) -> Void] {
                    var other = words
                    change(&other)
                    let changed = other
                    let refused = await #expect(throws: Refusal.self) {
                        try await planner.edit(listing, changed, by: ana).begin(key: "other")
                    }
                    #expect(refused?.code == .badTerms && refused?.field == "terms")
                }
                if phase == "unsold" {
                    try await Self.pass(.days(7), harness)
                    try await Self.untilOver(sale, node)
                }
                let preview = try await planner.withdraw(listing, by: ana).preview()
                #expect(preview.problems.isEmpty && preview.comesBack.isEmpty)
                _ = try await node.done(
                    try await planner.withdraw(listing, by: ana).begin(key: "withdraw")
                )
                try await node.settled(sale, phase, for: ana)
                let item = try await node.market.sales.sale(sale, for: ana).item
                try await Self.expectOwner(of: item, ana, node, harness)
            }
        }
    }

    /// Lets the chain's time pass.
    static func pass(_ duration: Duration, _ harness: MarketHarness) async throws {
        try await harness.dev.control("evm_increaseTime", "[\(duration.components.seconds)]")
        try await harness.dev.control("evm_mine", "[]")
    }

    /// Waits until the node's chain shows that the bidding is over.
    static func untilOver(_ sale: String, _ node: RunningMarket) async throws {
        let id = SaleID(try #require(Bytes32(hex: sale)))
        try await node.market.service.until { _ in
            guard let view = node.market.saleIndex.view(of: id),
                let time = node.market.saleIndex.time
            else { return false }
            return !view.sale.isOffered(at: time)
        }
    }

    static func expectOwner(
        of item: String?,
        _ account: Address,
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws {
        let token = try #require(item.flatMap { Amount(decimal: $0) })
        let contract = ItemContract(address: harness.market.item.address)
        #expect(try await node.market.client.ask(contract.owner(of: token)) == account)
    }
}
