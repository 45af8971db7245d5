package import AccountAccess
import Answers
package import Client
import Foundation
import Keys
import Market
import Records
package import Storage

/// The lists of the students of courses: the public part on the chain, and the teachers' private
/// part.
///
/// A teacher's entry is sealed under the teacher's key, like the node's data about chats, and so is
/// the student in it. It never leaves the node except in a backup.
package struct StudentLists: Sendable {
    let saleIndexes: SaleIndexes
    let store: Store
    let accounts: Accounts

    /// - Parameters:
    ///   - saleIndexes: Have the sales.
    ///   - store: Keeps the teachers' lists, and has the profiles.
    ///   - accounts: The accounts of this node, with the keys of teachers who are signed in.
    package init(saleIndexes: SaleIndexes, store: Store, accounts: Accounts) {
        (self.saleIndexes, self.store, self.accounts) = (saleIndexes, store, accounts)
    }

    /// Returns one page of the students of a round, those who enrolled first first.
    ///
    /// - Parameters:
    ///   - id: The course's sale.
    ///   - round: The number of the round; the last one if it is `nil`.
    ///   - after: The `next` of the previous page.
    ///   - limit: The maximum number of students.
    /// - Returns: The students, with the names in their profiles.
    /// - Throws: ``Refusal``: `unknown_sale`, `not_found`, `malformed_value`.
    package func students(
        of id: String,
        round: UInt64? = nil,
        after: String? = nil,
        limit: Int
    ) throws -> Page<Client.Student> {
        let found = try CourseRoundView(of: try saleIndexes.view(entered: id).sale, round: round)
        let place = try after.map { try PageCursor(entered: $0) }
        let (students, next) = found.round.students.page(after: place, limit: limit) {
            found.place(of: $0.key)
        }
        let shown = try store.read { transaction in
            try students.map { account, student in
                Client.Student(
                    account: account.checksummed,
                    name: try transaction.profileName(of: account),
                    round: found.number,
                    enrolledAt: student.enrolledAt.date,
                    state: student.state,
                    points: student.points?.values
                )
            }
        }
        return Page(items: shown, next: next?.text)
    }
}

/// One round of a course, as its lists show it.
struct CourseRoundView: Sendable {
    let course: Course
    let number: UInt64
    let round: CourseRound

    /// Finds a round; the last one if `number` is `nil`.
    ///
    /// - Throws: ``Refusal``: `not_found` for a sale of another kind, `malformed_value`.
    init(of sale: Market.Sale, round number: UInt64?) throws(Refusal) {
        guard let course = sale.state as? Course else {
            throw Refusal(.notFound, Sentence("refusal.noCourse"))
        }
        let number = number ?? course.lastRound
        guard let round = course.round(number) else {
            throw Refusal(
                .malformedValue,
                course.lastRound == 0
                    ? Sentence("refusal.onlyRound")
                    : Sentence("refusal.rounds", ["last": "\(course.lastRound)"]),
                field: "round"
            )
        }
        (self.course, self.number, self.round) = (course, number, round)
    }

    /// Returns the position of an account in the lists: by the time of its enrolment; an account
    /// without a seat comes after all others.
    func place(of account: Address) -> PageCursor {
        let seconds = round.students[account]?.enrolledAt.seconds ?? .max
        // The greatest position is shown first.
        return PageCursor(.max - seconds, id: account.word)
    }
}

extension CourseRound.Student {
    /// How far the student is, in the API's words.
    var state: String {
        if isRefunded { return "refunded" }
        return points == nil ? "enrolled" : "rated"
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// Returns the name in an account's own profile; `nil` without a profile or a name.
    func profileName(of account: Address) throws -> String? {
        try profile(of: account).map(\.profile.name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
