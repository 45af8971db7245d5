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

/// Listings that are reserved for the buyer of an accepted offer, on a development chain.
///
/// Trade is imported as testable: the offers here come without mail.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReservingTests {
    /// - From people: a purchase of what is reserved for another account → listing_gone
    /// - From people: the withdrawal of an offer that has been accepted or paid → move_not_open
    @Test(arguments: ["escrow", "direct"])
    func `an accepted offer lets its buyer alone pay its price`(payment: String) async throws {
        try await ReservedMarket.run(payment) { market in
            let offer = try market.offer(600_000, by: market.bo)
            #expect(try market.state(of: offer) == "open")
            #expect(try market.withdrawalRefusal(of: offer) == nil)
            let preview = try await market.proposal(offer).preview()
            #expect(preview.summary.map(\.code) == ["preview.reprice"])
            let codes = preview.explanation.map(\.code)
            #expect(codes.contains("preview.reserved") && codes.last == "preview.offerUnpaid")
            let sale = try await market.accept(offer)
            #expect(sale.id != market.sale && sale.price.amount == "600000")
            #expect(try market.state(of: offer) == "accepted")
            #expect(try market.withdrawalRefusal(of: offer) == "refusal.offerAccepted")

            let purchase = Purchase(listing: market.listing)
            let refused = await market.refusal {
                _ = try await market.node.market.purchases.buy(purchase, by: market.carla).begin(
                    key: "carla"
                )
            }
            #expect(refused?.code == .listingGone)
            #expect(refused?.reason?.first?.code == "refusal.reserved")
            // The promise holds: neither another offer nor a return comes between.
            let other = try market.offer(500_000, by: market.carla)
            let second = await market.refusal {
                _ = try await market.proposal(other).begin(key: "second")
            }
            #expect(second?.reason?.first?.code == "refusal.reservedUntil")
            let early = await market.refusal {
                _ = try await market.planner.reopen(market.listing, by: market.ana)
                    .begin(key: "early")
            }
            #expect(early?.reason?.first?.code == "refusal.reservedUntil")

            // Its seller alone can break it, and knows.
            var dearer = try market.node.market.listings.listing(market.listing).content
            dearer.price.amount = "700000"
            let end = sale.direct?.terms.offerUntil ?? sale.escrow?.terms.offerUntil
            for breach in [
                try market.planner.edit(market.listing, dearer, by: market.ana),
                try market.planner.withdraw(market.listing, by: market.ana),
            ] {
                let warnings = try await breach.preview().warnings
                let words = try #require(warnings.first { $0.code == "preview.breaksOffer" })
                #expect(words.values["account"] == market.bo.checksummed)
                #expect(words.values["time"] == ChainTime(seconds: try #require(end)).value)
            }

            let begun = try await market.node.market.purchases.buy(purchase, by: market.bo).begin(
                key: "bo"
            )
            _ = try await market.node.done(begun)
            let phase = payment == "escrow" ? "paid" : "sold"
            try await market.node.settled(sale.id, phase, for: market.bo)
            #expect(try market.state(of: offer) == "paid")
            #expect(try market.withdrawalRefusal(of: offer) == "refusal.offerPaid")
            let late = await market.refusal {
                _ = try await market.planner.reopen(market.listing, by: market.ana)
                    .begin(key: "late")
            }
            #expect(late?.reason?.first?.code == "refusal.notReserved")
        }
    }

    /// On a node that makes no moves by itself, nobody else lists it again.
    @Test(arguments: ["escrow", "direct"])
    func `an unpaid item is listed again by hand`(payment: String) async throws {
        let price: UInt64 = 1_000_000_000_000_000_000
        try await ReservedMarket.run(payment, price: price) { market in
            let first = try market.node.market.listings.listing(market.listing).content
            let offer = try market.offer(price / 2, by: market.bo)
            let preview = try await market.proposal(offer).preview()
            #expect(preview.explanation.last?.code == "preview.offerUnpaid")
            let reserved = try await market.accept(offer)
            #expect(try market.consents().isEmpty && reserved.ifUnpaid == nil)
            try await market.passPayment()
            try await waitUntil { try market.state(of: offer) == "lapsed" }
            #expect(try await market.current().id == reserved.id)
            #expect(try market.withdrawalRefusal(of: offer) == nil)
            let purchase = Purchase(listing: market.listing)
            let refused = await market.refusal {
                _ = try await market.node.market.purchases.buy(purchase, by: market.bo)
                    .begin(key: "bo")
            }
            #expect(refused?.code == .listingGone)

            let reopening = try market.planner.reopen(market.listing, by: market.ana)
            let shownAgain = try await reopening.preview()
            #expect(!shownAgain.warnings.map(\.code).contains("preview.breaksOffer"))
            #expect(shownAgain.problems.isEmpty, "\(shownAgain.problems)")
            #expect(!shownAgain.explanation.map(\.code).contains("preview.reserved"))
            _ = try await market.node.done(try await reopening.begin(key: "reopen"))
            let again = try await market.current()
            #expect(again.id != market.sale && again.id != reserved.id)
            let shown = try market.node.market.listings.listing(market.listing)
            #expect(shown.state == "open" && shown.price?.amount == "\(price)")
            #expect(shown.content.direct?.buyer == nil && shown.content.terms?.buyer == nil)
            #expect(shown.content.terms?.sellerDeposit == first.terms?.sellerDeposit)
            #expect(try market.state(of: offer) == "over")
            // The old offer is void.
            let stale = await market.refusal {
                _ = try await market.proposal(offer).begin(key: "stale")
            }
            #expect(stale?.reason?.first?.code == "refusal.offerOutdated")
        }
    }

    /// - From people: an offer for a listing of another account → not_allowed
    /// - From people: the acceptance of an offer that has expired → move_not_open
    /// - From people: the acceptance of an offer for what was sold, withdrawn or listed again since →
    ///   listing_gone
    /// - From people: the acceptance of an offer with another time to pay than was offered → bad_terms
    @Test func `refuses to accept an offer that does not stand`() async throws {
        try await ReservedMarket.run("direct") { market in
            let offer = try market.offer(600_000, by: market.bo)
            let foreign = await market.refusal {
                _ = try await market.proposal(offer, by: market.carla).begin(key: "foreign")
            }
            #expect(foreign?.code == .notAllowed)
            let expired = try market.offer(600_000, by: market.bo, until: 1)
            #expect(try market.state(of: expired) == "expired")
            let old = await market.refusal {
                _ = try await market.proposal(expired).begin(key: "expired")
            }
            #expect(old?.reason?.first?.code == "refusal.offerExpired")
            for payUntil in [0, 1 << 40, .max] as [UInt64] {
                let other = await market.refusal {
                    _ = try await market.proposal(offer, payUntil: payUntil).begin(key: "time")
                }
                #expect(other?.code == .badTerms && other?.field == "payUntil")
            }
            let purchase = Purchase(listing: market.listing)
            let begun = try await market.node.market.purchases.buy(purchase, by: market.carla)
                .begin(key: "carla")
            _ = try await market.node.done(begun)
            try await market.node.settled(market.sale, "sold", for: market.carla)
            let sold = await market.refusal {
                _ = try await market.proposal(offer).begin(key: "sold")
            }
            #expect(sold?.code == .listingGone)
        }
    }

    /// - From people: an offer that is not below the price, below the lowest price of a sale, or for what
    ///   is sold another way → bad_terms
    @Test func `an offer is checked against the sale that it is for`() async throws {
        try await ReservedMarket.run("escrow") { market in
            let id = try ListingID(market.listing)
            func refusal(_ price: UInt64, of id: ListingID) async -> Refusal? {
                await market.refusal {
                    _ = try market.planner.sale(
                        openTo: market.bo,
                        of: id,
                        at: Amount(small: price)
                    )
                }
            }
            let found = try market.planner.sale(
                openTo: market.bo,
                of: id,
                at: Amount(small: 10_000)
            )
            #expect(found.sale.id.description == market.sale)
            #expect(
                await refusal(1_000_000, of: id)?.reason?.first?.code == "refusal.offerNotLower"
            )
            #expect(await refusal(9_999, of: id)?.code == .badTerms)
            #expect(await refusal(0, of: id)?.code == .badTerms)
            var print = SaleExitsTests.thing("print")
            print.payment = "auction"
            let auction = try await SaleExitsTests.list(print, market.node, by: market.ana)
            let fixed = await refusal(500_000, of: try ListingID(auction.listing))
            #expect(fixed?.reason?.first?.code == "refusal.priceFixed")
            _ = try await market.node.done(
                try await market.planner.withdraw(market.listing, by: market.ana)
                    .begin(key: "withdraw")
            )
            #expect(await refusal(500_000, of: id)?.code == .listingGone)
        }
    }
}
