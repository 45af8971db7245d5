import Client
import Foundation
import Keys
import Support
import Testing
import TradeSupport

/// Offers to buy at another price, on a whole node with a chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PriceOfferCallTests {
    private static let lower = PriceOfferDraft(price: "400000000000000000")

    /// Waits until an account has an offer in a state, and returns it.
    private static func offer(
        _ state: String,
        in market: MarketNode,
        of session: Session
    ) async throws -> PriceOffer {
        try await market.asking(session) { client in
            var found: PriceOffer?
            try await waitUntil {
                found = try await client.offers().first { $0.state == state }
                return found != nil
            }
            return try #require(found)
        }
    }

    @Test func `a buyer pays the price that a seller accepts`() async throws {
        try await MarketNode.run { market in
            let (listing, sale) = try await market.list()
            let buyer = market.bo.account.address
            try await market.harness.dev.fund(try Address(text: buyer))
            try await market.asking(market.bo) { client in
                try await client.waitUntilFunded()
                let preview = try await client.preview(offering: Self.lower, forListing: listing)
                #expect(preview.action == "offer_price" && preview.subject == sale)
                #expect(preview.summary.map(\.code) == ["offer.youOffer"])
                #expect(preview.summary.detail.contains("0.4 ETH for 'Red bicycle' instead"))
                let codes = preview.explanation.map(\.code)
                #expect(codes == ["offer.standsUntil", "offer.costsNothing"])
                #expect(preview.leaves.isEmpty && preview.sale?.others.map(\.role) == ["seller"])
                #expect(try await client.offers().isEmpty)
                let key = IdempotencyKey("offer")
                let sent = try await client.offer(Self.lower, forListing: listing, key: key)
                #expect(sent.kind == "offer" && sent.text.isEmpty)
                let again = try await client.offer(Self.lower, forListing: listing, key: key)
                #expect(again.id == sent.id)
                // A newer offer replaces it.
                let higher = PriceOfferDraft(price: "450000000000000000", paymentSeconds: 3_600)
                _ = try await client.offer(higher, forListing: listing)
                let own = try await client.offers()
                #expect(own.map(\.price.amount) == ["450000000000000000"])
                #expect(own.first?.listing == listing && own.first?.buyer == buyer)
            }
            var got = try await Self.offer("open", in: market, of: market.ana)
            try await market.asking(market.ana) { client in
                try await waitUntil {
                    got = try await client.offers().first ?? got
                    return got.price.amount == "450000000000000000"
                }
                #expect(got.listedPrice.amount == "500000000000000000")
                let preview = try await client.preview(accepting: got.id)
                #expect(preview.problems.isEmpty, "\(preview.problems)")
                let deadline = try #require(preview.deadline).at
                let acceptance = OfferAcceptance(
                    payUntil: UInt64(deadline.timeIntervalSince1970)
                )
                let begun = try await client.accept(offer: got.id, acceptance)
                #expect(try await client.follow(begun) { _ in }.state == .done)
                let accepted = try #require(try await client.offers().first)
                #expect(accepted.state == "accepted" && accepted.payUntil == deadline)
                #expect(accepted.ifUnpaid?.map(\.code) == ["reopening.planned"])
                #expect(accepted.ifUnpaid?.detail.contains("at 0.5 ETH") == true)
            }
            let mine = try await Self.offer("accepted", in: market, of: market.bo)
            #expect(mine.id == got.id && mine.ifUnpaid == nil)
            try await market.asking(market.bo) { client in
                try await waitUntil {
                    try await client.preview(Purchase(listing: listing, shipTo: "DE")).problems
                        .isEmpty
                }
                let begun = try await client.buy(Purchase(listing: listing, shipTo: "DE"))
                let ended = try await client.follow(begun) { _ in }
                #expect(ended.state == .done && ended.subject != sale)
                #expect(try await client.sale(ended.subject ?? "").price.amount == got.price.amount)
            }
            _ = try await Self.offer("paid", in: market, of: market.ana)
        }
    }

    /// - From people: an offer for an own listing → own_listing
    /// - From people: an offer that is not below the price, or ends later than in 30 days → bad_terms
    /// - From people: the withdrawal of an offer that was not made, and the acceptance of one that was
    ///   not received → not_found
    @Test func `refuses an offer that nobody can accept`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.list()
            func code(
                _ session: Session,
                _ body: @escaping (StoaClient) async throws -> Void
            ) async -> String? {
                let problem = await #expect(throws: Problem.self) {
                    try await market.asking(session, body)
                }
                return problem?.code
            }
            let none = "0x" + String(repeating: "0f", count: 32)
            let own = await code(market.ana) {
                _ = try await $0.offer(Self.lower, forListing: listing)
            }
            let shown = await code(market.ana) {
                _ = try await $0.preview(offering: Self.lower, forListing: listing)
            }
            #expect((own, shown) == ("own_listing", "own_listing"))
            for (price, until) in [
                ("500000000000000000", nil), ("9999", nil), (Self.lower.price, 1),
                (Self.lower.price, 1 << 40),
            ] as [(String, UInt64?)] {
                let draft = PriceOfferDraft(price: price, until: until)
                let refused = await code(market.bo) {
                    _ = try await $0.offer(draft, forListing: listing)
                }
                // The preview refuses as the offer does.
                let before = await code(market.bo) {
                    _ = try await $0.preview(offering: draft, forListing: listing)
                }
                #expect((refused, before) == ("bad_terms", "bad_terms"), "\(price) \(until ?? 0)")
            }
            let unmade = await code(market.bo) {
                _ = try await $0.withdrawOffer(forListing: listing)
            }
            #expect(unmade == "not_found")
            let unknown = await code(market.ana) { _ = try await $0.preview(accepting: none) }
            #expect(unknown == "not_found")
            try await market.asking(market.bo) { client in
                _ = try await client.offer(Self.lower, forListing: listing)
                // A buyer cannot accept for the seller.
                let id = try #require(try await client.offers().first).id
                await #expect(throws: Problem.self) { try await client.accept(offer: id) }
                _ = try await client.withdrawOffer(forListing: listing)
                #expect(try await client.offers().isEmpty)
            }
        }
    }

    @Test func `an offer that was answered on other terms has one row`() async throws {
        try await MarketNode.run { market in
            let (listing, _) = try await market.list()
            let made = try await market.asking(market.bo) { client in
                _ = try await client.offer(Self.lower, forListing: listing)
                return try #require(try await client.offers().first)
            }
            _ = try await Self.offer("open", in: market, of: market.ana)
            try await market.asking(market.ana) { client in
                var content = try await client.listing(listing).content
                content.price.amount = "450000000000000000"
                content.terms = EscrowTerms()
                content.terms?.buyer = made.buyer
                content.terms?.offerUntil = UInt64(made.until.timeIntervalSince1970)
                let begun = try await client.edit(listing: listing, content)
                #expect(try await client.follow(begun) { _ in }.state == .done)
                #expect(try await client.offers().map(\.state) == ["over"])
            }
            _ = try await Self.offer("over", in: market, of: market.bo)
            try await market.asking(market.bo) { client in
                _ = try await client.withdrawOffer(forListing: listing)
                #expect(try await client.offers().isEmpty)
            }
        }
    }
}
