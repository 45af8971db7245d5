/// The terms of a course's round besides the price of a seat.
///
/// Source: Docs/contracts.md, section 12.
public struct CourseTerms: Codable, Hashable, Sendable, DescribedType {
    /// The number of students that can enrol, from 1 to 10,000.
    public var seats: UInt64
    /// When enrolment ends and the teacher can begin, in seconds since 1970 on the chain's clock;
    /// at most 365 days ahead.
    public var startsAt: UInt64
    /// When the course ends, at most 365 days after its start.
    public var endsAt: UInt64
    /// The time from the start in which the teacher can begin, from 1 to 30 days; by default 3
    /// days.
    public var beginSeconds: UInt64?
    /// The time from the end in which students can rate, from 1 to 60 days; by default 14 days.
    public var ratingSeconds: UInt64?

    package static let fields: [String: FieldFacts] = [
        "seats": FieldFacts(12).numbers(1...10_000),
        "startsAt": .seconds.about("In seconds since 1970 on the chain's clock."),
        "endsAt": .seconds,
        "beginSeconds": FieldFacts(259_200).numbers(86_400...2_592_000).about(
            "How long after its start the round can begin, in seconds."
        ),
        "ratingSeconds": FieldFacts(1_209_600).numbers(86_400...5_184_000).about(
            "How long after its end the round can be rated, in seconds."
        ),
    ]

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

extension CourseTerms: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("beginSeconds", beginSeconds)
            json.field("endsAt", endsAt)
            json.field("ratingSeconds", ratingSeconds)
            json.field("seats", seats)
            json.field("startsAt", startsAt)
        }
    }
}
