package import Texts

/// A move in a course, about one of its rounds.
package struct CourseMove: Hashable, Sendable {
    /// The effect of the move.
    package enum Action: String, CaseIterable, Sendable {
        /// Creates the course with its first round: anyone.
        case open
        /// Opens the next round: the teacher, once the last one is cancelled or settled.
        case `repeat`
        /// Pays the price for a seat: anyone but the teacher, once a round, before the start.
        case enrol
        /// A student gives the seat back for the price, until a day before the start.
        case leave
        /// The teacher begins the round, from the start until the grace or the round ends.
        case begin
        /// Cancels the round: the teacher before its begin, anyone once the grace has ended.
        case cancel
        /// Credits the price of a cancelled round: each of its students once, at any time.
        case refund
        /// Rates the round: each of its students once, from its beginning until the window ends.
        case evaluate
        /// Divides the money: anyone once the rating window has ended.
        case settle

        /// The name of the contract's function.
        package var name: String { rawValue }
    }

    package let action: Action
    /// The number of the round, from 0; for `repeat` that of the new round.
    package let round: UInt64

    package init(_ action: Action, round: UInt64) { (self.action, self.round) = (action, round) }
}

/// The change at a deadline of a round.
package enum CourseDeadlineEffect: String, DeadlineEffect {
    /// Students can no longer leave.
    case leaveCloses
    /// Enrolment has ended; the teacher can begin.
    case beginOpens
    /// The teacher can no longer begin; anyone can cancel, so that the students are refunded.
    case cancelOpens
    /// Students can no longer rate; anyone can settle.
    case settleOpens

    package var consequence: Sentence {
        switch self {
        case .leaveCloses: Sentence("course.leaveCloses")
        case .beginOpens: Sentence("course.beginOpens")
        case .cancelOpens: Sentence("course.cancelOpens")
        case .settleOpens: Sentence("course.settleOpens")
        }
    }
}

package typealias CourseDeadline = MoveDeadline<CourseDeadlineEffect>
package typealias CourseOutlook = MoveOutlook<CourseMove, CourseDeadlineEffect>
