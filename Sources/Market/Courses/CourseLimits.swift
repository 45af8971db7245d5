/// The limits of courses, equal to the contract's.
///
/// Source: Docs/contracts.md, section 12.
package enum CourseLimits {
    /// The first round and four repeats.
    package static let roundsMax: UInt64 = 5
    package static let seats: ClosedRange<UInt64> = 1...10_000
    /// As many evaluations as a course can have: one a seat in every round.
    package static let ratersMax = roundsMax * seats.upperBound
    /// From the opening of a round to its start.
    package static let startMax = Duration.days(365)
    /// From the start of a round to its end.
    package static let lengthMax = Duration.days(365)
    /// How long before the start a student can still leave.
    package static let leaveBefore = Duration.days(1)
    package static let beginGrace = Duration.days(1)...Duration.days(30)
    package static let ratingWindow = Duration.days(1)...Duration.days(60)
    /// Each criterion is rated with 0 … 100 points.
    package static let pointsMax: UInt64 = 100
    /// The minimum number of students that must have rated the round before the incentive is paid.
    package static let ratersMin: UInt64 = 3
    /// The maximum number of the round's students for each student who rated it; above it, no
    /// incentive is paid.
    package static let studentsPerRaterMax: UInt64 = 4
}
