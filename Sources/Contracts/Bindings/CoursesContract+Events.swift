package import Ethereum
package import Market

extension CoursesContract {
    package static func change(
        _ event: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> CourseEvent.Change {
        switch event {
        case "Opened": return .opened(try CourseEvent.Opened(&reader))
        case "Enrolled":
            let (student, round) = (try reader.address(), try reader.round())
            let enrolled = try reader.small("a number of students")
            return .enrolled(student: student, round: round, enrolled: enrolled)
        case "Left":
            let (student, round) = (try reader.address(), try reader.round())
            let enrolled = try reader.small("a number of students")
            return .left(student: student, round: round, enrolled: enrolled)
        case "Begun": return .begun(round: try reader.round())
        case "Cancelled":
            let (by, round) = (try reader.address(), try reader.round())
            return .cancelled(by: by, round: round)
        case "Refunded":
            let (student, round) = (try reader.address(), try reader.round())
            return .refunded(student: student, round: round, amount: try reader.amount())
        case "Evaluated":
            let (student, round) = (try reader.address(), try reader.round())
            guard let points = CoursePoints(try reader.numbers("points")) else {
                throw .meaningless("points")
            }
            return .evaluated(student: student, round: round, points: points)
        case "Settled":
            let (round, by) = (try reader.round(), try reader.address())
            return .settled(try CourseSettlement(&reader), by: by, round: round)
        default: throw .topic
        }
    }
}

extension CourseEvent.Opened {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (teacher, promise) = (try reader.address(), try reader.bytes32())
        let (salt, round) = (try reader.bytes32(), try reader.round())
        var terms = try reader.tuple()
        self.init(
            teacher: teacher,
            promise: promise,
            salt: salt,
            round: round,
            terms: try CourseTerms(&terms)
        )
    }
}

extension CourseSettlement {
    fileprivate init(_ reader: inout ABIValueReader) throws(ABIError) {
        let (average, incentive) = (try reader.small("an average"), try reader.amount())
        var payout = try reader.tuple()
        let (teacher, platform) = (try payout.amount(), try payout.amount())
        self.init(
            average: average,
            incentive: incentive,
            payout: CoursePayout(teacher: teacher, platform: platform)
        )
    }
}

extension ABIValueReader {
    fileprivate mutating func round() throws(ABIError) -> UInt64 { try small("a round") }

    /// Reads one number for each criterion, from an array or a tuple.
    mutating func numbers(_ name: String) throws(ABIError) -> [UInt64] {
        var values = try elements()
        var numbers: [UInt64] = []
        for _ in CoursePoints.Criterion.allCases { numbers.append(try values.small(name)) }
        return numbers
    }
}
