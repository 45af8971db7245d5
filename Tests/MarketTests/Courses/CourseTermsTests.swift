import BigInt
import Keys
import Market
import Testing

struct CourseTermsTests {
    private typealias Case = TermCase<CourseTerms>

    @Test(
        arguments: [
            Case(
                "price",
                beyond: { $0.price = Amount(small: 9_999) },
                within: { $0.price = Amount(small: 10_000) }
            ),
            Case(
                "price",
                beyond: { $0.price = ItemSamples.amount(BigUInt(1) << 128) },
                within: { $0.price = ItemSamples.amount(BigUInt(1) << 128 - 1) }
            ),
            Case("seats", beyond: { $0.seats = 0 }, within: { $0.seats = 1 }),
            Case("seats", beyond: { $0.seats = 10_001 }, within: { $0.seats = 10_000 }),
            Case("start", beyond: { $0.start = Samples.chainNow }, within: { $0.start = later(1) }),
            Case(
                "start",
                beyond: { ($0.start, $0.end) = (later(365 * 86_400 + 1), later(366 * 86_400)) },
                within: { ($0.start, $0.end) = (later(365 * 86_400), later(366 * 86_400)) }
            ),
            Case(
                "end",
                beyond: { $0.end = $0.start },
                within: { $0.end = $0.start.advanced(by: .seconds(1)) }
            ),
            Case(
                "end",
                beyond: { $0.end = $0.start.advanced(by: .seconds(365 * 86_400 + 1)) },
                within: { $0.end = $0.start.advanced(by: .days(365)) }
            ),
            Case(
                "beginGrace",
                beyond: { $0.beginGrace = .seconds(86_399) },
                within: { $0.beginGrace = .days(1) }
            ),
            Case(
                "beginGrace",
                beyond: { $0.beginGrace = .seconds(30 * 86_400 + 1) },
                within: { $0.beginGrace = .days(30) }
            ),
            Case(
                "ratingWindow",
                beyond: { $0.ratingWindow = .seconds(86_399) },
                within: { $0.ratingWindow = .days(1) }
            ),
            Case(
                "ratingWindow",
                beyond: { $0.ratingWindow = .seconds(60 * 86_400 + 1) },
                within: { $0.ratingWindow = .days(60) }
            ),
        ]
    )
    func `accepts each term at its limits, not beyond them`(
        term: TermCase<CourseTerms>
    ) throws {
        var (bad, good) = (CourseRun.terms, CourseRun.terms)
        term.beyond(&bad)
        term.within(&good)
        #expect(throws: SaleFault.wrongTerms(TermsFault(term: term.term))) { try CourseRun(bad) }
        #expect(try CourseRun(good).course.status == .open)
    }

    @Test func `the hash depends on every term`() {
        let changes: [(inout CourseTerms) -> Void] = [
            { $0.currency = .token(ItemSamples.platform) }, { $0.price = Amount(small: 1) },
            { $0.seats = 3 }, { $0.start = Self.later(1) }, { $0.end = Self.later(99) },
            { $0.beginGrace = .days(9) }, { $0.ratingWindow = .days(9) },
        ]
        let hashes = changes.map { change in
            var terms = CourseRun.terms
            change(&terms)
            return terms.hash
        }
        #expect(Set(hashes + [CourseRun.terms.hash]).count == changes.count + 1)
    }

    @Test func `refuses a course whose id is not its hash, or that begins late`() {
        var clock = EventClock()
        let model = CourseModel(CourseRun.terms)
        let lies: [(SaleFault, SaleID, UInt64)] = [
            (.wrongID, SaleID(.zero), 0), (.notListed, model.id, 1),
        ]
        for (fault, id, round) in lies {
            let opened = CourseModel.opened(CourseRun.terms, round: round, by: CourseModel.teacher)
            let position = clock.position(at: Samples.chainNow)
            #expect(throws: fault) {
                try Course(
                    opening: CourseEvent(sale: id, position: position, change: .opened(opened)),
                    contract: CourseModel.contract,
                    platform: CourseModel.platform
                )
            }
        }
    }

    private static func later(_ seconds: Int64) -> ChainTime {
        Samples.chainNow.advanced(by: .seconds(seconds))
    }
}
