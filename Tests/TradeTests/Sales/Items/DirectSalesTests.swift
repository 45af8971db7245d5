import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// What a node does for direct sales, without a chain.
struct DirectSalesTests {
    private typealias Terms = Market.DirectSaleTerms

    private static let (ana, bo, cy) = (ItemMarket.ana, ItemMarket.bo, ItemMarket.cy)
    private static let start = ItemMarket.start
    private static let end = start.advanced(by: .days(30))
    private static let terms = Terms(
        currency: .native,
        price: Amount(small: 10_000),
        offerUntil: end
    )

    private let items: ItemMarket
    private let sales: DirectSales
    private let contract = DirectSaleContract(address: ItemMarket.directAddress)

    init() throws {
        items = ItemMarket()
        sales = DirectSales(contract: try items.contract(.direct), in: items.market)
    }

    private static var content: ListingContent {
        ListingContent(
            title: "Print",
            price: Money(amount: "10000", currency: "native"),
            payment: "direct"
        )
    }

    private func terms(_ change: (inout ListingContent) -> Void) throws -> Terms {
        var content = Self.content
        change(&content)
        let terms = try sales.terms(of: content, form: .goods, by: Self.ana, at: Self.start)
        guard case .direct(let direct) = terms else {
            throw Refusal(.badTerms, forPrograms: "not direct")
        }
        return direct
    }

    private func offered(
        _ terms: Market.DirectSaleTerms = Self.terms,
        isMinted: Bool = true
    ) throws -> Market.DirectSale {
        let reference = items.market.reference(to: try items.contract(.direct))
        let listing = ItemMarket.listing(terms, isMinted: isMinted)
        let listed = DirectSaleEvent(
            sale: listing.offer.id(on: reference),
            position: ItemMarket.position(10, at: Self.start),
            change: .listed(listing)
        )
        return try Market.DirectSale(listing: listed, contract: reference, fees: items.fees)
    }

    @Test func `an offer is open for thirty days unless its seller says otherwise`() throws {
        #expect(try terms { _ in } == Self.terms)
        let wanted = Client.DirectSaleTerms(offerUntil: Self.start.seconds + 1)
        let other = try terms { $0.direct = wanted }
        #expect(other.offerUntil == Self.start.advanced(by: .seconds(1)))
        var shown = Self.content
        DirectSales.show(.direct(other), in: &shown)
        #expect(shown.direct == wanted && shown.auction == nil && shown.terms == nil)
    }

    /// - From people: a direct sale's price or end beyond its bounds → bad_terms
    @Test func `accepts an offer's price and end at their bounds, not beyond them`() throws {
        let now = Self.start.seconds
        let last = now + 365 * 86_400
        for time in [now + 1, last] {
            let taken = try terms { $0.direct = Client.DirectSaleTerms(offerUntil: time) }
            #expect(taken.offerUntil.seconds == time)
        }
        for time in [0, now, last + 1, .max] {
            let refused = #expect(throws: Refusal.self) {
                _ = try terms { $0.direct = Client.DirectSaleTerms(offerUntil: time) }
            }
            #expect(refused?.code == .badTerms && refused?.field == "direct.offerUntil")
        }
        try expectPriceBounds { try terms($0).price }
    }

    /// - From people: buying an offer that is reserved for another account → listing_gone
    @Test func `refuses everyone else's purchase of a reserved offer`() throws {
        var reserved = Self.terms
        reserved.buyer = Self.bo
        let sale = Market.Sale(try offered(reserved))
        let purchase = Purchase(listing: "")
        #expect(sales.refusal(of: purchase, by: Self.bo, in: sale) == nil)
        let refused = sales.refusal(of: purchase, by: ItemMarket.cy, in: sale)
        #expect(refused?.code == .listingGone)
        #expect(refused?.detail.contains("only to \(Self.bo.checksummed)") == true)
        let entered = try terms {
            $0.direct = Client.DirectSaleTerms(buyer: Self.bo.checksummed)
        }
        #expect(entered.buyer == Self.bo)
        let wrong = #expect(throws: Refusal.self) {
            _ = try terms { $0.direct = Client.DirectSaleTerms(buyer: "bo") }
        }
        #expect(wrong?.code == .badAddress && wrong?.field == "direct.buyer")
    }

    /// - From people: a bid for something that is sold at a fixed price → malformed_value
    @Test func `a purchase pays the price and does not allow a bid`() throws {
        let sale = Market.Sale(try offered())
        let purchase = Purchase(listing: "")
        #expect(sales.refusal(of: purchase, by: Self.bo, in: sale) == nil)
        let bid = Purchase(listing: "", bid: "10000")
        let refused = sales.refusal(of: bid, by: Self.bo, in: sale)
        #expect(refused?.code == .malformedValue && refused?.field == "bid")

        let paid = sales.purchase(purchase, of: sale)
        let offer = ItemMarket.listing(Self.terms).offer
        #expect(paid.amount == Amount(small: 10_000) && paid.currency == .native)
        #expect(paid.call.data == contract.pay(offer).data)
        #expect(paid.call.value == contract.pay(offer).value)
        var preview = ActionPreview(action: "buy", summary: [])
        sales.describePurchase(purchase, of: sale, by: Self.bo, at: Self.start, in: &preview)
        #expect(preview.leaves.map(\.purpose) == ["price"])
        #expect(preview.total.map(\.amount) == ["10000"] && preview.comesBack.isEmpty)
        #expect(preview.explanation.contains { $0.detail.contains("cannot return your money") })
    }

    // Less the platform's 2 %, and the maker's 1 % unless the seller is the maker.
    @Test(arguments: [(true, "9800"), (false, "9700")])
    func `a listing's preview shows the seller's credit`(
        isMinted: Bool,
        credit: String
    ) throws {
        let content = ItemMarket.content(.direct(Self.terms), isMinted: isMinted)
        var preview = ActionPreview(action: "list", summary: [])
        sales.describe(content, by: Self.ana, in: &preview)
        #expect(preview.summary.detail.hasPrefix("You offer 'Print' for "))
        #expect(preview.leaves.isEmpty && preview.comesBack.map(\.amount) == [credit])
        #expect(preview.deadline?.at == Self.end.date)
        let offer = try sales.newSale(of: content, by: Self.ana)
        let listed = ItemMarket.offer(Self.terms, isMinted: isMinted)
        #expect(offer.call.amount.isZero && offer.call.call.data == contract.list(listed).data)
    }

    @Test func `the seller can end an offer at any time, others after its end`() throws {
        let sale = Market.Sale(try offered())
        let abort = Client.SaleMove(move: "abort")
        let call = contract.abort(ItemMarket.listing(Self.terms).offer)
        let before = Self.end.earlier(by: 1)
        for (account, time) in [(Self.ana, before), (Self.ana, Self.end), (Self.cy, Self.end)] {
            let move = try sales.move(abort, in: sale, by: account, at: time) {}
            #expect(move.call.data == call.data && move.preview.leaves.isEmpty)
        }
        let stranger = #expect(throws: Refusal.self) {
            try sales.move(abort, in: sale, by: Self.cy, at: before) {}
        }
        #expect(stranger?.code == .notYourSale)
        for (account, time, moves) in [
            (Self.ana, before, ["abort"]), (Self.bo, before, ["pay"]),
            (Self.bo, Self.end, ["abort"]),
        ] {
            #expect(sales.actions(in: sale, for: account, at: time).map(\.move) == moves)
        }
        let withdrawal = sales.withdrawal(of: sale, at: Self.end)
        #expect(withdrawal.call.data == call.data && withdrawal.returned.isZero)
    }

    @Test(arguments: [
        (Client.SaleMove(move: "pay"), "move"), (Client.SaleMove(move: "end"), "move"),
        (Client.SaleMove(move: "abort", share: 1), "share"),
        (Client.SaleMove(move: "abort", until: 1), "until"),
    ])
    func `refuses an unknown move of a direct sale and names the field`(
        move: Client.SaleMove,
        field: String
    ) throws {
        let refused = #expect(throws: Refusal.self) { try sales.check(move) }
        #expect(refused?.code == .malformedValue && refused?.field == field)
        try sales.check(Client.SaleMove(move: "abort"))
    }
}
