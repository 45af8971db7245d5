import Answers
import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Synchronization
import Testing
import Trade
import TradeSupport

/// A whole trade through a node's services, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MarketServicesTests {
    private static let half = "500000000000000000"

    static var bicycle: ListingContent {
        ListingContent(
            title: "Red bicycle",
            description: "Ridden for two summers.",
            category: "vehicles",
            tags: ["bicycle"],
            price: Money(amount: half, currency: "native"),
            identifier: "WTU-123 456",
            shipsTo: ["DE", "FR"]
        )
    }

    /// - From people: a review with a file that this node does not have, or with more than three →
    ///   malformed_value
    /// - From people: the buyer's own listing → own_listing
    /// - From people: a destination that the seller does not ship to → shipping_not_possible
    /// - From people: a move that is not open → move_not_open
    /// - From people: a stranger's move → not_your_sale
    /// - From people: a second, different review of a sale by the same account →
    ///   already_reviewed
    /// - From people: a stranger's review → review_refused
    @Test func `two accounts trade, and every wei reaches the right account`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let (listing, sale) = try await Self.list(node, by: ana)

                try await Self.refusals(node, listing: listing, sale: sale, ana: ana, bo: bo)
                try await Self.buy(node, listing, sale, ana: ana, bo: bo)
                try await Self.move(node, "transfer", sale, by: ana, to: "transferred", bo)
                try await Self.move(node, "confirm", sale, by: bo, to: "complete", ana)
                try await Self.reviews(node, listing: listing, sale: sale, ana: ana, bo: bo)
                try await Self.collect(node, harness, ana: ana, bo: bo)
            }
        }
    }

    @Test(arguments: [JournalStep.intentRecorded, .signed, .broadcast, .mined, .final])
    func `lists an item once even if the node restarts after any step`(
        step: JournalStep
    ) async throws {
        struct Stopped: Error {}
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            let operation = Mutex<Client.Operation?>(nil)
            let stop: TransactionSender.StepHook = { if $0 == step { throw Stopped() } }
            await #expect(throws: Stopped.self) {
                try await harness.run(in: folder, afterStep: stop) { node in
                    let ana = try await node.account("ana", on: harness)
                    try await node.signIn("ana")
                    try await Self.current(node)
                    let begun = try await node.market.listingPlanner.create(Self.bicycle, by: ana)
                        .begin(key: "k")
                    operation.withLock { $0 = begun }
                    _ = try await node.done(begun)
                }
            }
            try await harness.run(in: folder) { node in
                let begun = try #require(operation.withLock { $0 })
                let ana = try Address(text: begun.account)
                try await node.signIn("ana")
                _ = try await node.done(begun)

                let sales = try await node.market.sales.sales(of: ana, limit: 20).items
                let found = try await node.market.listingSearcher.page(ListingQuery())
                let again = try await node.market.listingPlanner.create(Self.bicycle, by: ana)
                    .begin(key: "k")
                #expect(sales.count == 1)
                #expect(found.items.map(\.anchor?.sale) == sales.map(\.id))
                #expect(again.id == begun.id)
            }
        }
    }

    @Test func `a locked account's operation waits for its owner, then continues`()
        async throws
    {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let ana = try await node.account("ana", on: harness)
                try await Self.current(node)
                let begun = try await node.market.listingPlanner.create(Self.bicycle, by: ana)
                    .begin(key: "k")
                try await node.until(ana) {
                    let entry = try node.operations.entry(begun.id, account: ana)
                    return entry.operation.state == .needsUnlock
                }

                try await node.signIn("ana")

                let done = try await node.done(begun)
                let listing = Client.Operation.Phase.Name.known.filter { $0 != .told }
                #expect(done.phases.map(\.name) == listing)
                #expect(done.phases.allSatisfy { $0.state == .done })
            }
        }
    }

    @Test func `signs nothing while it reads the chain again`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let ana = try await node.account("ana", on: harness)
                try await Self.current(node)
                let begun = try await node.market.listingPlanner.create(Self.bicycle, by: ana)
                    .begin(key: "k")
                func shown() throws -> Client.Operation {
                    try node.operations.entry(begun.id, account: ana).operation
                }
                try await node.until(ana) { try shown().state == .needsUnlock }
                node.market.saleIndex.set(health: .rescanning)

                try await node.signIn("ana")
                try await node.until(ana) {
                    let now = try shown()
                    return now.state == .done || now.phases[0].detail?.contains("again") == true
                }
                #expect(try shown().phases[1].state == .waiting)

                node.market.saleIndex.set(health: .following)
                _ = try await node.done(begun)
            }
        }
    }

    /// - From people: a move while the store has no room for the chain's events → chain_stale
    @Test func `shows that the chain is not followed while there is no room`() async throws {
        try await MarketHarness.scoped { harness in
            let isFull = Mutex(false)
            var harness = harness
            harness.fault = { _ in
                isFull.withLock { $0 } ? .failure(.diskFull(.commit)) : nil
            }
            try await harness.run(in: try TemporaryFolder()) { node in
                let index = node.market.saleIndex
                try await Self.current(node)
                isFull.withLock { $0 = true }
                try await waitUntil { index.health == .stale(.noRoom) }
                #expect(index.status.health == "stale")
                #expect(index.status.detail?.contains("store has no room") == true)
                #expect(throws: Refusal.self) { try index.requireCurrent() }
                #expect(try node.store.room().isFull)

                isFull.withLock { $0 = false }
                try await waitUntil { index.health == .following }
            }
        }
    }

    // The parts of the trade

    static func parties(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address) {
        let ana = try await node.account("ana", on: harness)
        let bo = try await node.account("bo", on: harness)
        try await node.signIn("ana")
        try await node.signIn("bo")
        try await current(node)
        return (ana, bo)
    }

    /// Waits until the node has caught up with the chain.
    static func current(_ node: RunningMarket) async throws {
        try await node.market.service.until { $0.health == .following }
    }

    static func list(
        _ node: RunningMarket,
        by ana: Address
    ) async throws -> (listing: String, sale: String) {
        let begun = try await node.market.listingPlanner.create(bicycle, by: ana).begin(key: "list")
        let done = try await node.done(begun)
        #expect(done.phases.allSatisfy { $0.state == .done })
        let page = try await node.market.listingSearcher.page(wish("bicycle"))
        let listing = try #require(page.items.first)
        #expect(listing.id == begun.subject)
        #expect(listing.isAsPromised == true)
        #expect(listing.salePhase == "listed")
        #expect(listing.content.shipsTo == ["DE", "FR"])
        return (listing.id, try #require(listing.anchor?.sale))
    }

    private static func wish(_ text: String) -> ListingQuery {
        var wish = ListingQuery()
        wish.text = text
        return wish
    }

    static func code(
        _ body: () async throws -> some Sendable
    ) async throws -> ProblemCode? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal {
            return refusal.code
        }
    }

    private static func refusals(
        _ node: RunningMarket,
        listing: String,
        sale: String,
        ana: Address,
        bo: Address
    ) async throws {
        let toUS = Purchase(listing: listing, shipTo: "US")
        let preview = try await node.market.purchases.buy(toUS, by: bo).preview()
        #expect(preview.total == [Money(amount: "1000000000000000000", currency: "native")])
        #expect(preview.problems.count == 1)
        #expect(preview.problems.map(\.code) == ["shipping_not_possible"])
        #expect(
            try await code { try await node.market.purchases.buy(toUS, by: bo).begin(key: "us") }
                == .shippingNotPossible
        )
        let own = Purchase(listing: listing, shipTo: "DE")
        #expect(
            try await code { try await node.market.purchases.buy(own, by: ana).begin(key: "own") }
                == .ownListing
        )
        let early = Client.SaleMove(move: "confirm")
        #expect(
            try await code {
                try await node.market.moves.move(sale, early, by: ana).begin(key: "e")
            }
                == .moveNotOpen
        )
        #expect(
            try await code { try await node.market.moves.move(sale, early, by: bo).begin(key: "e") }
                == .notYourSale
        )
        // Anybody can claim once the time for it has come, so who asks is not the reason.
        let claim = Client.SaleMove(move: "claim")
        #expect(
            try await code { try await node.market.moves.move(sale, claim, by: bo).begin(key: "c") }
                == .moveNotOpen
        )
        let draft = ReviewDraft(sale: sale, stars: 5, text: "Good.")
        #expect(
            try await code { try await node.market.reviews.write(draft, by: bo) }
                == .reviewRefused
        )
        #expect(
            try await code { try await node.market.wallets.collect(by: bo).begin(key: "c") }
                == .moveNotOpen
        )
    }

    private static func buy(
        _ node: RunningMarket,
        _ listing: String,
        _ sale: String,
        ana: Address,
        bo: Address
    ) async throws {
        let purchase = Purchase(listing: listing, shipTo: "fr")
        let sales = node.market.sales
        #expect(try await node.market.purchases.buy(purchase, by: bo).preview().problems.isEmpty)
        let begun = try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
        let again = try await node.market.purchases.buy(purchase, by: bo).begin(key: "buy")
        #expect(again.id == begun.id)
        _ = try await node.done(begun)
        try await node.settled(sale, "paid", for: ana)
        let shown = try await sales.sale(sale, for: ana)
        #expect(shown.buyer == bo.checksummed)
        #expect(shown.listing == listing)
        #expect(shown.actions.map(\.move).contains("transfer"))
        #expect(shown.deadline != nil)
    }

    private static func move(
        _ node: RunningMarket,
        _ name: String,
        _ sale: String,
        by account: Address,
        to phase: String,
        _ other: Address
    ) async throws {
        let begun = try await node.market.moves.move(sale, Client.SaleMove(move: name), by: account)
            .begin(key: name)
        _ = try await node.done(begun)
        try await node.settled(sale, phase, for: other)
    }

    /// With defaults, of 0.5 ETH: the seller deposits 1 and gets 1.5 less the platform's 0.01 (the
    /// maker's part is the seller's own); the buyer gets the deposit of 0.5.
    private static func collect(
        _ node: RunningMarket,
        _ harness: MarketHarness,
        ana: Address,
        bo: Address
    ) async throws {
        let wallets = node.market.wallets
        #expect(
            try await wallets.wallet(of: ana).credits.map(\.money.amount)
                == ["1490000000000000000"]
        )
        #expect(try await wallets.wallet(of: bo).credits.map(\.money.amount) == [half])
        for account in [ana, bo] {
            _ = try await node.done(try await wallets.collect(by: account).begin(key: "collect"))
            #expect(try await wallets.wallet(of: account).credits.isEmpty)
        }
        for (account, before) in [(ana, "10490000000000000000"), (bo, "9500000000000000000")] {
            let gas = try await node.gasPaid(by: account, on: harness.market.chain)
            let expected = try #require(Amount(decimal: before)?.subtracting(gas))
            let balances = try await wallets.wallet(of: account).balances
            #expect(balances == [Money(amount: expected.decimal, currency: "native")])
        }
        let client = node.market.client
        let rest = try await client.perform(.balance(of: harness.market.escrow)).amount
        #expect(rest.decimal == "10000000000000000")
    }
}
