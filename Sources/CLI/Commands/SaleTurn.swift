import Client
import Foundation
import Texts

/// Whose turn it is in a sale.
enum SaleTurn {
    private enum Side {
        case seller, buyer, both, arbiter, students, anybody, nobody
    }

    /// Formats whose turn it is, and for what; `isLeft` says that steps for the account follow.
    static func line(_ sale: Sale, _ names: Names, isLeft: Bool = false) -> String {
        let (side, task) = turn(in: sale)
        if isLeft, side == .nobody, sale.stage == "over" {
            return "turn       " + SentencePatterns.english.text("turn.left", [:])
        }
        return "turn       " + words(for: side, task, sale, names)
    }

    /// The side, and the code of its task.
    private static func turn(in sale: Sale) -> (Side, String) {
        guard sale.stage != "over" else {
            return sale.isToBeSent == true ? (.seller, "turn.toSend") : (.nobody, "turn.over")
        }
        if let course = sale.course { return turn(in: course, of: sale) }
        // A deadline that has passed is not shown.
        let isLate = sale.deadline == nil
        return switch sale.phase {
        case "paid" where isLate:
            (.anybody, "turn.giveBack")
        case "paid" where sale.actions.contains { $0.releasesWork }: (.seller, "turn.toRelease")
        case "paid": (.seller, "turn.toSend")
        case "transferred" where isLate: (.anybody, "turn.complete")
        case "transferred": (.buyer, "turn.toConfirm")
        case "disputed" where isLate: (.anybody, "turn.executeDefault")
        case "disputed" where sale.escrow?.isTaken == true:
            (.arbiter, "turn.toRule")
        case "disputed": (.both, "turn.toAgree")
        case "bid" where isLate: (.anybody, "turn.endAuction")
        case _ where sale.auction != nil && !isLate: (.anybody, "turn.bid")
        case _ where isLate: (.seller, "turn.toWithdraw")
        default: (.anybody, "turn.buy")
        }
    }

    private static func turn(in course: Sale.Course, of sale: Sale) -> (Side, String) {
        guard let round = course.rounds.last else { return (.nobody, "turn.noRound") }
        let now = sale.asOf?.timeIntervalSince1970 ?? 0
        let hasStarted = now >= Double(round.terms.startsAt)
        let hasEnded = now >= Double(round.terms.endsAt)
        return switch round.phase {
        case "open" where sale.deadline == nil && hasStarted: (.anybody, "turn.cancel")
        case "open" where hasStarted: (.seller, "turn.toBegin")
        case "open" where round.enrolled >= round.terms.seats: (.nobody, "turn.full")
        case "open": (.anybody, "turn.enrol")
        case "begun" where hasEnded && sale.deadline == nil: (.anybody, "turn.settle")
        case "begun" where hasEnded: (.students, "turn.toRate")
        case "begun": (.seller, "turn.toTeach")
        case "cancelled": (.students, "turn.toGetBack")
        default: (.seller, "turn.toRepeat")
        }
    }

    private static func words(
        for side: Side,
        _ task: String,
        _ sale: Sale,
        _ names: Names
    ) -> String {
        let texts = SentencePatterns.english
        let own = names.own
        func of(_ role: String, _ account: String?) -> String {
            guard let account else {
                return texts.text("turn.ofRole", ["role": role, "task": task])
            }
            guard account != own else { return texts.text("turn.yours", ["task": task]) }
            return texts.text(
                "turn.of",
                ["role": role, "account": names.text(account), "task": task]
            )
        }
        return switch side {
        case .seller: of(sale.course == nil ? "role.seller" : "role.teacher", sale.seller)
        case .buyer: of("role.buyer", sale.buyer)
        case .arbiter: of("role.arbiter", sale.escrow?.terms.arbiter)
        case .both:
            texts.text(
                [sale.seller, sale.buyer].contains(own) ? "turn.yoursAndOthers" : "turn.ofBoth",
                ["task": task]
            )
        case .students: texts.text("turn.ofStudents", ["task": task])
        case .anybody: texts.text("turn.anybodys", ["task": task])
        case .nobody: texts.text("turn.nobodys", ["task": task])
        }
    }
}

extension Sale {
    /// Whether it ends with its payment, so that no move says that the item was sent.
    var endsWithPayment: Bool { escrow == nil && course == nil }
}
