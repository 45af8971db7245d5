package import Keys

/// An event of the courses contract about one course, decoded, with its position.
package struct CourseEvent: MoneyEvent {
    /// The course, which is a sale with many buyers.
    package let sale: SaleID
    package let position: EventPosition
    package let change: Change

    package init(sale: SaleID, position: EventPosition, change: Change) {
        (self.sale, self.position, self.change) = (sale, position, change)
    }

    package var move: ReportedMove? {
        switch change {
        case .opened(let opened):
            ReportedMove(opened.round == 0 ? "list" : "repeat", by: opened.teacher)
        case .enrolled(let student, _, _): ReportedMove("enrol", by: student)
        case .left(let student, _, _): ReportedMove("leave", by: student)
        case .cancelled(let account, _): ReportedMove("cancel", by: account)
        case .refunded(let student, _, _): ReportedMove("refund", by: student)
        case .evaluated(let student, _, _): ReportedMove("evaluate", by: student)
        case .settled(_, let account, _): ReportedMove("settle", by: account)
        // The event does not name the teacher; see ``Course/move(reportedBy:)``.
        case .begun, .credited: nil
        }
    }

    /// `false` for the actions of single students, because strangers can enrol in every block.
    package var changesMoves: Bool {
        switch change {
        case .opened, .begun, .cancelled, .settled: true
        case .enrolled, .left, .refunded, .evaluated, .credited: false
        }
    }

    /// The credit that the event reports, if it is one.
    package var credit: ContractMoney.Credit? {
        if case .credited(let credit) = change { credit } else { nil }
    }

    /// The change, with the names of the contract's events.
    ///
    /// The events' own `at` is the position's time. Rounds count from 0.
    ///
    /// Source: Sources/Contracts/Vyper/course_terms.vy; Docs/contracts.md, section 12.
    package enum Change: MoneyChange {
        case opened(Opened)
        /// `enrolled` is the number of students of the round, this one included.
        case enrolled(student: Address, round: UInt64, enrolled: UInt64)
        /// `enrolled` is the number of students who remain.
        case left(student: Address, round: UInt64, enrolled: UInt64)
        case begun(round: UInt64)
        case cancelled(by: Address, round: UInt64)
        case refunded(student: Address, round: UInt64, amount: Amount)
        case evaluated(student: Address, round: UInt64, points: CoursePoints)
        case settled(CourseSettlement, by: Address, round: UInt64)
        /// Follows `refunded` and `left` once, and `settled` once for each part that is not zero.
        case credited(ContractMoney.Credit)
    }

    /// The opening of a round; the first one creates the course.
    package struct Opened: Hashable, Sendable {
        package let teacher: Address
        package let promise: Bytes32
        /// Zero for all rounds but the first.
        package let salt: Bytes32
        package let round: UInt64
        package let terms: CourseTerms

        /// Creates an opening from an event's members.
        ///
        /// - Parameters:
        ///   - teacher: The account that gives the course.
        ///   - promise: The hash of the listing that the course fulfils.
        ///   - salt: Distinguishes courses that are equal otherwise.
        ///   - round: The number of the round, from 0.
        ///   - terms: The terms of the round.
        package init(
            teacher: Address,
            promise: Bytes32,
            salt: Bytes32,
            round: UInt64,
            terms: CourseTerms
        ) {
            self.teacher = teacher
            self.promise = promise
            self.salt = salt
            self.round = round
            self.terms = terms
        }
    }
}

extension CourseEvent.Change {
    /// The one student whom it is about; `nil` if it concerns all.
    var student: Address? {
        switch self {
        case .enrolled(let student, _, _), .left(let student, _, _), .refunded(let student, _, _),
            .evaluated(let student, _, _):
            student
        case .opened, .begun, .cancelled, .settled, .credited: nil
        }
    }
}
