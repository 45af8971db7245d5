import Answers
import Client
import Contracts
import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

/// The moves in a course, without a chain.
struct CourseMoveTests {
    private static let (ana, bo, cy) = (CourseMarket.ana, CourseMarket.bo, CourseMarket.cy)
    private static let dee = CourseMarket.dee
    private static let (start, terms) = (CourseMarket.start, CourseMarket.terms)
    private static let points: [UInt64] = [90, 80, 70, 60, 50]

    private let sales: CourseSales
    private let open: CourseSteps
    private let begun: CourseSteps
    private let cancelled: CourseSteps
    private let contract = CoursesContract(address: CourseMarket.address)

    init() throws {
        let courses = try CourseMarket()
        sales = CourseSales(contract: courses.contract, in: courses.market)
        var steps = try CourseSteps(in: courses)
        try steps.make(.enrol, by: Self.bo)
        open = steps
        try steps.make(.cancel)
        cancelled = steps
        steps = open
        try steps.make(.begin, at: Self.terms.start)
        begun = steps
    }

    private func names(
        _ steps: CourseSteps,
        _ account: Address,
        at time: ChainTime
    ) -> [String] {
        sales.actions(in: steps.sale, for: account, at: time).map(\.move)
    }

    private func planned(
        _ move: Client.SaleMove,
        _ steps: CourseSteps,
        by account: Address,
        at time: ChainTime
    ) throws -> PlannedMove {
        try sales.check(move)
        return try sales.move(move, in: steps.sale, by: account, at: time) {}
    }

    private func refused(
        _ move: Client.SaleMove,
        _ steps: CourseSteps,
        by account: Address,
        at time: ChainTime
    ) -> Refusal? {
        #expect(throws: Refusal.self) { try planned(move, steps, by: account, at: time) }
    }

    private static func move(_ name: String) -> Client.SaleMove {
        switch name {
        case "evaluate": Client.SaleMove(move: name, points: points)
        case "repeat":
            Client.SaleMove(move: name, course: Client.CourseTerms(terms))
        default: Client.SaleMove(move: name)
        }
    }

    @Test func `shows each account exactly the moves that the contract accepts`() {
        let (before, start) = (Self.terms.start.earlier(by: 1), Self.terms.start)
        let late = Self.terms.beginUntil
        let expected: [(CourseSteps, Address, ChainTime, [String])] = [
            (open, Self.ana, before, ["cancel"]), (open, Self.bo, before, []),
            (open, Self.cy, before, ["enrol"]), (open, Self.ana, start, ["begin", "cancel"]),
            (open, Self.cy, start, []), (open, Self.ana, late, ["cancel"]),
            (open, Self.bo, late, ["cancel"]), (open, Self.dee, late, ["cancel"]),
            (begun, Self.ana, start, []), (begun, Self.bo, start, ["evaluate"]),
            (begun, Self.dee, start, []), (begun, Self.ana, Self.terms.rateUntil, ["settle"]),
            (begun, Self.bo, Self.terms.rateUntil, ["settle"]),
            (begun, Self.dee, Self.terms.rateUntil, ["settle"]),
            (cancelled, Self.ana, before, ["repeat"]), (cancelled, Self.bo, before, ["refund"]),
            (cancelled, Self.dee, before, []),
        ]
        for (steps, account, time, moves) in expected {
            #expect(names(steps, account, at: time) == moves)
        }
        let shown = sales.actions(in: begun.sale, for: Self.bo, at: Self.terms.start)
        #expect(shown.map(\.until) == [Self.terms.rateUntil.date] && shown[0].round == 0)
    }

    @Test func `a move calls the contract with its round and terms`() throws {
        let id = open.state.reference.id
        let points = try #require(CoursePoints(Self.points))
        let (start, rated, terms) = (Self.terms.start, Self.terms.rateUntil, Self.terms)
        let calls: [(String, CourseSteps, Address, ChainTime, ContractCall)] = [
            ("begin", open, Self.ana, start, contract.begin(id, round: 0, terms: terms)),
            ("cancel", open, Self.ana, start, contract.cancel(id, round: 0, terms: terms)),
            ("leave", open, Self.bo, Self.start, contract.leave(id, round: 0, terms: terms)),
            ("refund", cancelled, Self.bo, start, contract.refund(id, round: 0, terms: terms)),
            (
                "evaluate", begun, Self.bo, start,
                contract.evaluate(id, round: 0, terms: terms, points: points)
            ),
            ("settle", begun, Self.dee, rated, contract.settle(id, round: 0, terms: terms)),
            ("repeat", cancelled, Self.ana, Self.start, contract.repeat(id, terms: terms)),
        ]
        for (name, steps, account, time, call) in calls {
            let plan = try planned(Self.move(name), steps, by: account, at: time)
            #expect(plan.call.data == call.data && plan.call.value.isZero, "\(name)")
            #expect(plan.preview.action == name)
            #expect(plan.preview.leaves.isEmpty, "\(name)")
        }
        #expect(Set(calls.map(\.0)).union(["enrol"]) == Set(CourseSales.moves))
    }

    @Test func `a preview states the proceeds of a move`() throws {
        let start = Self.terms.start
        let refund = try planned(Self.move("refund"), cancelled, by: Self.bo, at: start).preview
        #expect(refund.comesBack.map(\.amount) == ["10007"] && refund.comesBack[0].from == nil)
        // 90 % of what was paid, rounded down in the teacher's favour.
        let opening = try planned(Self.move("begin"), open, by: Self.ana, at: start).preview
        #expect(opening.comesBack.map(\.amount) == ["9007"])
        #expect(opening.comesBack[0].from == Self.terms.rateUntil.date)
        let rateUntil = Self.terms.rateUntil
        let own = try planned(Self.move("settle"), begun, by: Self.ana, at: rateUntil).preview
        #expect(own.comesBack.map(\.amount) == ["9007"] && own.comesBack[0].from == nil)
        let others = try planned(Self.move("settle"), begun, by: Self.dee, at: rateUntil).preview
        #expect(others.comesBack.isEmpty)
        let rated = try planned(Self.move("evaluate"), begun, by: Self.bo, at: start).preview
        #expect(
            rated.summary.detail
                == "You rate the first round (0): preparation 90, content 80, delivery 70, communication 60, "
                + "overall 50. It is final and public."
        )
        #expect(rated.warnings.map(\.code) == ["course.stillRunning"])
        let ended = try planned(Self.move("evaluate"), begun, by: Self.bo, at: Self.terms.end)
        #expect(ended.preview.warnings.isEmpty)
        var other = Self.move("repeat")
        other.price = Money(amount: "50000", currency: "native")
        other.course?.seats = 9
        let again = try planned(other, cancelled, by: Self.ana, at: Self.start)
        #expect(again.preview.summary.detail.hasPrefix("You open round 1 with 9 seats at "))
        #expect(again.preview.deadline?.at == start.date)
        #expect(again.preview.comesBack.map(\.amount) == ["45000"])
        #expect(again.preview.comesBack[0].from == Self.terms.rateUntil.date)
        var terms = Self.terms
        (terms.price, terms.seats) = (Amount(small: 50_000), 9)
        let call = contract.repeat(open.state.reference.id, terms: terms)
        #expect(again.call.data == call.data)
    }

    /// - From people: a move in a course by another account, or too early or late → move_not_open,
    ///   not_your_sale
    @Test func `refuses moves by the wrong account or at the wrong time`() throws {
        let start = Self.terms.start
        let cases: [(String, CourseSteps, Address, ChainTime, ProblemCode)] = [
            ("begin", open, Self.ana, start.earlier(by: 1), .moveNotOpen),
            ("begin", open, Self.ana, Self.terms.beginUntil, .moveNotOpen),
            ("begin", open, Self.bo, start, .moveNotOpen),
            ("begin", open, Self.dee, start, .notYourSale),
            ("cancel", open, Self.dee, start, .notYourSale),
            ("cancel", begun, Self.ana, start, .moveNotOpen),
            ("evaluate", begun, Self.dee, start, .notYourSale),
            ("evaluate", begun, Self.ana, start, .moveNotOpen),
            ("evaluate", begun, Self.bo, Self.terms.rateUntil, .moveNotOpen),
            ("settle", begun, Self.ana, Self.terms.rateUntil.earlier(by: 1), .moveNotOpen),
            ("refund", cancelled, Self.dee, start, .moveNotOpen),
            ("refund", open, Self.bo, start, .moveNotOpen),
            ("repeat", open, Self.ana, Self.start, .moveNotOpen),
            ("repeat", cancelled, Self.bo, Self.start, .moveNotOpen),
        ]
        for (name, steps, account, time, code) in cases {
            let refusal = refused(Self.move(name), steps, by: account, at: time)
            #expect(refusal?.code == code, "\(name)")
        }
        let early = [
            ("begin", open, Self.ana, "The course starts at 20"),
            ("begin", open, Self.bo, "the teacher can 'begin' it then."),
            ("settle", begun, Self.ana, "Students can rate the round until"),
        ]
        for (name, steps, account, words) in early {
            let refusal = refused(Self.move(name), steps, by: account, at: start.earlier(by: 1))
            #expect(refusal?.code == .moveNotOpen && refusal?.detail.contains(words) == true)
        }
        let late = refused(Self.move("begin"), open, by: Self.ana, at: Self.terms.beginUntil)
        #expect(late?.detail.contains("Now anyone can 'cancel' it") == true)
        let sorted = ItemSales.likeliestFirst(["abort", "decline", "transfer"])
        #expect(sorted == ["transfer", "decline", "abort"])
        let close = Self.terms.beginUntil.earlier(by: 600)
        let refusal = refused(Self.move("begin"), open, by: Self.ana, at: close)
        #expect(refusal?.code == .moveNotOpen && refusal?.detail.contains("ten minutes") == true)
        var steps = begun
        try steps.make(.evaluate, by: Self.bo, points: Self.points, at: start)
        let again = refused(Self.move("evaluate"), steps, by: Self.bo, at: start)
        #expect(again?.code == .moveNotOpen && again?.reason?.first?.code == "refusal.ratedAlready")
        let notSent = ItemSales.likeliestFirst(["confirm", "propose"], last: "confirm")
        #expect(notSent == ["propose", "confirm"])
    }

    /// - From people: a refund of a round that is not cancelled, does not exist, or is refunded →
    ///   move_not_open
    @Test func `a refund applies to the round that it names, even after a repeat`() throws {
        var steps = cancelled
        try steps.make(.repeat)
        try steps.make(.enrol, by: Self.bo)
        let id = steps.state.reference.id
        let first = contract.refund(id, round: 0, terms: Self.terms).data
        for round in [nil, 0] as [UInt64?] {
            let move = Client.SaleMove(move: "refund", round: round)
            #expect(try planned(move, steps, by: Self.bo, at: Self.start).call.data == first)
        }
        for round in [1, 2, .max] as [UInt64] {
            let move = Client.SaleMove(move: "refund", round: round)
            let refusal = refused(move, steps, by: Self.bo, at: Self.start)
            #expect(refusal?.code == .moveNotOpen)
        }
        try steps.make(.cancel)
        let second = contract.refund(id, round: 1, terms: Self.terms).data
        let move = Client.SaleMove(move: "refund", round: 1)
        #expect(try planned(move, steps, by: Self.bo, at: Self.start).call.data == second)
        try steps.make(.refund, by: Self.bo, round: 0)
        let rest = Client.SaleMove(move: "refund")
        #expect(try planned(rest, steps, by: Self.bo, at: Self.start).call.data == second)
    }

    /// - From people: fewer or more than five points, or points above 100 → malformed_value
    @Test(
        arguments: [
            nil, [], [1, 2, 3, 4], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 101], [.max, 0, 0, 0, 0],
        ] as [[UInt64]?]
    )
    func `an evaluation needs five numbers from 0 to 100`(points: [UInt64]?) throws {
        let move = Client.SaleMove(move: "evaluate", points: points)
        let refusal = #expect(throws: Refusal.self) { try sales.check(move) }
        #expect(refusal?.code == .malformedValue && refusal?.field == "points")
        for value in [0, 100] as [UInt64] {
            let points = [UInt64](repeating: value, count: 5)
            try sales.check(Client.SaleMove(move: "evaluate", points: points))
        }
    }

    /// - From people: enrolling as a move; a move that no course has; a repeat without terms;
    ///   points, price or terms with a move that takes none → malformed_value
    @Test(arguments: [
        (Client.SaleMove(move: "enrol"), "move"), (Client.SaleMove(move: "open"), "move"),
        (Client.SaleMove(move: "buy"), "move"), (Client.SaleMove(move: ""), "move"),
        (Client.SaleMove(move: "begin", share: 1), "share"),
        (Client.SaleMove(move: "begin", until: 1), "until"),
        (Client.SaleMove(move: "begin", points: points), "points"),
        (Client.SaleMove(move: "settle", price: Money(amount: "1", currency: "native")), "price"),
        (Client.SaleMove(move: "cancel", course: Client.CourseTerms(terms)), "course"),
        (Client.SaleMove(move: "repeat"), "course"),
    ])
    func `refuses an unknown move of a course and names the field`(
        move: Client.SaleMove,
        field: String
    ) {
        let refused = #expect(throws: Refusal.self) { try sales.check(move) }
        #expect(refused?.code == .malformedValue && refused?.field == field)
    }

    /// - From people: a round, points, price or terms of a course with a move in another kind of
    ///   sale → malformed_value
    @Test func `refuses the fields of a course in moves of other kinds`() throws {
        let items = ItemMarket()
        let auctions = AuctionSales(contract: try items.contract(.auction), in: items.market)
        let escrows = EscrowSales(contract: try items.contract(.escrow), in: items.market)
        for (move, field) in [
            (Client.SaleMove(move: "abort", round: 0), "round"),
            (Client.SaleMove(move: "abort", points: Self.points), "points"),
            (Client.SaleMove(move: "abort", course: Client.CourseTerms(Self.terms)), "course"),
        ] {
            for check in [auctions.check, escrows.check] {
                let refused = #expect(throws: Refusal.self) { try check(move) }
                #expect(refused?.code == .malformedValue && refused?.field == field)
            }
        }
    }

    /// - From people: a round of a course in a currency other than that of the first round →
    ///   bad_terms
    @Test func `refuses another currency for a course and says why`() {
        var move = Self.move("repeat")
        move.price = Money(amount: "50000", currency: CourseMarket.token.checksummed)
        let refusal = refused(move, cancelled, by: Self.ana, at: Self.start)
        #expect(refusal?.code == .badTerms && refusal?.field == "price.currency")
        #expect(refusal?.detail.hasPrefix("A course keeps the currency of its first round") == true)
    }

    /// - From people: a new round whose terms are beyond their bounds → bad_terms, bad_amount
    @Test func `refuses the terms of a new round beyond their bounds`() {
        for (change, code, field) in [
            ({ $0.course?.seats = 0 }, .badTerms, "course.seats"),
            ({ $0.course?.startsAt = Self.start.seconds }, .badTerms, "course.startsAt"),
            ({ $0.course?.endsAt = 1 }, .badTerms, "course.endsAt"),
            ({ $0.price = Money(amount: "9999", currency: "native") }, .badTerms, "price"),
            ({ $0.price = Money(amount: "x", currency: "native") }, .badAmount, "price.amount"),
        ] as [((inout Client.SaleMove) -> Void, ProblemCode, String)] {
            var move = Self.move("repeat")
            change(&move)
            let refusal = refused(move, cancelled, by: Self.ana, at: Self.start)
            #expect(refusal?.code == code && refusal?.field == field)
        }
    }

    @Test func `refuses a move until the state of the course is final`() {
        for (name, steps, account) in [
            ("begin", open, Self.ana), ("evaluate", begun, Self.bo),
            ("refund", cancelled, Self.bo),
        ] {
            let refused = #expect(throws: Refusal.self) {
                try sales.move(
                    Self.move(name),
                    in: steps.sale,
                    by: account,
                    at: Self.terms.start
                ) { () throws(Refusal) in throw Refusal(.notFinalYet, forPrograms: "Not yet.") }
            }
            #expect(refused?.code == .notFinalYet)
        }
    }
}
