package import Texts

extension Course {
    /// Describes the consequence of a move, for the person who is about to sign it.
    package func consequence(of move: CourseMove) -> Sentence {
        let round = round(move.round) ?? current
        let terms = round.terms
        func money(_ amount: Amount) -> String {
            amount.value(in: terms.currency, on: reference.contract.chain)
        }
        let price = ["price": money(terms.price)]
        return switch move.action {
        case .open, .repeat: Sentence("course.open")
        case .enrol:
            Sentence("course.enrol", ["price": money(terms.price), "begin": terms.beginTime.value])
        case .leave: Sentence("course.leave", price)
        case .begin:
            Sentence(
                "course.begin",
                ["students": "\(round.enrolled)", "rating": terms.ratingWindow.value]
            )
        case .cancel: Sentence("course.cancel")
        case .refund: Sentence("course.refund", price)
        case .evaluate: Sentence("course.evaluate")
        case .settle:
            Sentence(
                "course.settle",
                [
                    "teacher": money(settlement.payout.teacher),
                    "platform": money(settlement.payout.platform),
                ]
            )
        }
    }
}
