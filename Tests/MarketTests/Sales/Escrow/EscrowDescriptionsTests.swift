import Keys
import Market
import Testing
import Texts

/// What a person reads before signing: who gets what.
struct EscrowDescriptionsTests {
    private static let ether = "000000000000000000"

    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let arbiter = SaleScript.arbiter
    private let start = Samples.chainNow
    private var script: SaleScript
    private var sale: EscrowSale

    /// A sale for 100 ETH, with deposits of 200 and 100, a penalty of 2 and a fee of 4.
    init() throws {
        var terms = try Samples.terms(price: "100" + Self.ether)
        terms.arbiter = SaleScript.arbiter
        terms.arbiterFee = Samples.amount("4" + Self.ether)
        script = SaleScript(terms: terms)
        sale = try script.listed()
    }

    private mutating func make(
        _ move: EscrowMove,
        by account: Address,
        share: SellerShare = .all
    ) throws {
        try script.apply(move, by: account, share: share, to: &sale, at: start)
    }

    private func text(_ move: EscrowMove, for account: Address) throws -> String {
        let moves = sale.actions(for: account, at: start).moves
        return try #require(moves.first { $0.move == move }).consequence.detail
    }

    @Test func `describes the return of an expired offer to its seller`() {
        #expect(sale.consequence(of: .abort, for: ana).detail.contains("Your deposit of 200 ETH"))
        let other = sale.consequence(of: .abort, for: bo).detail
        #expect(other.contains("The seller is credited the deposit of 200 ETH"))
        #expect(other.contains("You get nothing."))
    }

    @Test mutating func `describes declining as free but counted`() throws {
        try make(.buy, by: bo)
        let text = try text(.decline, for: ana)
        #expect(text.contains("your deposit of 200 ETH, the buyer the whole 200 ETH"))
        #expect(text.contains("counted as declined by you, unless the buyer has no finished sale"))
    }

    @Test mutating func `confirming what was not sent comes last, with a warning first`() throws {
        try make(.buy, by: bo)
        let warning = "The seller has not said that it was sent. Confirm only if you have it."
        #expect(try text(.confirm, for: bo).hasPrefix(warning))
        #expect(sale.actions(for: bo, at: start).moves.last?.move == .confirm)
        try make(.transferItem, by: ana)
        #expect(!(try text(.confirm, for: bo)).contains("Confirm only"))
    }

    @Test mutating func `relisting returns everything to the buyer`() throws {
        try make(.buy, by: bo)
        let text = try text(.relist, for: ana)
        #expect(text.hasPrefix("The buyer is credited the whole 200 ETH, and anyone can buy again"))
        #expect(text.contains("Your deposit of 200 ETH and the token stay"))
    }

    @Test mutating func `a handover states the cost of a false declaration`() throws {
        try make(.buy, by: bo)
        let text = try text(.transferItem, for: ana)
        #expect(text.contains("you lose 2 ETH if you refund or the arbiter finds for the buyer"))
        #expect(text.contains("and in a default half of the price and 75 ETH."))
        var plain = try Samples.terms(price: "100" + Self.ether)
        plain.arbiter = nil
        var script = SaleScript(terms: plain)
        let sale = try script.listed()
        #expect(sale.falseHandover.detail.contains("if you refund, and in a default half of"))
    }

    @Test mutating func `a dispute shows the payouts of the default`() throws {
        try make(.buy, by: bo)
        try make(.transferItem, by: ana)
        let text = try text(.dispute, for: bo)
        // 200 + 50 − 1 − 75, as the seller made the item, and 100 + 50 − 75
        #expect(text.contains("the seller gets 174 ETH, the buyer 75 ETH and the token"))
        #expect(text.contains("The arbiter \(arbiter) can take the case"))
        #expect(text.contains("for a fee of 4 ETH"))
    }

    @Test mutating func `the fee of a taken case is part of every end except the default`() throws {
        try make(.buy, by: bo)
        try make(.transferItem, by: ana)
        try make(.dispute, by: bo)
        #expect(
            try text(.take, for: arbiter).contains(
                "your fee of 4 ETH is due however this sale ends"
            )
        )
        let warning = "the fee of 4 ETH is paid as well, by the buyer"
        #expect(try text(.confirm, for: bo).contains(warning))
        #expect(try text(.refund, for: ana).contains("paid as well, by the seller"))
        try make(.take, by: arbiter)

        let confirmed = try text(.confirm, for: bo)
        #expect(confirmed.contains("credited 298 ETH, the buyer 96 ETH; fees are 2 ETH"))
        #expect(confirmed.contains("The arbiter, who took the case, gets 4 ETH."))
        let refunded = try text(.refund, for: ana)
        #expect(refunded.contains("credited 194 ETH, the buyer 202 ETH; fees are 0 ETH"))
        #expect(try text(.rule, for: arbiter).contains("for a fee of 4 ETH"))
        let late = start.advanced(by: .days(14))
        let moves = sale.actions(for: bo, at: late).moves
        let executed = try #require(moves.first { $0.move == .executeDefault }).consequence.detail
        #expect(executed.contains("The arbiter, who did not rule, gets nothing."))
        #expect(executed.contains("150 ETH of what is locked is lost."))
    }

    @Test mutating func `agreeing to nothing for the seller gives up the penalty`() throws {
        try make(.buy, by: bo)
        try make(.transferItem, by: ana)
        for (points, isGivenUp) in [(0, true), (1, false)] as [(UInt64, Bool)] {
            let share = try #require(SellerShare(basisPoints: points))
            try make(.propose, by: ana, share: share)
            let agreed = try text(.agree(try #require(sale.proposal(by: ana))), for: bo)
            let words = "the penalty of 2 ETH too, which the buyer gives up by this agreement."
            #expect(agreed.contains(words) == isGivenUp, "\(agreed)")
        }
    }

    @Test(
        arguments: [
            (10_000, "100 %"), (3_333, "33.33 %"), (2_550, "25.5 %"), (1_005, "10.05 %"),
            (0, "0 %"),
        ] as [(UInt64, String)]
    )
    func `shows the share of a proposal`(points: UInt64, shown: String) throws {
        var test = self
        let share = try #require(SellerShare(basisPoints: points))
        try test.make(.buy, by: bo)
        try test.make(.propose, by: ana, share: share)
        let proposal = try #require(test.sale.proposal(by: ana))
        let agreed = try test.text(.agree(proposal), for: bo)
        #expect(agreed.hasPrefix("You agree to \(shown) for the seller. The sale ends."))
        #expect(agreed.contains("goes to the \(points >= 5_000 ? "buyer" : "seller")."))
        let withdrawn = try test.text(.withdrawProposal, for: ana)
        #expect(withdrawn.hasPrefix("Your proposal of \(shown) for the seller is withdrawn."))
        #expect(!agreed.contains("penalty"))
        #expect(try test.text(.propose, for: ana).hasSuffix("It replaces your earlier proposal."))
        #expect(!(try test.text(.propose, for: bo)).contains("earlier"))
    }
}
