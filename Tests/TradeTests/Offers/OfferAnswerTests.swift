import Answers
import Client
import Keys
import Market
import Support
import Testing
import TradeSupport

@testable import Trade

/// What a seller lists for the buyer of an offer, on a development chain.
///
/// Trade is imported as testable: the offers here come without mail.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OfferAnswerTests {
    /// Reserves the thing for Bo at the offered price, with other changes.
    private static func reserve(
        _ market: ReservedMarket,
        forAnyone: Bool = false,
        _ change: (inout ListingContent) -> Void
    ) async throws {
        var content = try market.node.market.listings.listing(market.listing).content
        content.price.amount = "600000"
        content.terms?.buyer = forAnyone ? nil : market.bo.checksummed
        content.direct?.buyer = forAnyone ? nil : market.bo.checksummed
        let until = try market.time().seconds + ReservedMarket.paymentSeconds
        content.terms?.offerUntil = until
        content.direct?.offerUntil = until
        change(&content)
        let begun = try market.planner.edit(market.listing, content, by: market.ana)
        _ = try await market.node.done(try await begun.begin(key: "reserve"))
    }

    private static func purchase(
        _ offer: MadePriceOffer,
        _ market: ReservedMarket,
        acceptsChanges: Bool? = nil
    ) async throws -> ActionPreview {
        var notes = BuyerNotes()
        notes.offer = offer
        let purchase = Purchase(listing: market.listing, acceptsChanges: acceptsChanges)
        return try await market.node.market.purchases.buy(purchase, by: market.bo, notes: notes)
            .preview()
    }

    /// - From people: the purchase of what the seller reserved on other terms than those of the buyer's
    ///   offer → not_as_promised
    @Test func `a sale on other terms is no acceptance`() async throws {
        try await ReservedMarket.run("escrow") { market in
            let offer = try market.offer(600_000, by: market.bo)
            try await Self.reserve(market) {
                $0.terms?.sellerDeposit = "300000"
                $0.terms?.buyerDeposit = "600000"
                $0.terms?.latePenalty = "12000"
                $0.terms?.shipSeconds = 5 * 86_400
            }
            let present = try market.present(offer)
            let shown = present.offer.shown(at: present.time)
            #expect(shown.state == "over" && shown.payUntil == nil)
            #expect(
                shown.reason?.map(\.code) == [
                    "offer.otherTerms", "offer.otherAmount", "offer.otherDuration",
                ]
            )
            let deposit = shown.reason?[1].values
            #expect(deposit?["term"] == "label.sellerDeposit")
            #expect(deposit?["now"]?.hasPrefix("300000 ") == true)
            #expect(deposit?["then"]?.hasPrefix("1200000 ") == true)
            // It binds nobody, so it can be withdrawn.
            #expect(try market.withdrawalRefusal(of: offer) == nil)

            let refused = try await Self.purchase(offer.made, market).problems
            let problem = try #require(refused.first { $0.code == "not_as_promised" })
            #expect(problem.reason?.map(\.code).last == "refusal.acceptOtherTerms")
            #expect(problem.field == "acceptsChanges")
            let taken = try await Self.purchase(offer.made, market, acceptsChanges: true)
            #expect(taken.problems.isEmpty, "\(taken.problems)")
            #expect(taken.explanation.map(\.code).contains("offer.otherDuration"))
        }
    }

    /// - From people: the purchase of what the seller listed again on other terms after the buyer's
    ///   offer, for anyone or after its withdrawal → not_as_promised
    @Test(arguments: [true, false])
    func `an offer that is not answered or withdrawn still shows other terms`(
        forAnyone: Bool
    ) async throws {
        try await ReservedMarket.run("escrow") { market in
            let offer = try market.offer(600_000, by: market.bo)
            try await Self.reserve(market, forAnyone: forAnyone) {
                $0.terms?.sellerDeposit = "1200000"
                $0.terms?.buyerDeposit = "6000000"
                $0.terms?.latePenalty = "12000"
            }
            let codes = [
                forAnyone ? "offer.changedTerms" : "offer.otherTerms", "offer.otherAmount",
            ]
            let present = try market.present(offer)
            let shown = present.offer.shown(at: present.time)
            #expect(shown.state == "over" && shown.reason?.map(\.code) == codes)
            #expect(shown.reason?.last?.values["term"] == "label.buyerDeposit")
            // A withdrawal names the sale, but no price.
            let withdrawn = MadePriceOffer(content: nil, for: offer.offered, by: offer.buyer)
            for made in [offer.made, withdrawn] {
                let refused = try await Self.purchase(made, market).problems
                #expect(refused.map(\.code) == ["not_as_promised"])
                #expect(refused.first?.reason?.prefix(2).map(\.code) == codes)
                let taken = try await Self.purchase(made, market, acceptsChanges: true)
                #expect(taken.problems.isEmpty, "\(taken.problems)")
            }
        }
    }

    @Test func `a sale of another thing at another price is no acceptance`() async throws {
        try await ReservedMarket.run("direct") { market in
            let offer = try market.offer(500_000, by: market.bo)
            try await Self.reserve(market) { $0.description = "A photograph of it." }
            let present = try market.present(offer)
            let shown = present.offer.shown(at: present.time)
            #expect(shown.state == "over")
            #expect(
                shown.reason?.map(\.code) == [
                    "offer.otherTerms", "offer.otherAmount", "offer.otherContent",
                ]
            )
            let refused = try await Self.purchase(offer.made, market).problems
            #expect(refused.map(\.code) == ["not_as_promised"])
        }
    }

    /// - From people: the seller's listing of what a buyer offered for, with less time to pay, or long
    ///   after the offer expired → the offer is over
    @Test func `less time to pay, or a late listing, is no acceptance`() async throws {
        try await ReservedMarket.run("direct") { market in
            let now = try market.time().seconds
            let offer = try market.offer(600_000, by: market.bo)
            let expired = try market.offer(600_000, by: market.bo, until: now - 3_600)
            try await Self.reserve(market) {
                $0.direct?.offerUntil = now + ReservedMarket.paymentSeconds / 2
            }
            let reason = try market.present(offer).offer.differences ?? []
            #expect(reason.map(\.code) == ["offer.otherEnd"])
            let late = try market.present(expired).offer.differences ?? []
            #expect(late.map(\.code) == ["offer.late", "offer.otherEnd"])
            #expect(try market.state(of: offer) == "over")
        }
    }

    @Test(arguments: ["escrow", "direct"])
    func `an offer is accepted for what the sale promised`(payment: String) async throws {
        try await ReservedMarket.run(payment) { market in
            var edited = try market.node.market.listings.listing(market.listing).content
            edited.description = "A photograph of it."
            let edit = try market.planner.edit(market.listing, edited, by: market.ana)
            _ = try await market.node.done(try await edit.begin(key: "edit"))
            let offer = try market.offer(600_000, by: market.bo)
            let preview = try await market.proposal(offer).preview()
            #expect(preview.warnings.map(\.code).contains("preview.offerPromise"))
            _ = try await market.accept(offer)
            #expect(try market.state(of: offer) == "accepted")
            let listing = try market.node.market.listings.listing(market.listing)
            #expect(listing.isAsPromised == false && listing.changes == ["description"])
            #expect(listing.promised?.description == "As it is.")
            let refused = try await Self.purchase(offer.made, market).problems
            #expect(refused.first?.reason?.map(\.code).first == "preview.changed")
        }
    }

    @Test(arguments: ["escrow", "direct"])
    func `another price ends a reservation`(payment: String) async throws {
        try await ReservedMarket.run(payment) { market in
            let first = try market.node.market.listings.listing(market.listing).content
            let offer = try market.offer(600_000, by: market.bo)
            _ = try await market.accept(offer)
            var dearer = try market.node.market.listings.listing(market.listing).content
            dearer.price.amount = "700000"
            let edit = try market.planner.edit(market.listing, dearer, by: market.ana)
            let preview = try await edit.preview()
            #expect(!preview.explanation.map(\.code).contains("preview.reserved"))
            _ = try await market.node.done(try await edit.begin(key: "dearer"))
            let now = try market.node.market.listings.listing(market.listing).content
            #expect(now.price.amount == "700000")
            #expect(now.terms?.buyer == nil && now.direct?.buyer == nil)
            // The end is that of the first sale, not that of the buyer's time.
            let ends = [first, now].map { $0.terms?.offerUntil ?? $0.direct?.offerUntil }
            #expect(ends[1] == ends[0].map { $0 - 1 })
            #expect(now.terms?.sellerDeposit == (payment == "escrow" ? "1400000" : nil))
            #expect(try market.state(of: offer) == "over")
            #expect(try market.present(offer).offer.differences == [])
            let purchase = Purchase(listing: market.listing)
            let free = try await market.node.market.purchases.buy(purchase, by: market.carla)
                .preview()
            #expect(free.problems.isEmpty, "\(free.problems)")
        }
    }
}
