public import Texts

extension Sale {
    /// The fields of a course; ``Sale/price`` is that of a seat in its last round.
    public struct Course: Codable, Hashable, Sendable, DescribedType {
        /// The rounds, oldest first; only the last one can be open or begun.
        public var rounds: [Round]
        /// The average of all evaluations of all rounds, from 0 to 100; `nil` without any.
        public var average: UInt64?
        /// The average of each criterion; `nil` without any evaluation.
        public var criteria: Criteria?
        /// The number of evaluations.
        public var raters: UInt64

        package static let fields: [String: FieldFacts] = ["average": .points]

        public init(
            rounds: [Round],
            average: UInt64? = nil,
            criteria: Criteria? = nil,
            raters: UInt64 = 0
        ) {
            (self.rounds, self.average) = (rounds, average)
            (self.criteria, self.raters) = (criteria, raters)
        }
    }

    /// The students' ratings, each from 0 to 100.
    public struct Criteria: Codable, Hashable, Sendable, DescribedType {
        public var preparation: UInt64
        public var content: UInt64
        public var delivery: UInt64
        public var communication: UInt64
        public var overall: UInt64

        package static let fields: [String: FieldFacts] = [
            "preparation": .points, "content": .points, "delivery": .points,
            "communication": .points, "overall": .points,
        ]

        public init(
            preparation: UInt64,
            content: UInt64,
            delivery: UInt64,
            communication: UInt64,
            overall: UInt64
        ) {
            (self.preparation, self.content, self.delivery) = (preparation, content, delivery)
            (self.communication, self.overall) = (communication, overall)
        }
    }

    /// A round of a course.
    public struct Round: Codable, Hashable, Sendable, DescribedType {
        /// Its number, from 0.
        public var number: UInt64
        /// `open`, `begun`, `cancelled` or `settled`.
        public var phase: String
        /// The phase in a shop's words.
        public var status: Sentence
        /// The price of a seat.
        public var price: Money
        public var terms: CourseTerms
        /// The number of students, of whom `raters` have rated it.
        public var enrolled: UInt64
        public var raters: UInt64
        /// The signed-in account's own part: `enrolled`, `rated` or `refunded`; `nil` for none.
        public var own: String?
        /// The students of the last round, for the teacher alone; `nil` if they are more than
        /// 1,000.
        public var students: [String]?

        package static let fields: [String: FieldFacts] = [
            "number": 0,
            "phase": FieldFacts("open").oneOf(["open", "begun", "cancelled", "settled"]),
            "status": .status.example(Sentence("phase.open")),
            "own": FieldFacts("rated").oneOf(["enrolled", "rated", "refunded"]),
            "students": .address,
        ]

        public init(
            number: UInt64,
            phase: String,
            status: Sentence? = nil,
            price: Money,
            terms: CourseTerms,
            enrolled: UInt64,
            raters: UInt64,
            own: String? = nil,
            students: [String]? = nil
        ) {
            (self.number, self.phase, self.price) = (number, phase, price)
            self.status = status ?? Sentence("phase.\(phase)")
            (self.terms, self.enrolled, self.raters) = (terms, enrolled, raters)
            (self.own, self.students) = (own, students)
        }
    }
}
