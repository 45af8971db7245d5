import Keys
import Market
import Testing

struct SaleListTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address

    private func lists(
        _ escrow: EscrowSale,
        _ account: Address,
        after time: Duration = .zero
    ) -> [String] {
        let now = escrow.since.advanced(by: time)
        // Credits decide what is to be collected.
        return SaleList.allCases.filter { $0 != .toCollect }
            .filter { $0.contains(Sale(escrow), for: account, at: now) }
            .map(\.rawValue)
    }

    @Test func `each side finds an escrow in its lists, from the offer to the end`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        #expect(lists(sale, ana) == ["postings"])

        let time = Samples.chainNow.advanced(by: .seconds(60))
        try script.apply(.buy, by: bo, to: &sale, at: time)
        #expect([ana, bo].map { lists(sale, $0) } == [["running"], ["running", "purchases"]])

        try script.apply(.transferItem, by: ana, to: &sale, at: time)
        try script.apply(.confirm, by: bo, to: &sale, at: time)
        #expect(lists(sale, ana) == ["sold", "to_review"])
        let buyers = ["purchases", "to_review"]
        #expect(lists(sale, bo) == buyers)
        #expect(lists(sale, bo, after: SaleList.reviewTime) == buyers)
        let late = SaleList.reviewTime + .seconds(1)
        #expect(lists(sale, bo, after: late) == ["purchases"])
        #expect(lists(sale, ana, after: late) == ["sold"])
    }

    @Test func `a declined sale is not sold, and stays in the buyer's purchases`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        let time = Samples.chainNow.advanced(by: .seconds(60))
        try script.apply(.buy, by: bo, to: &sale, at: time)
        try script.apply(.decline, by: ana, to: &sale, at: time)
        #expect([ana, bo].map { lists(sale, $0) } == [["postings"], ["purchases"]])
    }

    @Test func `a course runs for its teacher and students before it begins`() throws {
        var run = try CourseRun()
        let now = Samples.chainNow
        func lists(_ account: Address, _ course: Course) -> [String] {
            SaleList.allCases.filter { $0 != .toCollect }
                .filter { $0.contains(Sale(course), for: account, at: now) }.map(\.rawValue)
        }
        #expect(lists(ana, run.course) == ["postings"] && lists(bo, run.course).isEmpty)
        try run.make(.enrol, by: bo, at: now)
        #expect(lists(ana, run.course) == ["running", "postings"])
        #expect(lists(bo, run.course) == ["running", "purchases"])
        try run.make(.cancel, by: ana, at: now)
        #expect(lists(ana, run.course) == ["postings"])
        #expect(lists(bo, run.course) == ["running", "purchases"])
        try run.make(.refund, by: bo, at: now)
        #expect(lists(bo, run.course) == ["purchases"])
    }

    @Test func `locks the parties' money in an escrow until it is over`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        let (terms, currency) = (sale.terms, sale.currency)
        #expect(sale.locked(for: ana) == [currency: terms.sellerDeposit])
        #expect(sale.locked(for: bo).isEmpty)

        let time = Samples.chainNow.advanced(by: .seconds(60))
        try script.apply(.buy, by: bo, to: &sale, at: time)
        let paid = try #require(terms.price.adding(terms.buyerDeposit))
        #expect(sale.locked(for: bo) == [currency: paid])
        #expect(sale.locked(for: SaleScript.stranger).isEmpty)

        try script.apply(.transferItem, by: ana, to: &sale, at: time)
        #expect(sale.locked(for: ana) == [currency: terms.sellerDeposit])
        try script.apply(.confirm, by: bo, to: &sale, at: time)
        #expect(sale.locked(for: ana).isEmpty && sale.locked(for: bo).isEmpty)
    }

    @Test func `an aborted posting stays listed and asks for no review`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        let time = Samples.chainNow.advanced(by: .seconds(60))
        try script.apply(.abort, by: ana, to: &sale, at: time)
        #expect(lists(sale, ana) == ["postings"])
    }
}
