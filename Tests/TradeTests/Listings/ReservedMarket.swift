import Answers
import Client
import Foundation
import Keys
import Market
import Setup
import Support
import Testing
import TradeSupport

@testable import Trade

/// A node with Ana's thing on sale, for a million unless a test says otherwise, and the accounts of
/// Bo and Carla.
struct ReservedMarket: Sendable {
    static let paymentSeconds: UInt64 = 7_200

    let harness: MarketHarness
    let node: RunningMarket
    let (ana, bo, carla): (Address, Address, Address)
    let listing: String
    let sale: String

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
                let (ana, bo) = try await SaleExitsTests.parties(node, harness)
                let carla = try await node.account("carla", on: harness)
                try await node.signIn("carla")
                var content = SaleExitsTests.thing("vase")
                (content.payment, content.price.amount) = (payment, "\(price)")
                let (listing, sale) = try await SaleExitsTests.list(content, node, by: ana)
                let market = Self(
                    harness: harness,
                    node: node,
                    ana: ana,
                    bo: bo,
                    carla: carla,
                    listing: listing,
                    sale: sale
                )
                try await body(market)
            }
        }
    }

    /// Waits until the node has ended a sale whose buyer has not paid, with the ordinary move.
    func ended(_ sale: Client.Sale) async throws {
        try await node.settled(sale.id, "aborted", for: ana)
        try await waitUntil { try !operations().contains(where: \.isRunning) }
        let kinds = try operations().map(\.kind)
        #expect(kinds.filter { $0 == .move }.count == 1)
        #expect(kinds.filter { $0 == .edit }.count == 1, "nothing is listed again")
    }

    private func operations() throws -> [Client.Operation] {
        try node.operations.operations(of: ana, limit: 100).items
    }

    /// Lets the time pass in which the buyer can pay.
    func passPayment() async throws {
        try await AuctionTradeTests.pass(.seconds(Int64(Self.paymentSeconds) + 60), harness)
    }
}
