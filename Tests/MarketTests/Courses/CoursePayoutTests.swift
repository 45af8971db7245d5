import BigInt
import Keys
import Market
import Support
import Testing

struct CoursePayoutTests {
    private let ether = BigUInt(10).power(18)

    /// The example of CC-15, from three raters on: 100 coins collected, a pool of 10.
    @Test(
        arguments: [
            (100, "91.5"), (99, "91"), (80, "91"), (79, "90.5"), (60, "90.5"), (59, "90"),
            (0, "90"),
        ] as [(UInt64, String)]
    )
    func `the teacher's part depends on the average`(average: UInt64, teacher: String) throws {
        let settlement = try settle(
            price: 10 * ether,
            enrolled: 10,
            points: [UInt64](repeating: average, count: 3)
        )
        #expect(settlement.average == average)
        let text = PriceText.text(settlement.payout.teacher, in: .native, on: Samples.chain)
        #expect(text == "\(teacher) ETH")
        #expect(settlement.payout.teacher.units + settlement.payout.platform.units == 100 * ether)
    }

    @Test(
        arguments: [
            (0, 0, false), (2, 2, false), (3, 3, true), (3, 12, true), (3, 13, false),
            (4, 16, true), (4, 17, false), (2_500, 10_000, true), (2_499, 10_000, false),
        ] as [(UInt64, UInt64, Bool)]
    )
    func `an incentive needs three raters and a quarter of the students`(
        raters: UInt64,
        enrolled: UInt64,
        isPaid: Bool
    ) throws {
        #expect(CoursePayout.hasQuorum(raters: raters, enrolled: enrolled) == isPaid)
        let settlement = try settle(
            price: ether,
            enrolled: enrolled,
            points: [UInt64](repeating: 100, count: Int(raters))
        )
        #expect((settlement.incentive != .zero) == isPaid)
    }

    @Test(arguments: [(3, 0), (4, 1), (10, 2), (9, 1), (100, 15)] as [(UInt64, UInt64)])
    func `rounds half a unit of the incentive up`(pool: UInt64, incentive: UInt64) {
        #expect(
            CoursePayout.incentive(of: Amount(small: pool), percent: 15)
                == Amount(small: incentive)
        )
    }

    @Test func `a nearly free round has almost no weight`() throws {
        var terms = CourseRun.terms
        (terms.price, terms.seats) = (ItemSamples.amount(ether), 20)
        var run = try CourseRun(terms)
        let friends = (0..<18).map { Samples.key("friend \($0)").address }
        var time = try give(terms, 0, friends.prefix(3), [20, 20, 20, 20, 20], &run)
        #expect(run.course.average == average(of: 20))
        terms.start = time.advanced(by: .days(2))
        terms.end = terms.start.advanced(by: .days(2))
        terms.price = SaleLimits.priceMin
        try run.make(.repeat, 1, by: CourseModel.teacher, terms: terms, at: time)
        time = try give(terms, 1, friends[...], [100, 100, 100, 100, 100], &run)
        #expect(run.course.average == average(of: 20))
        #expect(run.course.rounds[1].settlement?.incentive == .zero)
    }

    /// Gives a round to students who rate it alike, and settles it.
    private func give(
        _ terms: CourseTerms,
        _ round: UInt64,
        _ students: ArraySlice<Address>,
        _ points: [UInt64],
        _ run: inout CourseRun
    ) throws -> ChainTime {
        for student in students {
            let time = ChainTime(seconds: terms.start.seconds - 1)
            try run.make(.enrol, round, by: student, at: time)
        }
        try run.make(.begin, round, by: CourseModel.teacher, at: terms.start)
        for student in students {
            try run.make(.evaluate, round, by: student, points, at: terms.start)
        }
        try run.make(.settle, round, by: students[students.startIndex], at: terms.rateUntil)
        return terms.rateUntil
    }

    private func average(of points: UInt64) -> CourseAverage {
        CourseAverage(overall: points, criteria: [UInt64](repeating: points, count: 5))
    }

    @Test func `averages all rounds and criteria, rounded down`() throws {
        var run = try CourseRun()
        let (terms, teacher) = (CourseRun.terms, CourseModel.teacher)
        for (round, points) in [[100, 100, 100, 100, 99], [0, 0, 0, 0, 1]].enumerated() {
            let (round, shift) = (UInt64(round), Duration.days(Int64(round) * 60))
            let start = terms.start.advanced(by: shift)
            let student = Samples.key("student \(round)").address
            try run.make(.enrol, round, by: student, at: ChainTime(seconds: start.seconds - 1))
            try run.make(.begin, round, by: teacher, at: start)
            try run.make(.evaluate, round, by: student, points.map { UInt64($0) }, at: start)
            let until = terms.rateUntil.advanced(by: shift)
            try run.make(.settle, round, by: student, at: until)
            guard round == 0 else { continue }
            var next = terms
            next.start = terms.start.advanced(by: .days(60))
            next.end = terms.end.advanced(by: .days(60))
            try run.make(.repeat, 1, by: teacher, terms: next, at: until)
        }
        #expect(run.course.rounds.map { $0.settlement?.average } == [99, 50])
        #expect(run.course.rating == CourseRating(points: [100, 100, 100, 100, 100], raters: 2))
    }

    @Test(arguments: 0..<32 as Range<UInt64>)
    func `payouts sum to the payment at any price`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let bits = Int.random(in: 1...128, using: &random)
            let wide = BigUInt(random.next()) << 64 | BigUInt(random.next())
            let price = wide >> (128 - bits) | 1
            let enrolled = UInt64.random(in: 0...10_000, using: &random)
            let raters = UInt64.random(in: 0...min(enrolled, 20), using: &random)
            let points = (0..<raters).map { _ in UInt64.random(in: 0...100, using: &random) }
            let settlement = try settle(price: price, enrolled: enrolled, points: points)
            let total = price * BigUInt(enrolled)
            let teacher = settlement.payout.teacher.units
            #expect(teacher + settlement.payout.platform.units == total)
            #expect(teacher >= total - total / 10)
            #expect(settlement.incentive.units * 100 <= total / 10 * 15 + 50)
        }
    }

    @Test func `points are five numbers up to 100; a rating's sums fit its raters`() {
        #expect(CoursePoints([0, 0, 0, 0, 100])?.values == [0, 0, 0, 0, 100])
        #expect(CoursePoints([0, 0, 0, 0, 101]) == nil)
        #expect(CoursePoints([0, 0, 0, 0]) == nil && CoursePoints([0, 0, 0, 0, 0, 0]) == nil)
        #expect(CourseRating(points: [100, 100, 100, 100, 101], raters: 1) == nil)
        #expect(CourseRating(points: [0, 0, 0, 0], raters: 0) == nil)
        #expect(CourseRating(points: [0, 0, 0, 0, 0], raters: 0) == CourseRating())
        let tooMany = CourseRating(points: [0, 0, 0, 0, 0], raters: 50_001)
        #expect(tooMany == nil)
    }

    /// Settles a round in which each rater gives the same points for every criterion.
    private func settle(
        price: BigUInt,
        enrolled: UInt64,
        points: [UInt64]
    ) throws -> CourseSettlement {
        let raters = UInt64(points.count)
        return CourseSettlement(
            price: ItemSamples.amount(price),
            enrolled: enrolled,
            raters: raters,
            average: raters == 0 ? 0 : points.reduce(0, +) / raters
        )
    }
}
