import BigInt
import Keys
import Market
import Testing
import Texts

struct CourseTests {
    private let ana = Samples.ana.address
    private let bo = Samples.bo.address
    private let cleo = ItemSamples.cleo
    private let dan = ItemSamples.stranger
    private let now = Samples.chainNow
    private let terms = CourseRun.terms

    @Test func `a round can be paid, begun, rated and settled`() throws {
        var run = try CourseRun()
        #expect(run.course.status == .open && run.course.rounds[0].freeSeats == 2)
        try run.make(.enrol, by: bo, at: now)
        try run.make(.enrol, by: cleo, at: before(terms.start))
        #expect(run.course.rounds[0].freeSeats == 0)
        #expect(run.course.role(of: bo) == .student && run.course.role(of: ana) == .teacher)
        try run.make(.begin, by: ana, at: terms.start)
        try run.make(.evaluate, by: bo, [100, 80, 60, 40, 20], at: terms.start)
        #expect(run.course.average.overall == 60 && run.course.rating.raters == 1)
        #expect(run.course.rating.points == [100, 80, 60, 40, 20])
        try run.make(.settle, by: dan, at: terms.rateUntil)
        #expect(run.course.status == .settled && !run.course.isIncomplete)
        // 20,014 in all; a pool of 2,001; one rater is too few for an incentive.
        #expect(run.course.settlement.payout.teacher == Amount(small: 18_013))
        #expect(run.course.settlement.payout.platform == Amount(small: 2_001))
        #expect(run.money.paid == run.money.credited)
    }

    @Test func `a cancelled round refunds each student once, even after a repeat`() throws {
        var run = try CourseRun()
        try run.make(.enrol, by: bo, at: now)
        try run.make(.enrol, by: cleo, at: now)
        try run.make(.cancel, by: ana, at: now)
        try run.make(.refund, by: bo, at: now)
        expectFault(.wrongAccount, run, .refund, bo, at: now)
        expectFault(.wrongAccount, run, .refund, dan, at: now)
        try run.make(.repeat, 1, by: ana, at: now)
        #expect(run.course.lastRound == 1 && run.course.status == .open)
        let open = run.course.actions(for: cleo, at: now).moves.map(\.move)
        #expect(open == [CourseMove(.refund, round: 0), CourseMove(.enrol, round: 1)])
        try run.make(.refund, 0, by: cleo, at: now)
        #expect(run.money.credits == [bo: 10_007, cleo: 10_007])
    }

    @Test func `a move at a deadline is one second late`() throws {
        let open = try CourseRun()
        var paid = open
        try paid.make(.enrol, by: bo, at: now)
        var begun = paid
        try begun.make(.begin, by: ana, at: terms.start)

        expectFault(.wrongTime, open, .enrol, bo, at: terms.start)
        expectFault(.wrongTime, paid, .begin, ana, at: before(terms.start))
        expectFault(.wrongTime, paid, .begin, ana, at: terms.beginUntil)
        expectFault(.wrongAccount, paid, .cancel, bo, at: before(terms.beginUntil))
        expectFault(.wrongTime, begun, .evaluate, bo, at: terms.rateUntil)
        expectFault(.wrongTime, begun, .settle, bo, at: before(terms.rateUntil))
        for (run, action, account, time) in [
            (open, .enrol, bo, before(terms.start)), (paid, .begin, ana, terms.start),
            (paid, .begin, ana, before(terms.beginUntil)), (paid, .cancel, bo, terms.beginUntil),
            (paid, .cancel, ana, terms.beginUntil), (begun, .settle, bo, terms.rateUntil),
            (begun, .evaluate, bo, before(terms.rateUntil)),
        ] as [(CourseRun, CourseMove.Action, Address, ChainTime)] {
            var run = run
            try run.make(action, by: account, at: time)
            #expect(run.course != open.course)
        }
    }

    @Test func `only entitled accounts can move`() throws {
        var run = try CourseRun()
        expectFault(.wrongAccount, run, .enrol, ana, at: now)
        expectFault(.wrongAccount, run, .enrol, .zero, at: now)
        expectFault(.wrongAccount, run, .cancel, bo, at: now)
        expectFault(.impossible(from: "open"), run, .settle, ana, at: terms.rateUntil)
        expectFault(.impossible(from: "open"), run, .refund, bo, at: now)
        expectFault(.impossible(from: "open"), run, .repeat, ana, round: 1, at: now)
        try run.make(.enrol, by: bo, at: now)
        expectFault(.wrongAccount, run, .enrol, bo, at: now)
        try run.make(.enrol, by: cleo, at: now)
        expectFault(.wrongTerms(TermsFault(term: "seats")), run, .enrol, dan, at: now)
        try run.make(.begin, by: ana, at: terms.start)
        expectFault(.impossible(from: "begun"), run, .cancel, ana, at: terms.start)
        expectFault(.impossible(from: "begun"), run, .begin, ana, at: terms.start)
        expectFault(.wrongAccount, run, .evaluate, dan, at: terms.start)
        try run.make(.evaluate, by: bo, at: terms.start)
        expectFault(.wrongAccount, run, .evaluate, bo, at: terms.start)
        try run.make(.settle, by: bo, at: terms.rateUntil)
        expectFault(.impossible(from: "settled"), run, .settle, bo, at: terms.rateUntil)
        expectFault(.wrongAccount, run, .repeat, bo, round: 1, at: terms.rateUntil)
        #expect(
            run.course.refusal(of: CourseMove(.open, round: 0), by: ana, at: now) == .listedTwice
        )
    }

    @Test func `a course has at most five rounds, each with its own terms`() throws {
        var run = try CourseRun()
        var terms = terms
        for round in 1...4 as ClosedRange<UInt64> {
            try run.make(.cancel, round - 1, by: ana, at: now)
            terms.price = Amount(small: 10_000 + round)
            try run.make(.repeat, round, by: ana, terms: terms, at: now)
            #expect(run.course.round(round)?.terms.price == Amount(small: 10_000 + round))
        }
        try run.make(.cancel, 4, by: ana, at: now)
        expectFault(.impossible(from: "cancelled"), run, .repeat, ana, round: 5, at: now)
        #expect(run.course.actions(for: ana, at: now).moves.isEmpty)
        #expect(run.course.round(5) == nil)
    }

    @Test func `a new round needs terms that the contract accepts`() throws {
        var run = try CourseRun()
        try run.make(.cancel, by: ana, at: now)
        var past = terms
        past.start = now
        #expect(throws: SaleFault.wrongTerms(TermsFault(term: "start"))) {
            var run = run
            try run.make(.repeat, 1, by: ana, terms: past, at: now)
        }
    }

    @Test func `a course keeps the currency of its first round`() throws {
        var run = try CourseRun()
        try run.make(.cancel, by: ana, at: now)
        var other = terms
        other.currency = .token(ItemSamples.platform)
        #expect(throws: SaleFault.wrongTerms(TermsFault(term: "currency"))) {
            try run.make(.repeat, 1, by: ana, terms: other, at: now)
        }
    }

    @Test func `a student can leave until a day before the start and frees the seat`() throws {
        var run = try CourseRun()
        try run.make(.enrol, by: bo, at: now)
        expectFault(.wrongAccount, run, .leave, cleo, at: now)
        expectFault(.wrongTime, run, .leave, bo, at: terms.leaveUntil)
        #expect(terms.leaveUntil.advanced(by: .days(1)) == terms.start)
        try run.make(.leave, by: bo, at: before(terms.leaveUntil))
        #expect(run.course.rounds[0].enrolled == 0 && run.course.role(of: bo) == .stranger)
        #expect(run.money.credits == [bo: 10_007] && !run.course.isIncomplete)
        expectFault(.wrongAccount, run, .leave, bo, at: before(terms.leaveUntil))
        try run.make(.enrol, by: bo, at: before(terms.start))
        var lied = run
        #expect(throws: SaleFault.wrongTime) {
            try lied.apply([.left(student: bo, round: 0, enrolled: 0)], at: before(terms.start))
        }
    }

    @Test func `a round that ends within the grace period must begin before its end`() throws {
        var short = terms
        short.end = short.start.advanced(by: .seconds(10))
        var run = try CourseRun(short)
        #expect(short.beginUntil == short.end)
        expectFault(.wrongTime, run, .begin, ana, at: short.end)
        try run.make(.cancel, by: bo, at: short.end)
        #expect(run.course.status == .cancelled)
    }

    @Test func `refuses a false event of a course without any change`() throws {
        var run = try CourseRun()
        try run.make(.enrol, by: bo, at: now)
        let other = CourseEvent.Opened(
            teacher: ana,
            promise: CourseModel.promise,
            salt: Bytes32(repeating: 1),
            round: 1,
            terms: terms
        )
        let lies: [(SaleFault, CourseEvent.Change)] = [
            (.listedTwice, .opened(CourseModel.opened(terms, round: 0, by: ana))),
            (.outOfOrder, .enrolled(student: cleo, round: 0, enrolled: 3)),
            (.impossible(from: "open"), .enrolled(student: cleo, round: 1, enrolled: 1)),
            (
                .wrongCredit,
                .credited(.init(currency: .native, account: bo, amount: terms.price))
            ),
        ]
        try expectLies(lies, run)
        try run.make(.cancel, by: ana, at: now)
        let more = Amount(small: 10_008)
        try expectLies(
            [
                (.wrongPayout, .refunded(student: bo, round: 0, amount: more)),
                (.wrongID, .opened(other)),
            ],
            run
        )
        var settled = try CourseRun()
        try settled.make(.enrol, by: bo, at: now)
        try settled.make(.begin, by: ana, at: terms.start)
        let (right, _) = settled.model.settlement(0)
        let wrong = CourseSettlement(average: 1, incentive: right.incentive, payout: right.payout)
        var lied = settled
        #expect(throws: SaleFault.wrongPayout) {
            try lied.apply([.settled(wrong, by: bo, round: 0)], at: terms.rateUntil)
        }
        #expect(lied.course == settled.course)
    }

    @Test func `states the cost of enrolling and each deadline`() throws {
        var priced = terms
        priced.price = Samples.amount("500000000000000000")
        var run = try CourseRun(priced)
        let open = run.course.actions(for: bo, at: now)
        #expect(open.moves.map(\.move) == [CourseMove(.enrol, round: 0)])
        #expect(open.moves[0].consequence.detail.hasPrefix("You send 0.5 ETH for a seat."))
        #expect(open.moves[0].consequence.detail.contains("at least 90 % goes to the teacher"))
        #expect(open.moves[0].before == terms.start)
        #expect(open.next == CourseDeadline(at: terms.leaveUntil, effect: .leaveCloses))
        #expect(
            run.course.nextDeadline(after: terms.leaveUntil)
                == CourseDeadline(at: terms.start, effect: .beginOpens)
        )
        #expect(
            run.course.nextDeadline(after: terms.start)
                == CourseDeadline(at: terms.beginUntil, effect: .cancelOpens)
        )
        #expect(run.course.nextDeadline(after: terms.beginUntil) == nil)
        try run.make(.begin, by: ana, at: terms.start)
        #expect(
            run.course.nextDeadline(after: terms.start)
                == CourseDeadline(at: terms.rateUntil, effect: .settleOpens)
        )
        #expect(
            priced.summary(offering: "Knots", on: Samples.chain)
                == "Give the course 'Knots' to 2 students for 0.5 ETH each"
        )
    }

    private func before(_ time: ChainTime) -> ChainTime { ChainTime(seconds: time.seconds - 1) }

    private func expectLies(
        _ lies: [(SaleFault, CourseEvent.Change)],
        _ run: CourseRun
    ) throws {
        for (fault, change) in lies {
            var lied = run
            #expect(throws: fault) { try lied.apply([change], at: now) }
            #expect(lied.course == run.course)
        }
    }

    private func expectFault(
        _ fault: SaleFault,
        _ run: CourseRun,
        _ action: CourseMove.Action,
        _ account: Address,
        round: UInt64 = 0,
        at time: ChainTime,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: fault, sourceLocation: location) {
            var run = run
            try run.make(action, round, by: account, at: time)
        }
        let move = CourseMove(action, round: round)
        #expect(run.course.refusal(of: move, by: account, at: time) == fault)
    }
}
