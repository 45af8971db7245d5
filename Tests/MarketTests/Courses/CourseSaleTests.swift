import Keys
import Market
import Testing
import Texts

/// What all kinds of sale have in common, of a course.
struct CourseSaleTests {
    private static let (ana, bo) = (Samples.ana.address, Samples.bo.address)
    private static let (cleo, dan) = (ItemSamples.cleo, ItemSamples.stranger)
    private static let now = Samples.chainNow
    private static let terms = CourseRun.terms

    private static let all: [(String, CourseRun)] = {
        do {
            let open = try CourseRun()
            var paid = open
            try paid.make(.enrol, by: bo, at: now)
            try paid.make(.enrol, by: cleo, at: now)
            var begun = paid
            try begun.make(.begin, by: ana, at: terms.start)
            var rated = begun
            try rated.make(.evaluate, by: bo, at: terms.start)
            var settled = rated
            try settled.make(.settle, by: dan, at: terms.rateUntil)
            var cancelled = paid
            try cancelled.make(.cancel, by: ana, at: now)
            var repeated = settled
            var later = terms
            later.price = Amount(small: 10_005)
            later.start = terms.rateUntil.advanced(by: .days(1))
            later.end = later.start.advanced(by: .days(1))
            try repeated.make(.repeat, 1, by: ana, terms: later, at: terms.rateUntil)
            return [
                ("open", open), ("paid", paid), ("begun", begun), ("rated", rated),
                ("settled", settled), ("cancelled", cancelled), ("repeated", repeated),
            ]
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func course(_ name: String) throws -> Course {
        try #require(all.first { $0.0 == name }).1.course
    }

    @Test func `its parties are the teacher and all students of any round`() throws {
        #expect(try Set(Self.course("open").parties) == [Self.ana])
        for name in ["paid", "begun", "rated", "settled", "cancelled", "repeated"] {
            let course = try Self.course(name)
            #expect(Set(course.parties) == [Self.ana, Self.bo, Self.cleo])
            #expect(course.parties.count == 3 && Set(course.concerned) == Set(course.parties))
            let isParty = [Self.ana, Self.bo, Self.cleo, Self.dan].map(course.isParty)
            #expect(isParty == [true, true, true, false])
            let roles = [Self.ana, Self.bo, Self.dan].map(course.role)
            #expect(roles == [.teacher, .student, .stranger])
            #expect(course.seller == Self.ana && course.buyer == nil && course.item == nil)
        }
        #expect(try Self.course("open").role(of: Self.bo) == .stranger)
    }

    @Test func `a student is finished with a cancelled round only after the refund`() throws {
        func unfinished(_ name: String) throws -> [Bool] {
            let course = try Self.course(name)
            return [Self.ana, Self.bo, Self.cleo].map(course.isUnfinished)
        }
        #expect(try unfinished("paid") == [true, true, true])
        #expect(try unfinished("begun") == [true, true, true])
        #expect(try unfinished("settled") == [false, false, false])
        #expect(try unfinished("cancelled") == [false, true, true])
        // Another round concerns its own students.
        #expect(try unfinished("repeated") == [true, false, false])
        var refunded = try #require(Self.all.first { $0.0 == "cancelled" }).1
        try refunded.make(.refund, by: Self.bo, at: Self.now)
        #expect(!refunded.course.isUnfinished(for: Self.bo))
        #expect(refunded.course.isUnfinished(for: Self.cleo))
    }

    @Test func `counts each ended round with students separately`() throws {
        #expect(try Self.course("paid").endings.isEmpty)
        #expect(try Self.course("cancelled").endings == ["cancelled"])
        #expect(try Self.course("repeated").endings == ["settled"])
    }

    @Test func `only a student who has rated may review the course`() throws {
        let now = ReviewRight.now(
            ReviewedDeal(outcome: .complete, price: Self.terms.price, currency: .native)
        )
        // By status: Bo, who rates; Cleo, who does not; Dan, who never enrols.
        let rights: [(String, bo: ReviewRight, cleo: ReviewRight, dan: ReviewRight)] = [
            ("open", .later, .later, .later), ("paid", .later, .later, .later),
            ("begun", .later, .later, .later), ("rated", now, .later, .later),
            ("settled", now, .later, .later), ("cancelled", .later, .later, .later),
            ("repeated", now, .later, .later),
        ]
        for (name, bo, cleo, dan) in rights {
            let course = try Self.course(name)
            #expect(course.reviewRight(of: Self.bo) == bo, "\(name)")
            #expect(course.reviewRight(of: Self.cleo) == cleo, "\(name)")
            #expect(course.reviewRight(of: Self.dan) == dan, "\(name)")
            #expect(course.reviewRight(of: Self.ana) == .never(.notAParty), "\(name)")
            #expect(course.outcome == nil)
        }
    }

    @Test func `each round that a student rated has a review with its price`() throws {
        var run = try #require(Self.all.first { $0.0 == "repeated" }).1
        let terms = run.course.current.terms
        let before = run.course.reviewRight(of: Self.bo)
        try run.make(.enrol, 1, by: Self.bo, at: Self.terms.rateUntil)
        #expect(run.course.reviewRight(of: Self.bo) == before)
        try run.make(.begin, 1, by: Self.ana, at: terms.start)
        #expect(run.course.reviewRight(of: Self.bo) == before)
        #expect(run.course.reviewRight(of: Self.bo, round: 1) == .later)
        try run.make(.evaluate, 1, by: Self.bo, at: terms.start)
        #expect(run.course.reviewRight(of: Self.bo) == before)
        // Each round that was rated has a review of its own.
        #expect(SaleLimits.roundLast + 1 == CourseLimits.roundsMax)
        #expect(run.course.reviewableRounds(of: Self.bo) == [0, 1])
        #expect(run.course.reviewRight(of: Self.bo, round: 0) == before)
        let second = ReviewedDeal(
            outcome: .complete,
            price: terms.price,
            currency: terms.currency
        )
        #expect(run.course.reviewRight(of: Self.bo, round: 1) == .now(second))
        #expect(run.course.reviewRight(of: Self.bo, round: 2) == .later)
        #expect(run.course.reviewRight(of: Self.bo, round: 5) == .never(.notAParty))
        #expect(run.course.reviewRight(of: Self.cleo, round: 0) == .never(.notAParty))
    }

    @Test func `offers seats before the start as long as one is free`() throws {
        let (open, start) = (try Self.course("open"), Self.terms.start)
        #expect(open.isOffered(at: Self.now))
        #expect(open.isOffered(at: ChainTime(seconds: start.seconds - 1)))
        #expect(!open.isOffered(at: start))
        for name in ["paid", "begun", "rated", "settled", "cancelled"] {
            #expect(try !Self.course(name).isOffered(at: Self.now), "\(name)")
        }
        #expect(try Self.course("repeated").isOffered(at: Self.terms.rateUntil))
    }

    @Test func `shows the status and money of the last round, the offer of the first`() throws {
        let settled = try Self.course("settled")
        #expect(settled.status == .settled && settled.since == Self.terms.rateUntil)
        #expect(settled.payouts?.map(\.role) == ["teacher", "platform"])
        #expect(settled.payouts?.map(\.amount) == [Amount(small: 18_013), Amount(small: 2_001)])
        #expect(settled.payouts?.map(\.account) == [Self.ana, CourseModel.platform])

        let repeated = try Self.course("repeated")
        #expect(repeated.status == .open && repeated.price == Amount(small: 10_005))
        #expect(repeated.payouts == nil && repeated.offer == .enrolment(Self.terms))
        #expect(repeated.listedAt == settled.listedAt)
        let deadline = try #require(repeated.deadline(after: Self.terms.rateUntil))
        #expect(deadline.at == repeated.current.terms.start)
        #expect(deadline.consequence.detail.contains("the teacher can begin"))
        #expect(try Self.course("cancelled").deadline(after: Self.now) == nil)
    }

    @Test func `a round without students pays no one`() throws {
        var run = try CourseRun()
        try run.make(.begin, by: Self.ana, at: Self.terms.start)
        try run.make(.settle, by: Self.dan, at: Self.terms.rateUntil)
        #expect(run.course.payouts == [] && run.money.credits.isEmpty)
    }
}
