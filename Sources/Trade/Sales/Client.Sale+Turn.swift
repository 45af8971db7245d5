import Client
import Foundation
import Texts

/// The side whose turn it is in a sale, as the API shows it.
extension Client.Sale {
    private enum Side {
        case seller, buyer, both, arbiter, students, anybody, nobody
    }

    /// Fills in whose turn it is, once the steps of the account are.
    mutating func noteTurn(of account: String?) {
        let (side, task) = turnAndTask(for: account)
        isOwnTurn = isTurn(of: account, side)
        if side == .nobody, stage == "over", !nextSteps.isEmpty {
            turn = Sentence("turn.left")
        } else {
            turn = words(for: side, task)
        }
    }

    private func isTurn(of account: String?, _ side: Side) -> Bool {
        guard let account else { return false }
        return switch side {
        case .seller: account == seller
        case .buyer: account == buyer
        case .both: [seller, buyer].contains(account)
        case .arbiter: account == escrow?.terms.arbiter
        case .students:
            own == "student" && actions.contains { ["evaluate", "refund"].contains($0.move) }
        case .anybody, .nobody: false
        }
    }

    /// Returns the side whose turn it is, as an account sees it, and the code of its task.
    private func turnAndTask(for account: String?) -> (Side, String) {
        guard stage != "over" else {
            return isToBeSent == true ? (.seller, "turn.toSend") : (.nobody, "turn.over")
        }
        if let course { return turnAndTask(in: course) }
        // A deadline that has passed is not shown.
        let isLate = deadline == nil
        return switch phase {
        case "paid" where isLate: (.anybody, "turn.giveBack")
        case "paid" where actions.contains { $0.releasesWork }: (.seller, "turn.toRelease")
        case "paid": (.seller, "turn.toSend")
        case "transferred" where isLate: (.anybody, "turn.complete")
        case "transferred": (.buyer, "turn.toConfirm")
        case "disputed" where isLate: (.anybody, "turn.executeDefault")
        case "disputed" where escrow?.isTaken == true: (.arbiter, "turn.toRule")
        case "disputed": (sideToAgree(for: account), "turn.toAgree")
        case "bid" where isLate: (.anybody, "turn.endAuction")
        case _ where auction != nil && !isLate: (.anybody, "turn.bid")
        case _ where isLate: (.seller, "turn.toWithdraw")
        default: (.anybody, "turn.buy")
        }
    }

    /// Returns the side that an open proposal waits for; both sides if there is none, or if the
    /// account has no part in it.
    private func sideToAgree(for account: String?) -> Side {
        let canAgree = actions.contains { $0.move == "agree" }
        let waits = actions.contains { $0.move == "withdraw_proposal" }
        guard canAgree != waits, account == seller || account == buyer else { return .both }
        return (account == seller) == canAgree ? .seller : .buyer
    }

    private func turnAndTask(in course: Course) -> (Side, String) {
        guard let round = course.rounds.last else { return (.nobody, "turn.noRound") }
        let now = asOf?.timeIntervalSince1970 ?? 0
        let hasStarted = now >= Double(round.terms.startsAt)
        let hasEnded = now >= Double(round.terms.endsAt)
        return switch round.phase {
        case "open" where deadline == nil && hasStarted: (.anybody, "turn.cancel")
        case "open" where hasStarted: (.seller, "turn.toBegin")
        case "open" where round.enrolled >= round.terms.seats: (.nobody, "turn.full")
        case "open": (.anybody, "turn.enrol")
        case "begun" where hasEnded && deadline == nil: (.anybody, "turn.settle")
        case "begun" where hasEnded: (.students, "turn.toRate")
        case "begun": (.seller, "turn.toTeach")
        case "cancelled": (.students, "turn.toGetBack")
        default: (.seller, "turn.toRepeat")
        }
    }

    private func words(for side: Side, _ task: String) -> Sentence {
        func of(_ role: String, _ account: String?) -> Sentence {
            guard let account else {
                return Sentence("turn.ofRole", ["role": role, "task": task])
            }
            guard !isOwnTurn else { return Sentence("turn.yours", ["task": task]) }
            return Sentence("turn.of", ["role": role, "account": account, "task": task])
        }
        return switch side {
        case .seller: of(course == nil ? "role.seller" : "role.teacher", seller)
        case .buyer: of("role.buyer", buyer)
        case .arbiter: of("role.arbiter", escrow?.terms.arbiter)
        case .both:
            isOwnTurn
                ? Sentence("turn.yoursAndOthers", ["task": task])
                : Sentence("turn.ofBoth", ["task": task])
        case .students:
            isOwnTurn
                ? Sentence("turn.yours", ["task": task])
                : Sentence("turn.ofStudents", ["task": task])
        case .anybody: Sentence("turn.anybodys", ["task": task])
        case .nobody: Sentence("turn.nobodys", ["task": task])
        }
    }
}
