import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// What a node does for auctions, without a chain.
struct AuctionSalesTests {
    private typealias Terms = Market.AuctionTerms

    private static let (ana, bo, cy) = (ItemMarket.ana, ItemMarket.bo, ItemMarket.cy)
    private static let start = ItemMarket.start
    private static let terms = Terms(currency: .native, startingBid: Amount(small: 10_000))
    private static let end = start.advanced(by: .days(7))

    private let items: ItemMarket
    private let sales: AuctionSales
    private let contract = AuctionContract(address: ItemMarket.auctionAddress)

    init() throws {
        items = ItemMarket()
        sales = AuctionSales(contract: try items.contract(.auction), in: items.market)
    }

    private static var content: ListingContent {
        ListingContent(
            title: "Print",
            price: Money(amount: "10000", currency: "native"),
            payment: "auction"
        )
    }

    private func auction(isMinted: Bool = true) throws -> AuctionSteps {
        try AuctionSteps(Self.terms, isMinted: isMinted, in: items)
    }

    /// An auction with a bid of 1,000 by Bo.
    private func bid(isMinted: Bool = true) throws -> AuctionSteps {
        var steps = try auction(isMinted: isMinted)
        try steps.bid(10_000, by: Self.bo, at: Self.start)
        return steps
    }

    private func terms(_ change: (inout ListingContent) -> Void) throws -> Terms {
        var content = Self.content
        change(&content)
        let terms = try sales.terms(of: content, form: .goods, by: Self.ana, at: Self.start)
        guard case .auction(let auction) = terms else {
            throw Refusal(.badTerms, forPrograms: "no auction")
        }
        return auction
    }

    private static func bid(_ amount: String?) -> Purchase { Purchase(listing: "", bid: amount) }

    @Test func `omitted fields get the market's defaults and read back the same`() throws {
        #expect(try terms { _ in } == Self.terms)
        let wanted = Client.AuctionTerms(
            durationSeconds: 86_400,
            minIncrement: 1_000,
            extensionSeconds: 300
        )
        let other = try terms {
            $0.auction = wanted
            $0.price.currency = ItemMarket.token.checksummed
        }
        #expect(other.currency == .token(ItemMarket.token) && other.duration == .days(1))
        var shown = Self.content
        AuctionSales.show(.auction(other), in: &shown)
        #expect(shown.auction == wanted && shown.direct == nil && shown.terms == nil)
    }

    /// - From people: terms of an auction beyond their bounds → bad_terms
    @Test(arguments: [
        ("auction.durationSeconds", [60, 86_400, 2_592_000], [59, 0, 2_592_001, .max]),
        ("auction.minIncrement", [100, 5_000], [0, 99, 5_001, .max]),
        ("auction.extensionSeconds", [60, 86_400], [0, 59, 86_401, .max]),
    ])
    func `accepts each term at its bounds, not beyond them`(
        field: String,
        within: [UInt64],
        beyond: [UInt64]
    ) throws {
        func set(_ value: UInt64, _ content: inout ListingContent) {
            var wanted = Client.AuctionTerms(extensionSeconds: 60)
            switch field {
            case "auction.durationSeconds": wanted.durationSeconds = value
            case "auction.minIncrement": wanted.minIncrement = value
            default: wanted.extensionSeconds = value
            }
            content.auction = wanted
        }
        for value in within { _ = try terms { set(value, &$0) } }
        for value in beyond {
            let refused = #expect(throws: Refusal.self) { _ = try terms { set(value, &$0) } }
            #expect(refused?.code == .badTerms && refused?.field == field)
        }
    }

    @Test func `accepts a minimum first bid at its bounds, not beyond them`() throws {
        try expectPriceBounds { try terms($0).startingBid }
    }

    /// - From people: a bid below the minimum → bid_too_low
    /// - From people: a bid above 2¹²⁸ − 1, or a text that is not an amount → bad_amount
    /// - From people: a purchase in an auction without a bid → malformed_value
    @Test func `refuses a missing, malformed, too low or too high bid`() throws {
        let most = SaleLimits.priceMax
        let above = try #require(most.adding(Amount(small: 1))).decimal
        func code(_ amount: String?, _ steps: AuctionSteps) -> ProblemCode? {
            sales.refusal(of: Self.bid(amount), by: Self.bo, in: steps.sale)?.code
        }
        for (steps, low, least) in [
            (try auction(), "9999", "10000"), (try bid(), "10499", "10500"),
        ] {
            #expect(code(nil, steps) == .malformedValue)
            for amount in ["", "-1", "0.1", "1e3"] { #expect(code(amount, steps) == .badAmount) }
            for amount in ["0", low] { #expect(code(amount, steps) == .bidTooLow) }
            for amount in [least, most.decimal] { #expect(code(amount, steps) == nil) }
            #expect(code(above, steps) == .badAmount)
            let refused = sales.refusal(of: Self.bid(low), by: Self.bo, in: steps.sale)
            #expect(refused?.field == "bid" && refused?.detail.contains("ETH now") == true)
        }
    }

    /// - From people: a credit above the whole bid, or in a sale that is not an auction →
    ///   bad_amount, malformed_value
    @Test func `a credit can pay for a part of a bid, or all of it`() throws {
        let steps = try bid()
        var request = Self.bid("10500")
        for (credit, code, field) in [
            ("10501", .badAmount, "fromCredit"), ("x", .badAmount, "fromCredit"),
            ("10500", nil, nil), ("0", nil, nil),
        ] as [(String, ProblemCode?, String?)] {
            request.fromCredit = credit
            let refused = sales.refusal(of: request, by: Self.cy, in: steps.sale)
            #expect(refused?.code == code && refused?.field == field, "\(credit)")
        }
        request.fromCredit = "4000"
        let paid = sales.purchase(request, of: steps.sale)
        #expect(paid.amount == Amount(small: 6_500))
        let call = contract.bid(
            steps.listing.offer,
            amount: Amount(small: 10_500),
            fromCredit: Amount(small: 4_000)
        )
        #expect(paid.call.data == call.data && paid.call.value == Amount(small: 6_500))
        var preview = ActionPreview(action: "bid", summary: [])
        sales.describePurchase(request, of: steps.sale, by: Self.cy, at: Self.start, in: &preview)
        #expect(preview.leaves.map(\.amount) == ["6500"])
        #expect(preview.comesBack.map(\.amount) == ["10500"])
        #expect(preview.explanation.contains { $0.detail.contains("comes from your credit") })
        // What is sold at its price takes none.
        var atPrice = Purchase(listing: "")
        atPrice.fromCredit = "1"
        #expect(atPrice.bidRefusal?.field == "fromCredit")
    }

    @Test func `a bid's preview states the payment and when it is returned`() throws {
        let steps = try bid()
        func preview(_ amount: String?, by account: Address) -> ActionPreview {
            var preview = ActionPreview(action: "bid", summary: [])
            sales.describePurchase(
                Self.bid(amount),
                of: steps.sale,
                by: account,
                at: Self.start,
                in: &preview
            )
            return preview
        }
        let higher = preview("10500", by: Self.cy)
        #expect(higher.leaves.map(\.purpose) == ["bid"] && higher.leaves.map(\.amount) == ["10500"])
        #expect(higher.total.map(\.amount) == ["10500"])
        #expect(higher.comesBack.map(\.amount) == ["10500"] && higher.warnings.isEmpty)
        #expect(higher.explanation == [steps.state.bidTerms])
        #expect(higher.deadline?.at == steps.state.ends.date)
        // Who has the highest bid is told so.
        let own = preview("10500", by: Self.bo)
        #expect(own.warnings.count == 1 && own.warnings[0].detail.contains("your own"))
        // Without a bid nothing is said to leave.
        let none = preview(nil, by: Self.cy)
        #expect(
            none.leaves.isEmpty && none.explanation == steps.state.consequence(of: .bid)
        )

        let paid = sales.purchase(Self.bid("10500"), of: steps.sale)
        #expect(paid.amount == Amount(small: 10_500) && paid.currency == .native)
        let call = contract.bid(steps.listing.offer, amount: Amount(small: 10_500))
        #expect(paid.call.data == call.data && paid.call.value == call.value)
    }

    // Less the platform's 2 %, and the maker's 1 % unless the seller is the maker.
    @Test(arguments: [(true, "9800"), (false, "9700")])
    func `an auction's end shows the seller's credit`(
        isMinted: Bool,
        credit: String
    ) throws {
        let steps = try bid(isMinted: isMinted)
        let end = Client.SaleMove(move: "end")
        func move(by account: Address) throws -> PlannedMove {
            try sales.move(end, in: steps.sale, by: account, at: Self.end) {}
        }
        let own = try move(by: Self.ana)
        #expect(own.preview.comesBack.map(\.amount) == [credit])
        #expect(own.call.data == contract.end(steps.listing.offer).data)
        for account in [Self.bo, Self.cy] {
            #expect(try move(by: account).preview.comesBack.isEmpty)
        }
        let unsold = try auction(isMinted: isMinted)
        let back = try sales.move(end, in: unsold.sale, by: Self.ana, at: Self.end) {}
        #expect(back.preview.comesBack.isEmpty && back.preview.leaves.isEmpty)
    }

    @Test(arguments: [(true, "9800"), (false, "9700")])
    func `a listing's preview shows the seller's credit`(
        isMinted: Bool,
        credit: String
    ) throws {
        let content = ItemMarket.content(.auction(Self.terms), isMinted: isMinted)
        var preview = ActionPreview(action: "list", summary: [])
        sales.describe(content, by: Self.ana, in: &preview)
        #expect(
            preview.summary.detail == "You auction 'Print' for 7 days from 0.00000000000001 ETH."
        )
        #expect(preview.leaves.isEmpty && preview.comesBack.map(\.amount) == [credit])
        let offer = try sales.newSale(of: content, by: Self.ana)
        #expect(offer.call.amount.isZero)
        let listed = ItemMarket.offer(Self.terms, isMinted: isMinted)
        #expect(offer.call.call.data == contract.list(listed).data)
        #expect(offer.sale.id == listed.id(on: offer.sale.contract))
    }

    @Test func `a withdrawal aborts an auction before its end, and ends it later`() throws {
        let steps = try auction()
        let offer = steps.listing.offer
        for (time, call) in [
            (Self.start, contract.abort(offer)), (Self.end.earlier(by: 1), contract.abort(offer)),
            (Self.end, contract.end(offer)),
        ] {
            let withdrawal = sales.withdrawal(of: steps.sale, at: time)
            #expect(withdrawal.call.data == call.data && withdrawal.returned.isZero)
        }
    }

    @Test func `shows an auction and its bids to each account`() throws {
        var steps = try auction()
        func shown(_ account: Address?, at time: ChainTime) throws -> Client.Sale.Auction {
            let index = SaleIndex(
                deployment: items.market,
                confirmations: 1,
                clock: ManualClock()
            )
            let events = steps.events.map {
                ($0.position.blockNumber, SaleLedger.Event(of: contract.address, .sale($0)))
            }
            _ = index.apply(events, upTo: BlockID(number: 30, hash: .zero))
            let view = try #require(index.view(of: steps.state.reference.id))
            #expect(view.fault == nil)
            var sale = Client.Sale(view, listing: nil, for: account, in: index)
            sales.show(view.sale, at: time, for: account, in: &sale)
            return try #require(sale.auction)
        }
        let empty = try shown(nil, at: Self.start)
        #expect(empty.isOpen && empty.highestBid == nil && empty.minimalBid == "10000")
        #expect(empty.bidders == 0 && empty.ownBid == nil && empty.startingBid == "10000")
        #expect(empty.endsAt == Self.end.date)
        #expect(empty.endsAtMost == Self.end.advanced(by: .days(30)).date)

        try steps.bid(10_000, by: Self.bo, at: Self.start)
        try steps.bid(20_000, by: Self.cy, at: Self.end.earlier(by: 1))
        let late = Self.end.advanced(by: .seconds(599))
        let open = try shown(Self.bo, at: late.earlier(by: 1))
        #expect(open.endsAt == late.date && open.isOpen && open.minimalBid == "21000")
        #expect(open.highestBid == Sale.Bid(bidder: Self.cy.checksummed, amount: "20000"))
        #expect(open.bidders == 2 && open.ownBid == "10000")
        let closed = try shown(Self.ana, at: late)
        #expect(!closed.isOpen && closed.minimalBid == nil && closed.ownBid == nil)
    }
}
