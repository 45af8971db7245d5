import AccountAccess
import Answers
package import Client
import Foundation
package import Keys
import Market
import Storage

extension StudentLists {
    /// The maximum number of sessions of a round.
    static let sessionsMax: UInt64 = 1_000
    /// The maximum number of accounts that are marked with one call.
    static let marksMax = 1_000
    /// The maximum number of notes of one call, and the maximum bytes of one note.
    static let notesMax = 100
    static let noteBytesMax = 1_000
    /// The maximum number of entries of a list: every seat of the largest round, and as many
    /// applicants.
    static let entriesMax = 20_000

    /// Returns one page of a list: the students in the order of their enrolment, then the
    /// applicants without a seat.
    ///
    /// - Parameters:
    ///   - id: The course's sale.
    ///   - round: The number of the round; the last one if it is `nil`.
    ///   - account: The teacher.
    ///   - after: The `next` of the previous page.
    ///   - limit: The maximum number of entries.
    /// - Returns: The entries.
    /// - Throws: ``Refusal``: `unknown_sale`, `not_found`, `not_your_sale`, `malformed_value`,
    ///   `needs_unlock`.
    package func attendance(
        of id: String,
        round: UInt64? = nil,
        by account: Address,
        after: String? = nil,
        limit: Int
    ) async throws -> Page<Client.Attendance> {
        let list = try await list(id, round: round, of: account)
        let place = try after.map { try PageCursor(entered: $0) }
        return try store.read { transaction in
            var (page, next) = list.view.round.students.keys.page(after: place, limit: limit) {
                list.view.place(of: $0)
            }
            if next == nil {
                let others = try list.applicants(in: transaction)
                let room = limit - page.count
                let (found, rest) = others.page(after: place, limit: max(1, room)) {
                    list.view.place(of: $0)
                }
                page += room > 0 ? found : []
                next = room > 0 || found.isEmpty ? rest : page.last.map(list.view.place)
            }
            let shown = try page.map { student in
                Client.Attendance(
                    student,
                    name: try transaction.profileName(of: student),
                    in: list.view,
                    try list.entry(of: student, in: transaction)
                )
            }
            return Page(items: shown, next: next?.text)
        }
    }

    /// Changes a list.
    ///
    /// - Parameters:
    ///   - marks: The changes, with whole addresses.
    ///   - id: The course's sale.
    ///   - account: The teacher.
    /// - Throws: ``Refusal`` as ``attendance(of:round:by:after:limit:)``, and `bad_address`;
    ///   ``StorageError`` while there is no room for more.
    package func mark(
        _ marks: AttendanceMarks,
        of id: String,
        by account: Address
    ) async throws {
        let list = try await list(id, round: marks.round, of: account)
        let changes = try AttendanceChanges(marks, in: list.view)
        try await store.write(isAddition: changes.areAdditions) { transaction in
            // The account may have been removed since.
            guard try transaction.contains(AccountEntries.self, account) else { return }
            for (student, change) in changes.byStudent {
                try list.change(student, in: &transaction, change)
            }
            guard try list.count(in: transaction) <= Self.entriesMax else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.attendanceFull", ["most": "\(Self.entriesMax)"]),
                    field: "notes"
                )
            }
        }
    }

    private func list(
        _ id: String,
        round: UInt64?,
        of account: Address
    ) async throws -> SealedAttendance {
        let view = try CourseRoundView(of: try saleIndexes.view(entered: id).sale, round: round)
        guard view.course.teacher == account else {
            throw Refusal(.notYourSale, Sentence("refusal.teachersList"))
        }
        guard let secret = await accounts.localSecret(of: account) else {
            throw Refusal.locked(account)
        }
        return SealedAttendance(account: account, view: view, seal: LocalSeal(secret))
    }
}
