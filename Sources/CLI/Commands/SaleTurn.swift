import Client
import Foundation

/// Whose turn it is in a sale.
enum SaleTurn {
    private enum Side {
        case seller, buyer, both, arbiter, students, anybody, nobody
    }

    /// Formats whose turn it is, and for what.
    static func line(_ sale: Sale, _ names: Names) -> String {
        let (side, task) = turn(in: sale)
        return "turn       " + words(for: side, task, sale, names)
    }

    private static func turn(in sale: Sale) -> (Side, String) {
        guard sale.stage != "over" else { return (.nobody, "it is over") }
        if let course = sale.course { return turn(in: course, of: sale) }
        // A deadline that has passed is not shown.
        let isLate = sale.deadline == nil
        return switch sale.phase {
        case "paid" where isLate:
            (.anybody, "give the buyer's money back: nothing was sent in time")
        case "paid": (.seller, "to send it")
        case "transferred" where isLate: (.anybody, "complete it")
        case "transferred": (.buyer, "to confirm or dispute")
        case "disputed" where isLate: (.anybody, "end the dispute by its default")
        case "disputed" where sale.escrow?.isTaken == true:
            (.arbiter, "to rule; the two sides can still agree")
        case "disputed": (.both, "to agree how the price is split")
        case "bid" where isLate: (.anybody, "end the auction")
        case _ where sale.auction != nil && !isLate: (.anybody, "bid")
        case _ where isLate: (.seller, "to withdraw it")
        default: (.anybody, "buy it")
        }
    }

    private static func turn(in course: Sale.Course, of sale: Sale) -> (Side, String) {
        guard let round = course.rounds.last else { return (.nobody, "it has no round") }
        let now = sale.asOf?.timeIntervalSince1970 ?? 0
        let hasStarted = now >= Double(round.terms.startsAt)
        let hasEnded = now >= Double(round.terms.endsAt)
        return switch round.phase {
        case "open" where sale.deadline == nil && hasStarted: (.anybody, "cancel it")
        case "open" where hasStarted: (.seller, "to begin it")
        case "open": (.anybody, "enrol")
        case "begun" where hasEnded && sale.deadline == nil: (.anybody, "divide its money")
        case "begun" where hasEnded: (.students, "to rate it")
        case "begun": (.seller, "to teach it")
        case "cancelled": (.students, "to get the price back")
        default: (.seller, "to open another round")
        }
    }

    private static func words(
        for side: Side,
        _ task: String,
        _ sale: Sale,
        _ names: Names
    ) -> String {
        let own = names.own
        func of(_ role: String, _ account: String?) -> String {
            if let account, account == own { return "yours, " + task }
            return "of the \(role)\(account.map { ", \(names.text($0))" } ?? ""), " + task
        }
        return switch side {
        case .seller: of(sale.course == nil ? "seller" : "teacher", sale.seller)
        case .buyer: of("buyer", sale.buyer)
        case .arbiter: of("arbiter", sale.escrow?.terms.arbiter)
        case .both:
            ([sale.seller, sale.buyer].contains(own)
                ? "yours and the other side's, " : "of both sides, ") + task
        case .students: "of the students, " + task
        case .anybody: "nobody's: anybody can " + task
        case .nobody: "nobody's: " + task
        }
    }
}
