import BigInt
import Keys
import Market
import Testing

/// What each kind of sale opens by a deadline, and to whom it is worth something.
struct DueMoveTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let cleo = ItemSamples.cleo
    private let stranger = ItemSamples.stranger
    private let start = Samples.chainNow

    private func later(_ duration: Duration) -> ChainTime { start.advanced(by: duration) }

    /// Checks that the moves are due from the deadline on and not a second before, and that the
    /// rules of the kind allow them.
    private func expect(
        _ due: [(Address, DueMove)],
        in state: some SaleState,
        at deadline: ChainTime,
        among accounts: [Address],
        allows: (DueMove, Address, ChainTime) -> Bool
    ) {
        let before = ChainTime(seconds: deadline.seconds - 1)
        for account in accounts {
            let own = due.filter { $0.0 == account }.map(\.1)
            #expect(state.dueMoves(for: account, at: deadline) == own)
            #expect(state.dueMoves(for: account, at: before) == [])
            for move in own {
                #expect(allows(move, account, deadline) && !allows(move, account, before))
            }
        }
    }

    @Test func `an escrow's deadline first opens a move to the side that gains most`() throws {
        var terms = try Samples.terms()
        terms.arbiter = SaleScript.arbiter
        var script = SaleScript(terms: terms)
        var sale = try script.listed()
        let all = [ana, bo, SaleScript.arbiter, stranger]
        func allows(_ sale: EscrowSale) -> (DueMove, Address, ChainTime) -> Bool {
            { move, account, time in
                // The seller can abort at any time.
                if move.name == "abort" { return time >= terms.offerUntil }
                return sale.actions(for: account, at: time).moves.contains {
                    $0.move.name == move.name
                }
            }
        }
        func expect(
            _ name: String,
            as unattended: UnattendedMove,
            _ accounts: [Address]
        ) throws {
            let deadline = try #require(sale.deadline)
            let due = accounts.enumerated().map { rank, account in
                (account, DueMove(name, as: unattended, since: deadline, rank: rank))
            }
            self.expect(due, in: sale, at: deadline, among: all, allows: allows(sale))
        }

        try expect("abort", as: .end, [ana])
        try script.apply(.buy, by: bo, to: &sale, at: start)
        try expect("refund", as: .refund, [bo, ana])
        try script.apply(.transferItem, by: ana, to: &sale, at: start)
        try expect("claim", as: .claim, [ana, bo])
        try script.apply(.dispute, by: bo, to: &sale, at: start)
        try expect("execute_default", as: .claim, [ana, bo])
        let end = try #require(sale.deadline)
        try script.apply(.executeDefault, by: stranger, to: &sale, at: end)
        #expect(all.allSatisfy { sale.dueMoves(for: $0, at: later(.days(900))).isEmpty })
    }

    @Test func `the seller moves first if both sides gain the same`() throws {
        var terms = try Samples.terms()
        // Both are credited two prices and the penalty.
        terms.buyerDeposit = terms.price
        terms.latePenalty = EscrowTerms.penaltyMin(price: terms.price)
        let both = try #require(terms.price.adding(terms.latePenalty))
        terms.sellerDeposit = try #require(both.multiplied(by: 2))
        var script = SaleScript(terms: terms)
        var sale = try script.listed()
        try script.apply(.buy, by: bo, to: &sale, at: start)
        let deadline = try #require(sale.deadline)
        let payout = sale.payout(by: .refund)
        #expect(payout.seller == payout.buyer)
        #expect(sale.dueMoves(for: ana, at: deadline).map(\.rank) == [0])
        #expect(sale.dueMoves(for: bo, at: deadline).map(\.rank) == [1])
    }

    @Test func `an auction's end is due to the seller, then to the highest bidder`() throws {
        let terms = AuctionTerms(currency: .native, startingBid: Amount(small: 10_000))
        var run = try AuctionRun(terms)
        let all = [ana, bo, cleo, stranger]
        func allows(_ sale: AuctionSale) -> (DueMove, Address, ChainTime) -> Bool {
            { move, account, time in
                sale.actions(for: account, at: time).moves.contains { $0.move.name == move.name }
            }
        }
        func due(_ accounts: [Address]) -> [(Address, DueMove)] {
            accounts.enumerated().map {
                ($1, DueMove("end", as: .end, since: run.sale.ends, rank: $0))
            }
        }
        expect(
            due([ana]),
            in: run.sale,
            at: run.sale.ends,
            among: all,
            allows: allows(run.sale)
        )
        #expect(run.sale.deadlineSetAt == start)

        try run.make(.bid, by: bo, 10_000, at: later(.days(1)))
        #expect(run.sale.deadlineSetAt == start && run.sale.since == later(.days(1)))
        let late = ChainTime(seconds: run.sale.ends.seconds - 10)
        try run.make(.bid, by: cleo, 10_500, at: late)
        #expect(run.sale.deadlineSetAt == late)
        expect(
            due([ana, cleo]),
            in: run.sale,
            at: run.sale.ends,
            among: all,
            allows: allows(run.sale)
        )
        let ends = run.sale.ends
        try run.make(.end, by: stranger, at: ends)
        #expect(all.allSatisfy { run.sale.dueMoves(for: $0, at: ends).isEmpty })
    }

    @Test func `an expired fixed-price offer is due only to its seller`() throws {
        let until = later(.days(30))
        let terms = DirectSaleTerms(
            currency: .native,
            price: Amount(small: 10_007),
            offerUntil: until
        )
        var run = try DirectSaleRun(terms)
        expect(
            [(ana, DueMove("abort", as: .end, since: until, rank: 0))],
            in: run.sale,
            at: until,
            among: [ana, bo]
        ) { _, _, time in run.sale.refusal(of: .abort, by: stranger, at: time) == nil }
        try run.make(.pay, by: bo, at: start)
        #expect(run.sale.dueMoves(for: ana, at: until) == [])
    }

    @Test func `the students can cancel a round that did not begin, in their order`() throws {
        let terms = CourseRun.terms
        var run = try CourseRun()
        try run.make(.enrol, by: cleo, at: start)
        try run.make(.enrol, by: bo, at: later(.days(1)))
        let all = [ana, bo, cleo, stranger]
        expect(
            [
                (cleo, DueMove("cancel", as: .refund, round: 0, since: terms.beginUntil, rank: 0)),
                (bo, DueMove("cancel", as: .refund, round: 0, since: terms.beginUntil, rank: 1)),
            ],
            in: run.course,
            at: terms.beginUntil,
            among: all
        ) { move, account, time in allows(move, account, time, run.course) }

        let cancelled = terms.beginUntil.advanced(by: .days(1))
        try run.make(.cancel, by: stranger, at: cancelled)
        try run.make(.refund, by: cleo, at: cancelled)
        let refund = DueMove("refund", as: .refund, round: 0, since: cancelled, rank: 0)
        #expect(run.course.dueMoves(for: bo, at: cancelled) == [refund])
        #expect([ana, cleo].allSatisfy { run.course.dueMoves(for: $0, at: cancelled).isEmpty })
        #expect(allows(refund, bo, cancelled, run.course))
    }

    @Test func `the teacher settles a round that took place`() throws {
        let terms = CourseRun.terms
        var run = try CourseRun()
        try run.make(.enrol, by: bo, at: start)
        try run.make(.begin, by: ana, at: terms.start)
        expect(
            [(ana, DueMove("settle", as: .claim, round: 0, since: terms.rateUntil, rank: 0))],
            in: run.course,
            at: terms.rateUntil,
            among: [ana, bo, stranger]
        ) { move, account, time in allows(move, account, time, run.course) }
    }

    private func allows(
        _ move: DueMove,
        _ account: Address,
        _ time: ChainTime,
        _ course: Course
    ) -> Bool {
        course.actions(for: account, at: time).moves.contains {
            $0.move.action.name == move.name && $0.move.round == move.round
        }
    }
}
