package import Answers
package import Client
import Contracts
import Ethereum
package import Keys
package import Market
import Setup

extension CourseSales {
    package func actions(
        in sale: Market.Sale,
        for account: Address,
        at time: ChainTime
    ) -> [SaleAction] {
        state(of: sale).actions(for: account, at: time).moves.map {
            SaleAction(
                move: $0.move.action.name,
                round: $0.move.round,
                until: $0.before?.date,
                consequence: $0.consequence
            )
        }
    }

    package func check(_ request: Client.SaleMove) throws(Refusal) {
        try ItemSales.check(
            request,
            moves: Self.moves.filter { $0 != Self.purchaseName },
            purchase: Self.purchaseName,
            haveDetails: true
        )
        let action = CourseMove.Action(rawValue: request.move)
        if let field = request.details.first(where: { !takes($0, in: action) }) {
            throw Refusal(
                .malformedValue,
                Sentence("refusal.moveHasNo", ["move": request.move, "field": field.quoted]),
                field: field
            )
        }
        if request.move == CourseMove.Action.evaluate.name { _ = try points(of: request) }
        if request.move == CourseMove.Action.repeat.name, request.course == nil {
            throw Refusal(.malformedValue, Sentence("refusal.giveRound"), field: "course")
        }
    }

    /// Whether a move of this kind can have a field, see `details`.
    private func takes(_ field: String, in action: CourseMove.Action?) -> Bool {
        switch field {
        case "points": action == .evaluate
        case "price", "course": action == .repeat
        default: true
        }
    }

    package func move(
        _ request: Client.SaleMove,
        in sale: Market.Sale,
        by account: Address,
        at time: ChainTime,
        requireAnswerable: () throws(Refusal) -> Void
    ) throws(Refusal) -> PlannedMove {
        let state = state(of: sale)
        var outlook = state.actions(for: account, at: time)
        if let round = request.round {
            let moves = outlook.moves.filter {
                $0.move.round == round || $0.move.action.name != request.move
            }
            outlook = CourseOutlook(role: outlook.role, moves: moves, next: outlook.next)
        }
        if let refusal = state.refusal(of: request.move, by: account, at: time) { throw refusal }
        let open = try ItemSales.open(
            request.move,
            in: outlook,
            of: state,
            at: time,
            name: \.action.name,
            requireAnswerable: requireAnswerable
        )
        var preview = ActionPreview(
            action: request.move,
            subject: sale.id.description,
            round: open.move.round,
            summary: open.consequence
        )
        let call = try call(open.move, request, in: state, by: account, at: time, &preview)
        return PlannedMove(call: call, preview: preview)
    }

    private func call(
        _ move: CourseMove,
        _ request: Client.SaleMove,
        in state: Course,
        by account: Address,
        at time: ChainTime,
        _ preview: inout ActionPreview
    ) throws(Refusal) -> ContractCall {
        let (id, round) = (state.reference.id, move.round)
        let terms = (state.round(round) ?? state.current).terms
        switch move.action {
        case .begin:
            preview.expect(
                state.settlement.payout.teacher,
                terms.currency,
                Sentence("course.onceSettled"),
                from: terms.rateUntil
            )
            return contract.begin(id, round: round, terms: terms)
        case .cancel: return contract.cancel(id, round: round, terms: terms)
        case .leave:
            preview.expect(terms.price, terms.currency, .credit)
            return contract.leave(id, round: round, terms: terms)
        case .settle:
            if account == state.teacher {
                preview.expect(state.settlement.payout.teacher, terms.currency, .credit)
            }
            return contract.settle(id, round: round, terms: terms)
        case .refund:
            preview.expect(terms.price, terms.currency, .credit)
            return contract.refund(id, round: round, terms: terms)
        case .evaluate:
            if time < terms.end {
                let times = ["end": terms.end.value, "until": terms.rateUntil.value]
                preview.warnings.append(Sentence("course.stillRunning", times))
            }
            return try evaluation(move, request, of: terms, in: state, &preview)
        case .repeat:
            return try repetition(move, request, after: terms, in: state, at: time, &preview)
        case .open, .enrol:
            preconditionFailure("neither is made by a move, see check(_:)")
        }
    }

    private func evaluation(
        _ move: CourseMove,
        _ request: Client.SaleMove,
        of terms: Market.CourseTerms,
        in state: Course,
        _ preview: inout ActionPreview
    ) throws(Refusal) -> ContractCall {
        let points = try points(of: request)
        let marks = zip(CoursePoints.Criterion.allCases, points.values)
            .map { ($0.rawValue, "\($1)") }
        preview.summary = [
            Sentence("course.youRate", Dictionary(marks + [("round", "\(move.round)")]) { $1 })
        ]
        return contract.evaluate(
            state.reference.id,
            round: move.round,
            terms: terms,
            points: points
        )
    }

    /// Returns the call that begins another round, whose number is the move's.
    private func repetition(
        _ move: CourseMove,
        _ request: Client.SaleMove,
        after terms: Market.CourseTerms,
        in state: Course,
        at time: ChainTime,
        _ preview: inout ActionPreview
    ) throws(Refusal) -> ContractCall {
        let price = request.price ?? Money(terms.price, terms.currency)
        guard let wanted = request.course else { preconditionFailure("checked before") }
        let next = try self.terms(wanted, price: price, at: time)
        guard next.currency == terms.currency else {
            throw Refusal(.badTerms, Sentence("refusal.courseCurrency"), field: "price.currency")
        }
        preview.summary = [
            Sentence(
                "course.youRepeat",
                [
                    "round": "\(move.round)", "seats": "\(next.seats)",
                    "price": money(next.price, in: next.currency),
                ]
            )
        ]
        preview.deadline = Client.Sale.Deadline(
            CourseDeadline(at: next.start, effect: .beginOpens).described
        )
        preview.expect(
            next.price.portion(basisPoints: 9_000) ?? .zero,
            next.currency,
            Sentence("course.forEachStudent"),
            from: next.rateUntil
        )
        return contract.repeat(state.reference.id, terms: next)
    }

    private func points(of request: Client.SaleMove) throws(Refusal) -> CoursePoints {
        guard let points = CoursePoints(request.points ?? []) else {
            throw Refusal(.malformedValue, Sentence("refusal.fivePoints"), field: "points")
        }
        return points
    }
}

extension Course {
    /// The reason why a move of a party is not open yet or any longer, in a course's own words;
    /// `nil` for every other reason.
    fileprivate func refusal(
        of move: String,
        by account: Address,
        at time: ChainTime
    ) -> Refusal? {
        let terms = current.terms
        let isTeacher = account == teacher
        guard role(of: account) != .stranger else { return nil }
        let reason: Sentence? =
            switch (CourseMove.Action(rawValue: move), current.status) {
            case (.begin, .open) where time < terms.start:
                Sentence(
                    isTeacher ? "refusal.courseStarts" : "refusal.teacherBegins",
                    ["start": terms.start.value]
                )
            case (.begin, .open) where time >= terms.beginUntil:
                Sentence("refusal.beginTooLate", ["end": terms.beginUntil.value])
            case (.leave, .open) where time >= terms.leaveUntil:
                Sentence(
                    "refusal.leaveTooLate",
                    ["end": terms.leaveUntil.value, "start": terms.start.value]
                )
            case (.settle, .begun) where time < terms.rateUntil:
                Sentence("refusal.settleTooEarly", ["end": terms.rateUntil.value])
            case (.evaluate, .begun) where current.students[account]?.points != nil:
                Sentence("refusal.ratedAlready")
            case (.evaluate, .begun) where time >= terms.rateUntil:
                Sentence("refusal.rateTooLate", ["end": terms.rateUntil.value])
            default: nil
            }
        return reason.map { Refusal(.moveNotOpen, $0) }
    }
}
