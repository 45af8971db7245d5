import Answers
import Client
import Keys
import Market
import Support
import Testing
import Trade

/// How a listing's payment chooses its terms.
struct ListingPaymentTests {
    private static let auction = Client.AuctionTerms(durationSeconds: 86_400)
    private static let direct = Client.DirectSaleTerms(offerUntil: ItemMarket.start.seconds + 1)

    private let index: SaleIndex

    init() throws {
        index = SaleIndex(
            deployment: ItemMarket().market,
            confirmations: 1,
            clock: ManualClock()
        )
    }

    private func listing(
        _ payment: String,
        _ change: (inout ListingContent) -> Void = { _ in }
    ) throws -> Market.Listing {
        var content = SaleExitsTests.thing("print")
        content.payment = payment
        change(&content)
        return try content.listing(in: index, seller: ItemMarket.ana, at: ItemMarket.start)
    }

    @Test(arguments: ["escrow", "direct", "auction"])
    func `shows a listing with its payment and only that kind's terms`(
        payment: String
    ) throws {
        let shown = ListingContent(try listing(payment))
        #expect(shown.payment == payment && shown.price.amount == "1000000")
        #expect(shown.givenTerms.map(\.payment) == [payment])
        #expect(shown.item == nil)
    }

    /// - From people: terms of another kind than the listing's payment → bad_terms
    @Test func `refuses terms that do not fit the payment and names the field`() throws {
        for (payment, field) in [
            ("escrow", "auction"), ("escrow", "direct"), ("direct", "terms"),
            ("direct", "auction"), ("auction", "terms"), ("auction", "direct"),
        ] {
            let refused = #expect(throws: Refusal.self) {
                try listing(payment) {
                    switch field {
                    case "terms": $0.terms = Client.EscrowTerms()
                    case "auction": $0.auction = Self.auction
                    default: $0.direct = Self.direct
                    }
                }
            }
            #expect(refused?.code == .badTerms && refused?.field == field)
        }
        _ = try listing("auction") { $0.auction = Self.auction }
        _ = try listing("direct") { $0.direct = Self.direct }
    }

    @Test func `refuses a payment without a contract and names the available ones`() {
        let refused = #expect(throws: Refusal.self) { try listing("cash") }
        #expect(refused?.code == .badListing && refused?.field == "payment")
        let named = refused?.reason?.first?.values["values"]?.split(separator: ", ").map(
            String.init
        )
        #expect(Set(named ?? []).isSuperset(of: ["escrow", "direct", "auction"]))
    }

    @Test func `an edit may repeat, but not change, the terms and the kind of sale`() throws {
        let old = try listing("auction") { $0.auction = Self.auction }
        let shown = ListingContent(old)
        var words = shown
        words.category = "prints"
        #expect(try words.edited(old).category == "prints")
        words.auction = nil
        #expect(try words.edited(old).terms == old.terms)
        for change in [
            { $0.auction?.durationSeconds = 86_401 }, { $0.direct = Self.direct },
            { $0.terms = Client.EscrowTerms() }, { $0.payment = "direct" }, { $0.item = "7" },
            { $0.price.amount = "1" },
        ] as [@Sendable (inout ListingContent) -> Void] {
            var changed = shown
            change(&changed)
            let refused = #expect(throws: Refusal.self) { try changed.edited(old) }
            #expect(refused?.code == .badTerms && refused?.field == "terms")
        }
    }
}
