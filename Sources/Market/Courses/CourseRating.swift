import BigInt

/// One student's evaluation of a round: five integers from 0 to 100.
package struct CoursePoints: Hashable, Sendable {
    /// The rated subjects, in the contract's order.
    package enum Criterion: String, CaseIterable, Sendable {
        case preparation, content, delivery, communication, overall
    }

    /// The points, in the order of ``Criterion``.
    package let values: [UInt64]

    /// Takes one number for each criterion; `nil` for another count or a number above 100.
    package init?(_ values: [UInt64]) {
        guard values.count == Criterion.allCases.count,
            values.allSatisfy({ $0 <= CourseLimits.pointsMax })
        else { return nil }
        self.values = values
    }
}

/// The sums of evaluations, of one round of a course or of all.
package struct CourseRating: Hashable, Sendable {
    /// The sums of points, in the order of ``CoursePoints/Criterion``.
    package private(set) var points: [UInt64]
    /// The number of evaluations.
    package private(set) var raters: UInt64

    package init() {
        points = [UInt64](repeating: 0, count: CoursePoints.Criterion.allCases.count)
        raters = 0
    }

    /// Takes sums as the contract stores them; `nil` if a course cannot have this number of raters,
    /// or they cannot have given these points.
    package init?(points: [UInt64], raters: UInt64) {
        guard points.count == CoursePoints.Criterion.allCases.count,
            raters <= CourseLimits.ratersMax,
            points.allSatisfy({ $0 <= raters * CourseLimits.pointsMax })
        else { return nil }
        (self.points, self.raters) = (points, raters)
    }

    mutating func add(_ rating: CoursePoints) {
        points = zip(points, rating.values).map { $0 + $1 }
        raters += 1
    }

    /// Adds the sums of another round.
    mutating func add(_ other: CourseRating) {
        points = zip(points, other.points).map { $0 + $1 }
        raters += other.raters
    }

    /// The sum of the points of all criteria.
    package var total: UInt64 { points.reduce(0, +) }
}

/// The averages of a course over all its rounds; each evaluation is weighted by the price of its
/// round.
///
/// So a round that costs next to nothing counts for next to nothing.
///
/// Source: Docs/contracts.md, section 12.
package struct CourseAverage: Hashable, Sendable {
    /// ⌊Σ price × points ÷ (5 × Σ price × raters)⌋, from 0 to 100; 0 if nobody rated.
    package let overall: UInt64
    /// The same for each criterion, in the order of ``CoursePoints/Criterion``.
    package let criteria: [UInt64]

    package init(overall: UInt64, criteria: [UInt64]) {
        (self.overall, self.criteria) = (overall, criteria)
    }

    /// Computes the averages of a course's rounds.
    package init(of rounds: [CourseRound]) {
        let weight = rounds.reduce(BigUInt(0)) {
            $0 + $1.terms.price.units * BigUInt($1.raters)
        }
        func average(_ points: (CourseRound) -> UInt64, of count: Int) -> UInt64 {
            guard weight > 0 else { return 0 }
            let sum = rounds.reduce(BigUInt(0)) { $0 + $1.terms.price.units * BigUInt(points($1)) }
            return UInt64(clamping: sum / (weight * BigUInt(count)))
        }
        let count = CoursePoints.Criterion.allCases.count
        overall = average({ $0.rating.total }, of: count)
        criteria = (0..<count).map { criterion in average({ $0.rating.points[criterion] }, of: 1) }
    }
}
