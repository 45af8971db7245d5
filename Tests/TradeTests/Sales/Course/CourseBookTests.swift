import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// Courses in a node's book of sales: whose they are, and which moves wait for what.
struct CourseBookTests {
    private static let (ana, bo, cy) = (CourseMarket.ana, CourseMarket.bo, CourseMarket.cy)
    private static let (start, terms) = (CourseMarket.start, CourseMarket.terms)

    private let courses: CourseMarket
    private let steps: CourseSteps

    init() throws {
        courses = try CourseMarket()
        var many = Self.terms
        many.seats = 100
        steps = try CourseSteps(many, in: courses)
    }

    /// A book to which the events up to a block are known, with 3 confirmations.
    private func book(_ steps: CourseSteps, upTo height: UInt64) -> SaleBook {
        let fees = courses.contract.fees
        let ledger = SaleLedger(
            chain: courses.market.chain,
            contracts: [CourseMarket.address: .init(kind: .enrolment, fees: fees)],
            folds: SaleKinds.standard.folds
        )
        var book = SaleBook(ledger, confirmations: 3)
        let known = steps.events.filter { $0.position.blockNumber <= height }.map { event in
            (
                height: event.position.blockNumber,
                event: SaleLedger.Event(of: CourseMarket.address, .sale(event))
            )
        }
        _ = book.apply(known, upTo: block(height))
        return book
    }

    private func block(_ height: UInt64) -> BlockID {
        BlockID(number: height, hash: Bytes32(words: height, 1, 0, 0))
    }

    @Test func `enrolments in every block do not stop anyone from moving`() throws {
        var steps = steps
        for number in 0..<9 as Range<UInt8> {
            let time = Self.start.advanced(by: .seconds(12 * (UInt64(number) + 1)))
            try steps.make(.enrol, by: testKey(50 + number).address, at: time)
        }
        for height in 11...19 as ClosedRange<UInt64> {
            let book = book(steps, upTo: height)
            let sale = try #require(book.newest.sales[steps.state.reference.id])
            #expect(sale.position.blockNumber == height && sale.changedAt.blockNumber == 10)
            let view = SaleView(sale, in: book)
            for account in [Self.ana, Self.bo] {
                let waits = !view.isAnswerable(by: account, acceptsOneSource: false)
                // The opening itself is final in block 12; the teacher made it.
                #expect(waits == (height < 12 && account != Self.ana))
            }
        }
        try steps.make(.cancel, at: Self.start.advanced(by: .seconds(240)))
        let cancelled = book(steps, upTo: 20)
        let sale = try #require(cancelled.newest.sales[steps.state.reference.id])
        let view = SaleView(sale, in: cancelled)
        #expect(!view.isAnswerable(by: testKey(50).address, acceptsOneSource: false))
        #expect(view.isAnswerable(by: Self.ana, acceptsOneSource: false))
    }

    @Test func `lists a course once for each student, despite several enrolments`() throws {
        var steps = steps
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.cancel)
        try steps.make(.refund, by: Self.bo)
        try steps.make(.repeat)
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.enrol, by: Self.cy)
        let id = steps.state.reference.id
        let book = book(steps, upTo: 30)
        #expect(book.faults.isEmpty)
        for account in [Self.ana, Self.bo, Self.cy] {
            #expect(book.sales(of: account).map(\.id) == [id])
            #expect(book.settledSaleCount(of: account) == 1)
        }
        #expect(book.sales(of: CourseMarket.dee).isEmpty)
        #expect(book.settledSaleCount(of: CourseMarket.dee) == 0)
        let sale = try #require(book.newest.sales[id])
        let moves = sale.history.map(\.move.name)
        #expect(moves == ["list", "enrol", "cancel", "refund", "repeat", "enrol", "enrol"])
    }

    @Test func `a reorganisation removes a student's seat`() throws {
        var steps = steps
        try steps.make(.enrol, by: Self.bo)
        try steps.make(.enrol, by: Self.cy)
        var book = book(steps, upTo: 12)
        #expect(book.sales(of: Self.cy).count == 1)
        #expect(book.rollBack(to: block(11)) == [steps.state.reference.id])
        #expect(book.sales(of: Self.cy).isEmpty && book.sales(of: Self.bo).count == 1)
        #expect(book.settledSaleCount(of: Self.cy) == 0)
    }

    @Test func `a student becomes a party only once the enrolment is final`() throws {
        var steps = steps
        try steps.make(.enrol, by: Self.bo)
        #expect(book(steps, upTo: 12).settledSaleCount(of: Self.bo) == 0)
        #expect(book(steps, upTo: 12).settledSaleCount(of: Self.ana) == 1)
        #expect(book(steps, upTo: 13).settledSaleCount(of: Self.bo) == 1)
    }
}
