import Keys
import Market
import Testing

/// What can be handed over late, offered again, or bought by one account alone.
extension EscrowSaleTests {
    @Test func `a seller can hand over late unless the buyer was refunded`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let late = later(.days(90))
        var refunded = sale
        try script.apply(.refund, by: bo, to: &refunded, at: late)
        expectFault(.impossible(from: "refunded"), .transferItem, ana, refunded, late)
        expectFault(.wrongAccount, .transferItem, bo, sale, late)
        try script.apply(.transferItem, by: ana, to: &sale, at: late)
        #expect(sale.status == .transferred && sale.deadline == late.advanced(by: .days(21)))
    }

    @Test func `a relisted sale forgets its first buyer and proposals`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        try script.apply(.propose, by: ana, to: &sale, at: start)
        expectFault(.wrongAccount, .relist, bo, sale, start)
        let again = later(.days(1))
        try script.apply(.relist, by: ana, to: &sale, at: again)
        #expect(sale.status == .listed && sale.buyer == nil && sale.since == again)
        #expect(sale.deadline == later(.days(30)) && sale.parties == [ana])
        #expect(sale.role(of: bo) == .stranger && sale.lastMover == ana)
        try script.apply(.buy, by: SaleScript.stranger, to: &sale, at: again)
        #expect(sale.buyer == SaleScript.stranger && sale.proposals(at: again).isEmpty)
        expectFault(.wrongAccount, .confirm, bo, sale, again)
        try script.apply(.confirm, by: SaleScript.stranger, to: &sale, at: again)
        #expect(sale.status == .complete)
    }

    @Test func `refuses a relisting with a missing, wrong or foreign credit`() throws {
        var script = SaleScript(terms: try Samples.terms())
        var paid = try script.listed()
        try script.apply(.buy, by: bo, to: &paid, at: start)
        let forged = EscrowEvent.Change.relisted(seller: ana, buyer: SaleScript.stranger)
        #expect(throws: SaleFault.wrongAccount) {
            var (script, sale) = (script, paid)
            try sale.apply(script.event(forged, at: start))
        }
        var relisted = paid
        let event = script.event(.relisted(seller: ana, buyer: bo), at: start)
        try relisted.apply(event)
        // The buyer of before is told too.
        #expect(relisted.audience(of: event) == [ana: .seller, bo: .buyer])
        let credit = { (account: Address, amount: Amount) in
            EscrowEvent.Change.credited(
                .init(currency: .native, account: account, amount: amount)
            )
        }
        let wrong: [EscrowEvent.Change] = [
            credit(ana, paid.terms.buyerSends), credit(bo, paid.terms.price),
            .bought(seller: ana, buyer: bo, deadline: later(.days(3))),
        ]
        for change in wrong {
            #expect(throws: SaleFault.wrongCredit) {
                var (script, sale) = (script, relisted)
                try sale.apply(script.event(change, at: start))
            }
        }
        try relisted.apply(script.event(credit(bo, paid.terms.buyerSends), at: start))
        #expect(throws: SaleFault.impossible(from: "listed")) {
            try relisted.apply(script.event(credit(bo, paid.terms.buyerSends), at: start))
        }
    }

    @Test func `only the account named in the terms can buy`() throws {
        var terms = try Samples.terms()
        terms.buyer = bo
        var script = SaleScript(terms: terms)
        var sale = try script.listed()
        expectFault(.wrongAccount, .buy, SaleScript.stranger, sale, start)
        #expect(sale.actions(for: SaleScript.stranger, at: start).moves.isEmpty)
        try script.apply(.buy, by: bo, to: &sale, at: start)
        #expect(sale.buyer == bo)
    }
}
