import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// What a node does for the listings of courses and for enrolments, without a chain.
struct CourseSalesTests {
    private static let (ana, bo, cy) = (CourseMarket.ana, CourseMarket.bo, CourseMarket.cy)
    private static let (start, terms) = (CourseMarket.start, CourseMarket.terms)

    private let courses: CourseMarket
    private let sales: CourseSales
    private let contract = CoursesContract(address: CourseMarket.address)

    init() throws {
        courses = try CourseMarket()
        sales = CourseSales(contract: courses.contract, in: courses.market)
    }

    private static let purchase = Purchase(listing: "")

    private func preview(_ steps: CourseSteps, by account: Address) -> ActionPreview {
        var preview = ActionPreview(action: "enrol", summary: [])
        sales.describePurchase(
            Self.purchase,
            of: steps.sale,
            by: account,
            at: Self.start,
            in: &preview
        )
        return preview
    }

    @Test func `a listing's preview states the teacher's proceeds and costs nothing`() throws {
        let content = SaleContent(
            title: "Knots",
            slot: Bytes32(repeating: 6),
            contentHash: .zero,
            promise: Bytes32(repeating: 9),
            terms: .enrolment(Self.terms)
        )
        var preview = ActionPreview(action: "list", summary: [])
        sales.describe(content, by: Self.ana, in: &preview)
        #expect(
            preview.summary.detail
                == "You offer the course 'Knots', at 0.000000000000010007 ETH a seat."
        )
        // 90 % of 1,001, rounded down.
        #expect(preview.leaves.isEmpty && preview.comesBack.map(\.amount) == ["9006"])
        #expect(preview.comesBack[0].from == Self.terms.rateUntil.date)
        #expect(preview.deadline?.at == Self.terms.start.date)
        #expect(preview.explanation.count == 2)
        #expect(preview.explanation[0].detail.contains("3 days to begin"))
        #expect(preview.explanation[1].detail.contains("until 14 days after the end"))

        let offer = try sales.newSale(of: content, by: Self.ana)
        #expect(offer.call.amount.isZero && offer.call.call.value.isZero)
        let call = contract.open(
            salt: Bytes32(repeating: 6),
            promise: Bytes32(repeating: 9),
            terms: Self.terms
        )
        #expect(offer.call.call.data == call.data)
        let id = SaleID(
            contract: courses.market.reference(to: courses.contract),
            teacher: Self.ana,
            salt: Bytes32(repeating: 6),
            promise: Bytes32(repeating: 9)
        )
        #expect(offer.sale.id == id)
    }

    @Test func `a seat's preview states the price and the terms of its refund`() throws {
        let steps = try CourseSteps(in: courses)
        let preview = preview(steps, by: Self.bo)
        #expect(preview.leaves.map(\.amount) == ["10007"])
        #expect(preview.leaves.map(\.purpose) == ["price"])
        #expect(preview.total.map(\.amount) == ["10007"])
        #expect(preview.comesBack.map(\.amount) == ["10007"])
        #expect(preview.comesBack[0].when.detail.contains("if the round is cancelled"))
        #expect(preview.comesBack[0].from == Self.terms.beginUntil.date)
        #expect(preview.deadline?.at == Self.terms.beginUntil.date && preview.warnings.isEmpty)
        #expect(preview.summary.detail == "You enrol in the first round (0), by \(Self.ana).")
        let words = preview.explanation.detail
        #expect(words.contains("You send 0.000000000000010007 ETH for a seat."))
        #expect(words.contains("at least 90 % goes to the teacher"))
        #expect(words.contains("from 2025-12-01 04:40:00Z to 2025-12-11 04:40:00Z"))
        #expect(words.contains("with at most 2 students"))
        #expect(words.contains("No student has rated the course yet."))

        let paid = sales.purchase(Self.purchase, of: steps.sale)
        #expect(paid.amount == Self.terms.price && paid.currency == .native)
        let call = contract.enrol(steps.state.reference.id, round: 0, terms: Self.terms)
        #expect(paid.call.data == call.data && paid.call.value == Self.terms.price)
    }

    @Test func `warns a student about a round that cannot be left`() throws {
        var terms = Self.terms
        terms.start = Self.start.advanced(by: .days(1) + .seconds(1))
        #expect(preview(try CourseSteps(terms, in: courses), by: Self.bo).warnings.isEmpty)
        terms.start = Self.start.advanced(by: .days(1))
        let warned = preview(try CourseSteps(terms, in: courses), by: Self.bo)
        #expect(
            warned.warnings.count == 1 && warned.warnings[0].detail.contains("no longer leave it")
        )
    }

    /// - From people: enrolling twice in a round, or with a bid → move_not_open, malformed_value
    /// - From people: enrolling with consent to another round → not_as_promised
    @Test func `refuses to enrol a student twice, or with a bid`() throws {
        var steps = try CourseSteps(in: courses)
        func refusal(_ account: Address, bid: String? = nil) -> Refusal? {
            let purchase = Purchase(listing: "", bid: bid)
            return sales.refusal(of: purchase, by: account, in: steps.sale)
        }
        #expect(refusal(Self.bo) == nil)
        let bid = refusal(Self.bo, bid: "10007")
        #expect(bid?.code == .malformedValue && bid?.field == "bid")
        try steps.make(.enrol, by: Self.bo)
        #expect(refusal(Self.bo)?.code == .moveNotOpen && refusal(Self.cy) == nil)
        // In the next round it can.
        try steps.make(.cancel)
        try steps.make(.repeat)
        #expect(refusal(Self.bo) == nil)
        // But not with the consent to another round's price.
        let shown = Purchase(listing: "", round: 0)
        let other = sales.refusal(of: shown, by: Self.bo, in: steps.sale)
        #expect(other?.code == .notAsPromised && other?.field == "round")
        let agreed = Purchase(listing: "", round: 1)
        #expect(sales.refusal(of: agreed, by: Self.bo, in: steps.sale) == nil)
        let paid = sales.purchase(Self.purchase, of: steps.sale)
        let call = contract.enrol(steps.state.reference.id, round: 1, terms: Self.terms)
        #expect(paid.call.data == call.data)
    }

    /// - From people: enrolling in a full round, or from its start on → listing_gone
    @Test func `a full or started course says why no one can enrol`() throws {
        var steps = try CourseSteps(in: courses)
        let before = Self.terms.start.earlier(by: 1)
        #expect(sales.closing(of: steps.sale, at: before) == nil)
        #expect(sales.closing(of: steps.sale, at: Self.terms.start)?.code == "refusal.timeEnded")
        try steps.make(.enrol, by: Self.bo)
        #expect(sales.closing(of: steps.sale, at: before) == nil)
        try steps.make(.enrol, by: Self.cy)
        #expect(sales.closing(of: steps.sale, at: before)?.code == "refusal.noSeatFree")
        #expect(sales.closing(of: steps.sale, at: Self.terms.start)?.code == "refusal.timeEnded")
        var begun = steps
        try begun.make(.begin, at: Self.terms.start)
        #expect(sales.closing(of: begun.sale, at: Self.terms.start) == nil)
        try steps.make(.cancel)
        #expect(sales.closing(of: steps.sale, at: before) == nil)
    }

    @Test func `a withdrawal cancels the open round`() throws {
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: Self.bo)
        let id = steps.state.reference.id
        let first = sales.withdrawal(of: steps.sale, at: Self.start)
        #expect(first.call.data == contract.cancel(id, round: 0, terms: Self.terms).data)
        #expect(first.returned.isZero)
        try steps.make(.cancel)
        var other = Self.terms
        other.price = Amount(small: 10_005)
        try steps.make(.repeat, terms: other)
        let second = sales.withdrawal(of: steps.sale, at: Self.start)
        #expect(second.call.data == contract.cancel(id, round: 1, terms: other).data)
    }

    private func shown(
        _ steps: CourseSteps,
        to account: Address?
    ) throws -> Client.Sale.Course {
        let index = courses.index()
        let events = steps.events.map {
            let event = SaleLedger.Event(of: CourseMarket.address, .sale($0))
            return ($0.position.blockNumber, event)
        }
        _ = index.apply(events, upTo: BlockID(number: 90, hash: .zero))
        let view = try #require(index.view(of: steps.state.reference.id))
        #expect(view.fault == nil)
        var sale = Client.Sale(view, listing: nil, for: account, in: index)
        sales.show(view.sale, at: Self.start, for: account, in: &sale)
        return try #require(sale.course)
    }

    @Test func `ended rounds count for the teacher while a later one fills up`() throws {
        let index = courses.index(confirmations: 3)
        var steps = try CourseSteps(in: courses)
        func apply(from first: Int, upTo height: UInt64) {
            let events = steps.events[first...].map {
                let event = SaleLedger.Event(of: CourseMarket.address, .sale($0))
                return ($0.position.blockNumber, event)
            }
            let block = BlockID(number: height, hash: Bytes32(words: height, 1, 0, 0))
            _ = index.apply(events, upTo: block)
        }
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.cancel)
        apply(from: 0, upTo: 12)
        #expect(index.outcomes(ofSeller: Self.ana).isEmpty)

        let known = steps.events.count
        try steps.make(.repeat)
        try steps.make(.enrol, by: Self.cy)
        apply(from: known, upTo: 14)
        let view = try #require(index.view(of: steps.state.reference.id))
        #expect(!view.isFinal && view.sale.status.name == "open")
        #expect(index.outcomes(ofSeller: Self.ana).detail.hasSuffix(": 1 cancelled."))
        #expect(index.outcomes(ofSeller: Self.bo).isEmpty)
    }

    @Test func `a course shows each account its part; only the teacher sees students`() throws {
        var steps = try CourseSteps(in: courses)
        let open = try shown(steps, to: nil)
        #expect(open.rounds.count == 1 && open.average == nil && open.criteria == nil)
        #expect(open.rounds[0].phase == "open" && open.rounds[0].price.amount == "10007")
        #expect(open.rounds[0].terms == Client.CourseTerms(Self.terms))
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.enrol, by: Self.cy)
        let both = [Self.bo, Self.cy].sorted().map(\.checksummed)
        #expect(try shown(steps, to: Self.ana).rounds[0].students == both)
        for account in [Self.bo, CourseMarket.dee, nil] {
            #expect(try shown(steps, to: account).rounds[0].students == nil)
        }
        #expect(try shown(steps, to: Self.bo).rounds[0].own == "enrolled")
        #expect(try shown(steps, to: CourseMarket.dee).rounds[0].own == nil)

        var cancelled = steps
        try cancelled.make(.cancel)
        try cancelled.make(.refund, by: Self.bo)
        #expect(try shown(cancelled, to: Self.bo).rounds[0].own == "refunded")
        #expect(try shown(cancelled, to: Self.cy).rounds[0].own == "enrolled")

        try steps.make(.begin, at: Self.terms.start)
        try steps.make(.evaluate, by: Self.bo, points: [90, 80, 70, 60, 51], at: Self.terms.start)
        try steps.make(.evaluate, by: Self.cy, points: [91, 0, 0, 0, 0], at: Self.terms.start)
        let rated = try shown(steps, to: Self.bo)
        #expect(rated.rounds[0].own == "rated" && rated.rounds[0].raters == 2)
        // 442 of 10 numbers, and each criterion by itself, rounded down.
        #expect(rated.average == 44 && rated.raters == 2)
        let criteria = Client.Sale.Criteria(
            preparation: 90,
            content: 40,
            delivery: 35,
            communication: 30,
            overall: 25
        )
        #expect(rated.criteria == criteria)
    }
}
