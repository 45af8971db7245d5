package import Ethereum
package import Keys
package import Market

extension CoursesContract {
    /// A course as stored in the contract.
    package struct StoredCourse: Hashable, Sendable {
        package let teacher: Address
        package let promise: Bytes32
        /// The number of rounds opened so far.
        package let rounds: UInt64
        /// The sums of all evaluations.
        package let rating: CourseRating

        /// Returns whether the fold of the course's events gives the same state.
        ///
        /// If not, logs are missing or the endpoint lies, and no money may move.
        package func agrees(with course: Course) -> Bool {
            teacher == course.teacher && promise == course.promise
                && rounds == UInt64(course.rounds.count) && rating == course.rating
        }
    }

    /// A round as stored in the contract.
    package struct StoredRound: Hashable, Sendable {
        package let status: CourseStatus
        package let termsHash: Bytes32
        package let enrolled: UInt64
        package let raters: UInt64
        /// The sum of all points that they gave.
        package let points: UInt64
        /// The weight of each evaluation of the round.
        package let price: Amount

        /// Returns whether the fold of the course's events gives the same state.
        package func agrees(with round: CourseRound) -> Bool {
            status == round.status && termsHash == round.terms.hash
                && enrolled == round.enrolled && raters == round.raters
                && points == round.rating.total && price == round.terms.price
        }
    }

    /// A course with its last round, as stored in the contract.
    package struct StoredState: ContractSale {
        package let course: StoredCourse
        package let lastRound: StoredRound

        package var stage: SaleStage { lastRound.status.stage }

        package func agrees(with state: any SaleState) -> Bool {
            guard let state = state as? Course else { return false }
            return course.agrees(with: state) && state.rounds.last.map(lastRound.agrees) == true
        }
    }

    /// Reads a course; `nil` if there is none with this id.
    package func course(_ id: SaleID) -> ContractQuery<StoredCourse?> {
        let function = Self.interface.known("course").withTuples
        return ContractQuery(to: address, function, [.bytes32(id.hash)]) { reader in
            try StoredCourse(&reader)
        }
    }

    /// Reads a course with its last round; `nil` if there is none with this id.
    package func state(_ id: SaleID) -> ContractQuery<StoredState?> {
        let function = Self.interface.known("state").withTuples
        return ContractQuery(to: address, function, [.bytes32(id.hash)]) { reader in
            guard let course = try StoredCourse(&reader) else { return nil }
            guard let lastRound = try StoredRound(&reader) else {
                throw ABIError.meaningless("a course without a round")
            }
            return StoredState(course: course, lastRound: lastRound)
        }
    }

    /// Reads a round; `nil` if it was never opened.
    package func round(_ round: UInt64, of course: SaleID) -> ContractQuery<StoredRound?> {
        query("round_of", [.bytes32(course.hash), .small(round)]) { reader in
            try StoredRound(&reader)
        }
    }
}

extension CoursesContract.StoredCourse {
    /// Decodes the contract's struct `Course`; `nil` if it is empty.
    fileprivate init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var fields = try reader.tuple()
        guard let teacher = try fields.party() else { return nil }
        let (promise, rounds) = (try fields.bytes32(), try fields.small("a number of rounds"))
        let points = try fields.numbers("sums of points")
        let raters = try fields.small("a number of raters")
        guard let rating = CourseRating(points: points, raters: raters) else {
            throw ABIError.meaningless("sums of points")
        }
        self.init(teacher: teacher, promise: promise, rounds: rounds, rating: rating)
    }
}

extension CoursesContract.StoredRound {
    /// Decodes the contract's struct `Round`; `nil` if it is empty.
    fileprivate init?(_ reader: inout ABIValueReader) throws(ABIError) {
        var fields = try reader.tuple()
        var ahead = fields
        if try ahead.small("a status") == 0 { return nil }
        self.init(
            status: try fields.flag(),
            termsHash: try fields.bytes32(),
            enrolled: try fields.small("a number of students"),
            raters: try fields.small("a number of raters"),
            points: try fields.small("a sum of points"),
            price: try fields.amount()
        )
    }
}

extension ABIFunction {
    /// The function with fixed arrays in its results as tuples, which are encoded in the same way.
    ///
    /// Source: Solidity documentation 0.8, "Contract ABI Specification", "Formal Specification".
    fileprivate var withTuples: ABIFunction {
        ABIFunction(
            name: name,
            inputs: inputs,
            outputs: outputs.map { ABIParameter(name: $0.name, type: $0.type.withTuples) },
            mutability: mutability
        )
    }
}

extension ABIType {
    fileprivate var withTuples: ABIType {
        switch self {
        case .fixedArray(let element, let count):
            .tuple([ABIType](repeating: element.withTuples, count: count))
        case .tuple(let parts): .tuple(parts.map(\.withTuples))
        default: self
        }
    }
}
