/// One student's evaluation of a round: five integers from 0 to 100.
package struct CoursePoints: Hashable, Sendable {
    /// What is rated, in the contract's order.
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

    package var sum: UInt64 { values.reduce(0, +) }
}

/// The sums of all evaluations of a course, over all its rounds.
package struct CourseRating: Hashable, Sendable {
    /// The sums of points, in the order of ``CoursePoints/Criterion``.
    package private(set) var points: [UInt64]
    /// The number of evaluations.
    package private(set) var raters: UInt64

    package init() {
        points = [UInt64](repeating: 0, count: CoursePoints.Criterion.allCases.count)
        raters = 0
    }

    /// Takes sums as the contract stores them; `nil` if there cannot be so many raters, or so few
    /// cannot have given them.
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

    /// ⌊sum of all points ÷ (raters × 5)⌋, from 0 to 100; 0 if nobody rated.
    package var average: UInt64 {
        raters == 0 ? 0 : points.reduce(0, +) / (raters * UInt64(points.count))
    }
}
