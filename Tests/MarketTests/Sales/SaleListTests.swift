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
        return SaleList.allCases.filter { $0.contains(Sale(escrow), for: account, at: now) }
            .map(\.rawValue)
    }

    @Test func `each side finds an escrow in its lists, from the offer to the end`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        #expect(lists(sale, ana) == ["postings"])

        let time = Samples.chainNow.advanced(by: .seconds(60))
        try script.apply(.buy, by: bo, to: &sale, at: time)
        #expect([ana, bo].map { lists(sale, $0) } == [["running"], ["running"]])

        try script.apply(.transferItem, by: ana, to: &sale, at: time)
        try script.apply(.confirm, by: bo, to: &sale, at: time)
        #expect(lists(sale, ana) == ["sold", "to_review", "to_collect"])
        let buyers = ["purchases", "to_review", "to_collect"]
        #expect(lists(sale, bo) == buyers)
        #expect(lists(sale, bo, after: SaleList.reviewTime) == buyers)
        let late = SaleList.reviewTime + .seconds(1)
        #expect(lists(sale, bo, after: late) == ["purchases", "to_collect"])
        #expect(lists(sale, ana, after: late) == ["sold", "to_collect"])
    }

    @Test func `what is to be collected is of the latest sales, as far as the credit goes`() throws
    {
        let time = Samples.chainNow.advanced(by: .seconds(60))
        let sales = try (0..<3).map { number in
            var script = SaleScript(terms: try Samples.terms())
            var sale = try script.listed()
            let moved = time.advanced(by: .seconds(Int64(number)))
            try script.apply(.buy, by: bo, to: &sale, at: moved)
            try script.apply(.transferItem, by: ana, to: &sale, at: moved)
            try script.apply(.confirm, by: bo, to: &sale, at: moved)
            return Sale(sale)
        }
        let payout = try #require(sales[0].state.payouts?.first { $0.account == ana }?.amount)
        let twice = try #require(payout.adding(payout))
        for (credit, count) in [
            (.zero, 0), (Amount(small: 1), 1), (payout, 1), (twice, 2), (.max, 3),
        ] as [(Amount, Int)] {
            let found = SaleList.uncollected(sales, of: ana) { _, _ in credit }
            #expect(found.map(\.since) == sales.reversed().prefix(count).map(\.since))
        }
    }

    @Test func `what nobody bought stays among the postings, and asks for no review`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        let time = Samples.chainNow.advanced(by: .seconds(60))
        try script.apply(.abort, by: ana, to: &sale, at: time)
        // Her deposit comes back as a credit.
        #expect(lists(sale, ana) == ["postings", "to_collect"])
    }
}
