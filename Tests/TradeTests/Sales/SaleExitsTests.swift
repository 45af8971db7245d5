import Answers
import Client
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

/// The other ways out of a sale, through a node's services, on a development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SaleExitsTests {
    static func thing(_ title: String, in currency: String = "native") -> ListingContent {
        ListingContent(
            title: title,
            description: "As it is.",
            category: "things",
            tags: ["thing"],
            price: Money(amount: "1000000", currency: currency),
            identifier: title,
            delivery: "pickup",
            pickupPlace: "The old bridge"
        )
    }

    static func list(
        _ content: ListingContent,
        _ node: RunningMarket,
        by account: Address
    ) async throws -> (listing: String, sale: String) {
        let begun = try await node.market.listingPlanner.create(content, by: account).begin(
            key: "list \(content.title)"
        )
        _ = try await node.done(begun)
        let id = try #require(begun.subject)
        let listing = try node.market.listings.listing(id)
        return (id, try #require(listing.anchor?.sale))
    }

    static func buy(
        _ listing: String,
        _ sale: String,
        _ node: RunningMarket,
        by account: Address
    ) async throws {
        let purchase = Purchase(listing: listing)
        let begun = try await node.market.purchases.buy(purchase, by: account).begin(
            key: "buy \(sale)"
        )
        _ = try await node.done(begun)
        try await node.settled(sale, "paid", for: account)
    }

    static func move(
        _ name: String,
        _ sale: String,
        _ node: RunningMarket,
        by account: Address,
        share: UInt64? = nil
    ) async throws {
        let begun = try await node.market.moves.move(
            sale,
            Client.SaleMove(move: name, share: share),
            by: account
        ).begin(key: "\(name) \(sale)")
        _ = try await node.done(begun)
    }

    static func parties(
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws -> (ana: Address, bo: Address) {
        let ana = try await node.account("ana", on: harness)
        let bo = try await node.account("bo", on: harness)
        try await node.signIn("ana")
        try await node.signIn("bo")
        try await node.market.service.until { $0.health == .following }
        return (ana, bo)
    }

    /// - From people: a listing that has changed since it was shown, or now belongs to another sale
    ///   → not_as_promised
    /// - From people: a listing that was withdrawn → listing_gone
    @Test func `an edited listing can be withdrawn, which returns its deposit`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let (listing, sale) = try await Self.list(Self.thing("lamp"), node, by: ana)
                let (listings, planner) = (node.market.listings, node.market.listingPlanner)

                var words = Self.thing("lamp")
                words.description = "With a new shade."
                _ = try await node.done(
                    try await planner.edit(listing, words, by: ana).begin(key: "edit")
                )
                let changed = try listings.listing(listing)
                #expect(changed.content.description == "With a new shade.")
                #expect(changed.isAsPromised == false && changed.changes == ["description"])
                #expect(changed.promised?.description == "As it is.")
                let sales = node.market.sales
                let blind = Purchase(listing: listing)
                let asked = try await node.market.purchases.buy(blind, by: bo).preview()
                #expect(asked.problems.count == 1)
                #expect(asked.problems.first?.detail.contains("description 'As it is.'") == true)
                let refused = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(blind, by: bo).begin(key: "blind")
                }
                #expect(refused?.code == .notAsPromised)
                let known = Purchase(listing: listing, acceptsChanges: true)
                let preview = try await node.market.purchases.buy(known, by: bo).preview()
                #expect(preview.problems.isEmpty)
                #expect(preview.explanation.contains { $0.detail.contains("description") })
                let other = Purchase(
                    listing: listing,
                    sale: Bytes32.zero.hex,
                    acceptsChanges: true
                )
                let moved = await #expect(throws: Refusal.self) {
                    try await node.market.purchases.buy(other, by: bo).begin(key: "moved")
                }
                #expect(moved?.code == .notAsPromised && moved?.field == "sale")
                words.price.amount = "1"
                let repriced = words
                await #expect(throws: Refusal.self) {
                    try await planner.edit(listing, repriced, by: ana).begin(key: "price")
                }
                await #expect(throws: Refusal.self) {
                    try await planner.withdraw(listing, by: bo).begin(key: "bo")
                }

                _ = try await node.done(
                    try await planner.withdraw(listing, by: ana).begin(key: "withdraw")
                )
                let gone = #expect(throws: Refusal.self) {
                    try listings.listing(listing)
                }
                #expect(gone?.code == .listingGone)
                let id = try ListingID(listing)
                let stored = try #require(try node.store.read { try $0.record(in: id.key) })
                #expect(stored.lane == .anchored && stored.readable()?.isWithdrawal == true)
                try await node.settled(sale, "aborted", for: ana)
                let wallet = try await node.market.wallets.wallet(of: ana)
                #expect(wallet.credits.map(\.money.amount) == ["2000000"])
                // What was promised is still known, in the words before the change.
                let kept = try await sales.sale(sale, for: bo)
                #expect(kept.listing == nil && kept.promised?.title == "lamp")
                #expect(kept.promised?.description == "As it is.")
                #expect(kept.promised?.identifier.isEmpty == false)
                let token = try #require(kept.item)
                let item = try #require(
                    try await node.market.items.items(token: token, for: bo).first
                )
                let identifier = try #require(item.identifier)
                #expect(
                    try await node.market.items.items(identifier: identifier, for: bo) == [item]
                )
                #expect(item.identifier == kept.promised?.identifier)
            }
        }
    }

    @Test func `both sides can settle a disputed sale`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let (listing, sale) = try await Self.list(Self.thing("vase"), node, by: ana)
                try await Self.buy(listing, sale, node, by: bo)
                try await Self.move("transfer", sale, node, by: ana)
                try await node.settled(sale, "transferred", for: bo)
                try await Self.move("dispute", sale, node, by: bo)
                try await node.settled(sale, "disputed", for: ana)
                let again = await #expect(throws: Refusal.self) {
                    let dispute = Client.SaleMove(move: "dispute")
                    _ = try await node.market.moves.move(sale, dispute, by: bo).begin(key: "again")
                }
                #expect(again?.detail.hasSuffix("'propose' takes both.") == true)

                try await Self.move("propose", sale, node, by: ana, share: 5_000)
                try await node.until(bo) {
                    let shown = try await node.market.sales.sale(sale, for: bo)
                    return shown.actions.contains { $0.move == "agree" }
                }
                try await Self.move("agree", sale, node, by: bo, share: 5_000)
                try await node.settled(sale, "settled", for: ana)

                let shown = try await node.market.sales.sale(sale, for: bo)
                let payouts = try #require(shown.payouts)
                let byRole = Dictionary(
                    uniqueKeysWithValues: payouts.map { ($0.role, $0.amount) }
                )
                #expect(
                    byRole == [
                        "seller": "2480000", "buyer": "1500000", "platform": "10000",
                        "maker": "10000",
                    ]
                )
                #expect(shown.actions.isEmpty)
            }
        }
    }

    /// - From people: collecting nothing or more than there is, an amount without a currency, or to
    ///   a text that is not an address → move_not_open, bad_amount, malformed_value, bad_address
    @Test func `collects credits in part and to another address`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await Self.parties(node, harness)
                let (listing, sale) = try await Self.list(Self.thing("lamp"), node, by: ana)
                let withdrawn = try await node.market.listingPlanner.withdraw(listing, by: ana)
                    .begin(key: "w")
                _ = try await node.done(withdrawn)
                try await node.settled(sale, "aborted", for: ana)
                let wallets = node.market.wallets
                let other = testKey(40).address
                let part = CreditCollection(
                    currency: "native",
                    amount: "500000",
                    to: other.checksummed
                )
                let preview = try await wallets.collect(part, by: ana).preview()
                #expect(preview.comesBack.map(\.amount) == ["500000"])
                #expect(preview.summary.detail.contains(other.checksummed))
                #expect(preview.warnings.count == 1 && preview.problems.isEmpty)
                _ = try await node.done(try await wallets.collect(part, by: ana).begin(key: "part"))
                let client = node.market.client
                #expect(try await client.perform(.balance(of: other)).amount.decimal == "500000")
                let left = try await wallets.wallet(of: ana).credits.map(\.money.amount)
                #expect(left == ["1500000"])

                for (wanted, code, field) in [
                    (CreditCollection(amount: "1"), ProblemCode.malformedValue, "currency"),
                    (CreditCollection(currency: "native", amount: "0"), .badAmount, "amount"),
                    (
                        CreditCollection(currency: "native", amount: "1500001"), .moveNotOpen,
                        "amount"
                    ),
                    (CreditCollection(to: "0x12"), .badAddress, "to"),
                ] {
                    let refused = await #expect(throws: Refusal.self) {
                        try await wallets.collect(wanted, by: ana).begin(key: field + code.rawValue)
                    }
                    #expect(refused?.code == code && refused?.field == field)
                }
            }
        }
    }

    @Test func `only the first listing has to let the contract mint`() async throws {
        try await MarketHarness.scoped { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, _) = try await Self.parties(node, harness)
                let planner = node.market.listingPlanner
                let item = ItemContract(address: harness.market.item.address)
                let query = item.isMinter(harness.market.escrow, for: ana)
                #expect(try await !node.market.client.ask(query))
                let first = try await planner.create(Self.thing("lamp"), by: ana).preview()
                #expect(
                    first.explanation.contains { $0.detail.contains("allows the contract to mint") }
                )
                _ = try await Self.list(Self.thing("lamp"), node, by: ana)
                #expect(try await node.market.client.ask(query))
                let second = try await planner.create(Self.thing("vase"), by: ana).preview()
                #expect(!second.explanation.contains { $0.detail.contains("to mint") })
                _ = try await Self.list(Self.thing("vase"), node, by: ana)
            }
        }
    }

    @Test func `a sale in tokens approves exactly the amount drawn`() async throws {
        let token = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 6)
        try await MarketHarness.scoped(tokens: [token]) { harness in
            let folder = try TemporaryFolder()
            try await harness.run(in: folder) { node in
                let (ana, bo) = try await Self.parties(node, harness)
                let address = try #require(harness.market.tokens.first?.address)
                for account in [ana, bo] { try await harness.mint(3_000_000, for: account) }
                let thing = Self.thing("clock", in: address.checksummed)
                let (listing, sale) = try await Self.list(thing, node, by: ana)
                try await Self.buy(listing, sale, node, by: bo)
                try await Self.move("confirm", sale, node, by: bo)
                try await node.settled(sale, "complete", for: bo)

                let binding = TokenContract(address: address)
                for account in [ana, bo] {
                    let collect = try await node.market.wallets.collect(by: account).begin(key: "c")
                    _ = try await node.done(collect)
                    let allowance = try await node.market.client.ask(
                        binding.allowance(of: harness.market.escrow, from: account)
                    )
                    #expect(allowance.isZero)
                }
                let ends = [(ana, "3980000"), (bo, "2000000")]
                for (account, amount) in ends {
                    let balances = try await node.market.wallets.wallet(of: account).balances
                    #expect(balances.last?.amount == amount)
                }
            }
        }
    }

    /// - From people: a payment in a token that the balance covers, but not beside a purchase under
    ///   way → insufficient_balance
    @Test func `counts purchases under way in what an account has of a token`() async throws {
        let token = MarketPlan.TestToken(name: "Test", symbol: "TST", decimals: 6)
        try await MarketHarness.scoped(tokens: [token]) { harness in
            try await harness.run(in: try TemporaryFolder()) { node in
                let ana = try await node.account("ana", on: harness)
                // Does not sign in, so that the payments wait for a signature.
                let bo = try await node.account("bo", on: harness)
                try await node.signIn("ana")
                try await node.market.service.until { $0.health == .following }
                let address = try #require(harness.market.tokens.first?.address.checksummed)
                try await harness.mint(9_000_000, for: ana)
                let clock = try await Self.list(Self.thing("clock", in: address), node, by: ana)
                let lamp = try await Self.list(Self.thing("lamp", in: address), node, by: ana)
                let (purchases, wallets) = (node.market.purchases, node.market.wallets)
                let cost = try await purchases.buy(Purchase(listing: clock.listing), by: bo)
                    .preview()
                    .total.first { $0.currency == address }.flatMap { UInt64($0.amount) }
                // Enough for one of the two.
                try await harness.mint(try #require(cost) + 500_000, for: bo)
                func transfer(_ amount: String) -> Transfer {
                    Transfer(to: ana.checksummed, amount: amount, currency: address)
                }
                func requireRefusal(_ body: () async throws -> Client.Operation) async {
                    let refused = await #expect(throws: Refusal.self) { _ = try await body() }
                    #expect(refused?.code == .insufficientBalance)
                    let detail = refused?.detail ?? ""
                    #expect(detail.contains("its operations under way may still need"), "\(detail)")
                }

                let begun = try await purchases.buy(Purchase(listing: clock.listing), by: bo).begin(
                    key: "1"
                )
                await requireRefusal {
                    try await purchases.buy(Purchase(listing: lamp.listing), by: bo).begin(key: "2")
                }
                await requireRefusal {
                    try await wallets.send(transfer("500001"), by: bo).begin(key: "3")
                }
                let part = try await wallets.send(transfer("200000"), by: bo).begin(key: "4")
                let shown = try await wallets.send(
                    transfer("max"),
                    to: ActionPreview.Receiver(account: ana.checksummed),
                    by: bo
                ).preview()
                #expect(shown.leaves.first?.amount == "300000")
                let rest = try await wallets.send(transfer("max"), by: bo).begin(key: "5")
                let none = await #expect(throws: Refusal.self) {
                    try await wallets.send(transfer("max"), by: bo).begin(key: "6")
                }
                #expect(none?.code == .insufficientBalance)
                try await node.signIn("bo")
                for operation in [begun, part, rest] { _ = try await node.done(operation) }
            }
        }
    }

    @Test func `anchors or removes a premature listing once its sale is final`() async throws {
        try await MarketHarness.scoped { harness in
            let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
            try await harness.run(in: first) { ana in
                try await harness.run(in: second) { bo in
                    let (seller, _) = try await Self.parties(ana, harness)
                    let (listing, sale) = try await Self.list(Self.thing("book"), ana, by: seller)
                    let id = try ListingID(listing)
                    let stored = try #require(try ana.store.read { try $0.record(in: id.key) })
                    #expect(stored.lane == .anchored)
                    let record = try SignedRecord(stored: stored.bytes)
                    let forged = try RecordDraft(
                        network: "test",
                        author: testKey(5).address,
                        content: record.content,
                        slot: record.slot,
                        createdAt: record.createdAt
                    ).signed(by: testKey(5))

                    // On the other node both lie in the open lane, as if they had come too early.
                    let hash = try #require(Bytes32(hex: sale))
                    let entries = [record, forged].map {
                        RecordEntry($0, lane: .open, subject: hash)
                    }
                    _ = try await bo.store.ingest(entries, at: record.createdAt)
                    let reference = SaleReference(
                        contract: harness.market.contract,
                        id: SaleID(hash)
                    )
                    try await bo.market.service.until { _ in
                        bo.market.saleIndex.sale(reference) != nil
                    }
                    let anchoring = RecordAnchoring(
                        store: bo.store,
                        saleIndex: bo.market.saleIndex,
                        view: bo.market.saleIndexes
                    )
                    try await anchoring.look(at: [reference.id])

                    #expect(try bo.store.read { try $0.record(record.id) }?.lane == .anchored)
                    #expect(try bo.store.read { try $0.record(forged.id) } == nil)
                }
            }
        }
    }
}
