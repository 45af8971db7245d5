package import Answers
package import Client
package import Contracts
package import Ethereum
import Foundation
package import Keys
package import Market

/// A node's service for the courses of one contract.
package struct CourseSales: ContractSales {
    package typealias State = Course
    package typealias Contract = CoursesContract

    package static let moves: [String] = [
        CourseMove.Action.enrol, .leave, .begin, .cancel, .refund, .evaluate, .settle, .repeat,
    ].map(\.name)
    package static let purchaseName = CourseMove.Action.enrol.name
    package static let goodsWarning: Sentence? = nil
    package static let sellsItem = false
    package static let needsRound = true
    package static let hasMovingPrice = true
    /// The maximum number of students of a round that are shown one by one.
    static let shownStudentsMax = 1_000
    package static let reviewCondition = Sentence("refusal.reviewOnceRated")
    package static let reviewers = Sentence("refusal.reviewByRaters")

    package let deployed: DeployedMarket.Contract
    package let market: DeployedMarket

    package init(contract deployed: DeployedMarket.Contract, in market: DeployedMarket) {
        (self.deployed, self.market) = (deployed, market)
    }

    package func withdrawal(
        of sale: Market.Sale,
        at time: ChainTime
    ) -> (call: ContractCall, returned: Amount) {
        let state = state(of: sale)
        let (round, terms) = (state.lastRound, state.current.terms)
        return (contract.cancel(sale.id, round: round, terms: terms), .zero)
    }

    package func refusal(
        of request: Client.Purchase,
        by buyer: Address,
        in sale: Market.Sale
    ) -> Refusal? {
        if let refusal = request.bidRefusal { return refusal }
        let state = state(of: sale)
        if let round = request.round, round != state.lastRound {
            return Refusal(
                .notAsPromised,
                Sentence(
                    "refusal.otherRound",
                    ["round": "\(state.lastRound)", "wanted": "\(round)"]
                ),
                field: "round"
            )
        }
        guard state.current.students[buyer] != nil else { return nil }
        return Refusal(.moveNotOpen, Sentence("refusal.enrolledAlready"), field: "listing")
    }

    package func purchase(_ request: Client.Purchase, of sale: Market.Sale) -> PaidCall {
        let state = state(of: sale)
        let terms = state.current.terms
        return PaidCall(
            call: contract.enrol(sale.id, round: state.lastRound, terms: terms),
            amount: terms.price,
            currency: terms.currency,
            gas: ItemSales.purchaseGas
        )
    }

    package func describePurchase(
        _ request: Client.Purchase,
        of sale: Market.Sale,
        by buyer: Address,
        at time: ChainTime,
        in preview: inout ActionPreview
    ) {
        let state = state(of: sale)
        let terms = state.current.terms
        preview.round = state.lastRound
        let names = ["round": "\(state.lastRound)", "teacher": state.teacher.checksummed]
        preview.summary = [
            preview.sale?.title.map { title in
                Sentence("course.youEnrolIn", names.merging(["title": title]) { $1 })
            } ?? Sentence("course.youEnrol", names)
        ]
        preview.deadline = Client.Sale.Deadline(
            CourseDeadline(at: terms.beginUntil, effect: .cancelOpens).described
        )
        preview.explanation += [
            state.consequence(of: CourseMove(.enrol, round: state.lastRound)),
            Sentence(
                "course.takesPlace",
                [
                    "start": terms.start.value, "end": terms.end.value,
                    "seats": "\(terms.seats)",
                ]
            ),
        ]
        if state.lastRound > 0 {
            preview.warnings.append(Sentence("course.laterRound", ["round": "\(state.lastRound)"]))
        }
        let raters = state.rating.raters
        let values = ["times": "\(raters)", "average": "\(state.average.overall)"]
        preview.explanation.append(
            raters > 0 ? Sentence("course.rated", values) : Sentence("course.notRated")
        )
        if time >= terms.leaveUntil { preview.warnings.append(Sentence("course.startsSoon")) }
        preview.pay("price", terms.price, terms.currency)
        preview.expect(
            terms.price,
            terms.currency,
            Sentence("course.ifCancelled"),
            from: terms.beginUntil
        )
    }

    package func closing(of sale: Market.Sale, at time: ChainTime) -> Sentence? {
        let round = state(of: sale).current
        guard round.status == .open else { return nil }
        if time >= round.terms.start { return Sentence("refusal.timeEnded") }
        return round.freeSeats == 0 ? Sentence("refusal.noSeatFree") : nil
    }

    package func show(
        _ sale: Market.Sale,
        at time: ChainTime,
        for account: Address?,
        in shown: inout Client.Sale
    ) {
        shown.course = Client.Sale.Course(state(of: sale), for: account)
    }
}

extension Client.Sale.Course {
    fileprivate init(_ course: Course, for account: Address?) {
        let rating = course.rating
        self.init(
            rounds: course.rounds.enumerated().map { number, round in
                Client.Sale.Round(UInt64(number), round, for: account, of: course)
            },
            average: rating.raters > 0 ? course.average.overall : nil,
            criteria: rating.raters > 0 ? Client.Sale.Criteria(course.average) : nil,
            raters: rating.raters
        )
    }
}

extension Client.Sale.Criteria {
    /// The averages, rounded down.
    fileprivate init(_ average: CourseAverage) {
        let averages = average.criteria
        self.init(
            preparation: averages[0],
            content: averages[1],
            delivery: averages[2],
            communication: averages[3],
            overall: averages[4]
        )
    }
}

extension Client.Sale.Round {
    fileprivate init(
        _ number: UInt64,
        _ round: CourseRound,
        for account: Address?,
        of course: Course
    ) {
        let student = account.flatMap { round.students[$0] }
        let showsStudents =
            account == course.teacher && number == course.lastRound
            && round.students.count <= CourseSales.shownStudentsMax
        self.init(
            number: number,
            phase: round.status.name,
            price: Money(round.terms.price, round.terms.currency),
            terms: Client.CourseTerms(round.terms),
            enrolled: round.enrolled,
            raters: round.raters,
            own: student.map(\.state),
            students: showsStudents ? round.students.keys.sorted().map(\.checksummed) : nil
        )
    }
}
