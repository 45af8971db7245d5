package import Market

extension CoursesContract {
    /// Decodes one log of this contract.
    ///
    /// The contract writes the block's time into each event of a course except the credits. So the
    /// caller passes the time, and it is compared with the time in the event.
    ///
    /// - Parameters:
    ///   - log: The log, as read from the chain.
    ///   - position: The log's position, with the time of its block.
    /// - Returns: The event.
    /// - Throws: ``ABIError/topic`` for a log of another contract or event;
    ///   ``ABIError/meaningless(_:)`` for a log that the contract cannot have written, which means
    ///   that the endpoint lies.
    package func decode(
        _ log: ContractLog,
        at position: EventPosition
    ) throws(ABIError) -> SaleLedger.Event {
        let event = try event(of: log)
        var reader = try ABIValueReader(event.decode(log).map(\.withTuples))
        if event.name == "Withdrawn" {
            let (credit, to) = try reader.withdrawal()
            return SaleLedger.Event(of: address, .withdrawn(credit, to: to))
        }
        let course = try Self.event(event.name, &reader, at: position)
        return SaleLedger.Event(of: address, .sale(course))
    }

    private static func event(
        _ name: String,
        _ reader: inout ABIValueReader,
        at position: EventPosition
    ) throws(ABIError) -> CourseEvent {
        if name == "Credited" {
            let (id, credit) = try reader.credited()
            return CourseEvent(course: SaleID(id), position: position, change: .credited(credit))
        }
        let course = SaleID(try reader.bytes32())
        let change = try change(name, &reader)
        try reader.checkTime(of: position)
        return CourseEvent(course: course, position: position, change: change)
    }

    private static func change(
        _ name: String,
        _ reader: inout ABIValueReader
    ) throws(ABIError) -> CourseEvent.Change {
        switch name {
        case "Opened": return .opened(try CourseEvent.Opened(&reader))
        case "Enrolled":
            let (student, round) = (try reader.address(), try reader.round())
            let enrolled = try reader.small("a number of students")
            return .enrolled(student: student, round: round, enrolled: enrolled)
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

    /// Reads one number for each criterion; the array must have become a tuple.
    mutating func numbers(_ name: String) throws(ABIError) -> [UInt64] {
        var values = try tuple()
        var numbers: [UInt64] = []
        for _ in CoursePoints.Criterion.allCases { numbers.append(try values.small(name)) }
        return numbers
    }
}

extension ABIEvent.Argument {
    /// The argument with an array as a tuple of its elements, which is encoded in the same way.
    fileprivate var withTuples: ABIEvent.Argument {
        if case .value(.array(let values)) = self { .value(.tuple(values)) } else { self }
    }
}
