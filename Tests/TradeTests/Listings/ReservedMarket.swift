import AccountAccess
import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Storage
import Support
import Testing
import TradeSupport

@testable import Trade

/// A node with Ana's thing on sale, for a million unless a test says otherwise, and the accounts of
/// Bo and Carla.
struct ReservedMarket: Sendable {
    static let paymentSeconds: UInt64 = 7_200

    /// The facts that outlive a node, whose store is open as long as the node is kept.
    struct Facts: Sendable {
        let ana: Address
        let bo: Address
        let carla: Address
        let listing: String
        let sale: String
    }

    let harness: MarketHarness
    let node: RunningMarket
    let facts: Facts

    var ana: Address { facts.ana }
    var bo: Address { facts.bo }
    var carla: Address { facts.carla }
    var listing: String { facts.listing }
    var sale: String { facts.sale }
    var planner: ListingPlanner { node.market.listingPlanner }

    /// An offer for the sale as it is now, as its message would bring it.
    func offer(
        _ price: UInt64,
        by buyer: Address,
        until: UInt64 = 1 << 40
    ) throws -> FoundPriceOffer {
        let found = try node.store.found(ListingID(listing))
        let reference = try #require(found.listing.sale)
        let view = try #require(node.market.saleIndexes.view(of: reference))
        return FoundPriceOffer(
            try MailPriceOffer.Content(
                price: Amount(small: price),
                until: ChainTime(seconds: until),
                paymentSeconds: Self.paymentSeconds
            ),
            for: view.sale,
            from: buyer,
            sentAt: .distantPast,
            found,
            as: view.sale
        )
    }

    func proposal(
        _ offer: FoundPriceOffer,
        by account: Address? = nil,
        payUntil: UInt64? = nil
    ) -> ProposedOperation {
        planner.accept(
            offer,
            OfferAcceptance(payUntil: payUntil),
            by: account ?? ana,
            acceptsOneSource: false
        )
    }

    /// Accepts as the command does, and returns the new sale.
    func accept(_ offer: FoundPriceOffer) async throws -> Client.Sale {
        let preview = try await proposal(offer).preview()
        #expect(preview.problems.isEmpty, "\(preview.problems)")
        let end = try #require(preview.deadline).at
        let payUntil = UInt64(end.timeIntervalSince1970)
        let begun = try await proposal(offer, payUntil: payUntil).begin(key: "accept")
        _ = try await node.done(begun)
        let shown = try await current()
        #expect(shown.direct?.terms.offerUntil ?? shown.escrow?.terms.offerUntil == payUntil)
        return shown
    }

    func current() async throws -> Client.Sale {
        let sale = try #require(try node.market.listings.listing(listing).anchor?.sale)
        return try await node.market.sales.sale(sale, for: ana)
    }

    /// The offer as it is now, and the chain's time.
    func present(_ offer: FoundPriceOffer) throws -> (offer: FoundPriceOffer, time: ChainTime) {
        let found = try node.store.found(ListingID(listing))
        let now = try #require(found.listing.sale)
        let sale = try #require(node.market.saleIndexes.view(of: now)?.sale)
        return (offer.now(found, as: sale), try #require(node.market.saleIndexes[sale].time))
    }

    /// The chain's time.
    func time() throws -> ChainTime {
        let found = try node.store.found(ListingID(listing))
        let sale = try #require(found.listing.sale.flatMap(node.market.saleIndexes.view(of:))?.sale)
        return try #require(node.market.saleIndexes[sale].time)
    }

    func state(of offer: FoundPriceOffer) throws -> String {
        let present = try present(offer)
        return present.offer.shown(at: present.time).state
    }

    /// Returns the code with which its withdrawal is refused; `nil` if it is not.
    func withdrawalRefusal(of offer: FoundPriceOffer) throws -> String? {
        let present = try present(offer)
        do {
            try present.offer.requireRevocable(at: present.time)
            return nil
        } catch {
            #expect(error.code == .moveNotOpen)
            return error.reason?.first?.code
        }
    }

    func refusal(_ body: () async throws -> Void) async -> Refusal? {
        await #expect(throws: Refusal.self) { try await body() }
    }

    /// Runs a body on a node of a market of its own.
    static func run(
        _ payment: String,
        price: UInt64 = 1_000_000,
        deadlines: DeadlineSettings = DeadlineSettings(executes: false),
        _ body: @escaping @Sendable (Self) async throws -> Void
    ) async throws {
        try await MarketHarness.scoped { harness in
            try await harness.run(in: try TemporaryFolder(), deadlines: deadlines) { node in
                try await body(try await Self(payment, price: price, node, harness))
            }
        }
    }

    /// Lists the thing on a node.
    init(
        _ payment: String,
        price: UInt64,
        _ node: RunningMarket,
        _ harness: MarketHarness
    ) async throws {
        (self.node, self.harness) = (node, harness)
        let (ana, bo) = try await SaleExitsTests.parties(node, harness)
        let carla = try await node.account("carla", on: harness)
        try await node.signIn("carla")
        var content = SaleExitsTests.thing("vase")
        (content.payment, content.price.amount) = (payment, "\(price)")
        let (listing, sale) = try await SaleExitsTests.list(content, node, by: ana)
        facts = Facts(ana: ana, bo: bo, carla: carla, listing: listing, sale: sale)
    }

    /// The same market on a node that was started again.
    init(_ facts: Facts, on node: RunningMarket, _ harness: MarketHarness) {
        (self.facts, self.node, self.harness) = (facts, node, harness)
    }

    /// Waits until the node has ended a sale whose buyer has not paid, with the ordinary move.
    func ended(_ sale: Client.Sale) async throws {
        try await node.settled(sale.id, "aborted", for: ana)
        try await waitUntil { try !operations().contains(where: \.isRunning) }
        let kinds = try operations().map(\.kind)
        #expect(kinds.filter { $0 == .move }.count == 1)
        #expect(kinds.filter { $0 == .edit }.count == 1, "nothing is listed again")
    }

    func operations() throws -> [Client.Operation] {
        try node.operations.operations(of: ana, limit: 100).items
    }

    /// Lets the time pass in which the buyer can pay.
    func passPayment() async throws { try await Self.passPayment(harness) }

    static func passPayment(_ harness: MarketHarness) async throws {
        try await AuctionTradeTests.pass(.seconds(Int64(paymentSeconds) + 60), harness)
    }

    /// Waits until the node has followed some blocks more.
    func follow(_ blocks: UInt64) async throws {
        let index = node.market.saleIndex
        let from = index.applied?.number ?? 0
        try await node.market.service.until { _ in (index.applied?.number ?? 0) >= from + blocks }
    }

    /// What Ana has agreed to be listed again if it is not paid.
    func consents() throws -> [ReopeningConsent] {
        try node.store.read { try $0.reopeningConsents(by: ana) }
    }

    /// Ana's events about things that are listed again, or not.
    func reopenings() throws -> [Client.Event] {
        try node.store.read { try $0.events(of: ana, after: 0, limit: 1_000) }
            .events.map { try $0.event.shown($0.number) }
            .filter { $0.type == "reopening" }
    }

    /// Waits until Ana is told what became of the thing, and every operation has ended.
    func told() async throws -> [Client.Event] {
        try await waitUntil {
            try !reopenings().isEmpty && !operations().contains(where: \.isRunning)
        }
        #expect(try consents().isEmpty)
        return try reopenings()
    }
}

extension FoundPriceOffer {
    /// The offer as its buyer's node keeps it for a purchase.
    var made: MadePriceOffer { MadePriceOffer(content: content, for: offered, by: buyer) }
}
