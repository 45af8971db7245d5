/// The terms of a course's round besides the price of a seat.
///
/// Source: Docs/contracts.md, section 12.
public struct CourseTerms: Codable, Hashable, Sendable {
    /// The number of students that can enrol, from 1 to 10,000.
    public var seats: UInt64
    /// When enrolment ends and the teacher can begin, in seconds since 1970 on the chain's clock; at
    /// most 365 days ahead.
    public var startsAt: UInt64
    /// When the course ends, at most 365 days after its start.
    public var endsAt: UInt64
    /// The time from the start in which the teacher can begin, from 1 to 30 days; by default 3 days.
    public var beginSeconds: UInt64?
    /// The time from the end in which students can rate, from 1 to 60 days; by default 14 days.
    public var ratingSeconds: UInt64?

    public init(
        seats: UInt64,
        startsAt: UInt64,
        endsAt: UInt64,
        beginSeconds: UInt64? = nil,
        ratingSeconds: UInt64? = nil
    ) {
        self.seats = seats
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.beginSeconds = beginSeconds
        self.ratingSeconds = ratingSeconds
    }
}
