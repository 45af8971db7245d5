package import Texts

extension Course {
    /// Describes the consequence of a move, for the person who is about to sign it.
    package func consequence(of move: CourseMove) -> [Sentence] {
        [Sentence(stringLiteral: words(of: move))]
    }

    private func words(of move: CourseMove) -> String {
        let round = round(move.round) ?? current
        let terms = round.terms
        return switch move.action {
        case .open, .repeat:
            "A new round opens, under its own terms. Students pay when they enrol."
        case .enrol:
            """
            You send \(text(terms.price, in: round)) for a seat. You can leave until 24 hours before \
            the start and get it back. If the teacher does not begin \
            within \(terms.beginTime.inWords) from the start, anyone can cancel and you get it \
            back. Once the teacher has begun, nothing is returned: at least 90 % goes to the \
            teacher whatever the evaluations are.
            """
        case .leave:
            """
            You give your seat back and are credited \(text(terms.price, in: round)), which you can \
            collect. You can enrol again as long as a seat is free.
            """
        case .begin:
            """
            The round begins with \(round.enrolled) students. They can rate it until \
            \(terms.ratingWindow.inWords) after its end; then you are paid.
            """
        case .cancel: "The round does not take place. Each student can get the price back."
        case .refund: "You are credited \(text(terms.price, in: round)) and can collect it."
        case .evaluate: "You rate the round with five numbers from 0 to 100. It is final."
        case .settle: settleText(round)
        }
    }

    private func settleText(_ round: CourseRound) -> String {
        let payout = settlement.payout
        return """
            The round ends. The teacher is credited \(text(payout.teacher, in: round)), the \
            platform \(text(payout.platform, in: round)).
            """
    }

    private func text(_ amount: Amount, in round: CourseRound) -> String {
        PriceText.text(amount, in: round.terms.currency, on: reference.contract.chain)
    }
}
