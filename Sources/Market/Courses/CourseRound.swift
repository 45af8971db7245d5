package import Keys

/// One round of a course.
package struct CourseRound: Hashable, Sendable {
    /// An account that enrolled in the round.
    package struct Student: Hashable, Sendable {
        package let enrolledAt: ChainTime
        /// The student's evaluation; `nil` if there is none.
        package fileprivate(set) var points: CoursePoints?
        /// Whether the price of a cancelled round was credited.
        package fileprivate(set) var isRefunded = false
    }

    package let terms: CourseTerms
    package let openedAt: ChainTime
    package private(set) var status = CourseStatus.open
    /// When the present status was reached.
    package private(set) var since: ChainTime
    package private(set) var students: [Address: Student] = [:]
    /// The evaluations of this round.
    package private(set) var rating = CourseRating()
    /// The division of the money; `nil` until the round is settled.
    package private(set) var settlement: CourseSettlement?

    init(terms: CourseTerms, openedAt: ChainTime) {
        (self.terms, self.openedAt, since) = (terms, openedAt, openedAt)
    }

    /// The number of students who rated this round.
    package var raters: UInt64 { rating.raters }

    package var enrolled: UInt64 { UInt64(students.count) }

    package var freeSeats: UInt64 { enrolled < terms.seats ? terms.seats - enrolled : 0 }

    /// Returns whether an account can enrol at `time`, unless it is the teacher or a student.
    package func isOffered(at time: ChainTime) -> Bool {
        status == .open && time < terms.start && freeSeats > 0
    }

    mutating func enrol(_ account: Address, at time: ChainTime) {
        students[account] = Student(enrolledAt: time)
    }

    mutating func leave(_ account: Address) {
        students[account] = nil
    }

    mutating func become(_ status: CourseStatus, at time: ChainTime) {
        (self.status, since) = (status, time)
    }

    mutating func refund(_ account: Address) {
        students[account]?.isRefunded = true
    }

    mutating func rate(_ account: Address, _ points: CoursePoints) {
        students[account]?.points = points
        rating.add(points)
    }

    mutating func settle(_ settlement: CourseSettlement, at time: ChainTime) {
        self.settlement = settlement
        become(.settled, at: time)
    }
}
