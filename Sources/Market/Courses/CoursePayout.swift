/// The division of a round's money between teacher and platform, exact to the smallest unit.
///
/// A tenth of the money is the pool. The teacher gets the other nine tenths, and a part of the pool
/// that depends on the average of all evaluations.
///
/// Source: Docs/contracts.md, section 12.
package struct CoursePayout: Hashable, Sendable {
    package let teacher: Amount
    package let platform: Amount

    package init(teacher: Amount, platform: Amount) {
        (self.teacher, self.platform) = (teacher, platform)
    }

    /// Returns the part of the pool, in percent, that an average gives the teacher.
    ///
    /// 15 for 100 points, 10 from 80 points, 5 from 60 points, else none.
    package static func incentivePercent(average: UInt64) -> UInt64 {
        switch average {
        case CourseLimits.pointsMax...: 15
        case 80...: 10
        case 60...: 5
        default: 0
        }
    }

    /// Returns whether enough students rated a round for its incentive to be paid.
    ///
    /// At least three, and at least one of four students; so one friend's rating pays nothing.
    ///
    /// - Parameters:
    ///   - raters: The number of students who rated this round.
    ///   - enrolled: The number of students of this round.
    /// - Returns: Whether the incentive is paid.
    package static func hasQuorum(raters: UInt64, enrolled: UInt64) -> Bool {
        raters >= CourseLimits.ratersMin
            && raters * CourseLimits.studentsPerRaterMax >= enrolled
    }

    /// Computes the teacher's part of the pool: ⌊(pool × percent + 50) ÷ 100⌋.
    ///
    /// - Parameters:
    ///   - pool: A tenth of the round's money.
    ///   - percent: See ``incentivePercent(average:)``.
    /// - Returns: The part, rounded to the nearest unit, a half upwards.
    package static func incentive(of pool: Amount, percent: UInt64) -> Amount {
        guard percent <= 100, let product = pool.multiplied(by: percent)?.adding(Amount(small: 50))
        else { preconditionFailure("a pool is far below 2²⁵⁶, a part at most all of it") }
        return product.quotientAndRemainder(dividingBy: 100).0
    }
}

/// The result of settling a round: its payout, and how that was computed.
package struct CourseSettlement: Hashable, Sendable {
    /// The average of all evaluations of the course so far, from 0 to 100.
    package let average: UInt64
    /// The teacher's part of the pool, which `payout` includes.
    package let incentive: Amount
    package let payout: CoursePayout

    package init(average: UInt64, incentive: Amount, payout: CoursePayout) {
        (self.average, self.incentive, self.payout) = (average, incentive, payout)
    }

    /// Computes the settlement of a round.
    ///
    /// - Parameters:
    ///   - price: The price for each student.
    ///   - enrolled: The number of students of the round, at most 10,000.
    ///   - raters: The number of students who rated the round.
    ///   - average: The average of the course, this round's evaluations included.
    package init(price: Amount, enrolled: UInt64, raters: UInt64, average: UInt64) {
        guard let total = price.multiplied(by: enrolled) else {
            preconditionFailure("10,000 prices below 2¹²⁸ are far below 2²⁵⁶")
        }
        let pool = total.quotientAndRemainder(dividingBy: 10).0
        let hasQuorum = CoursePayout.hasQuorum(raters: raters, enrolled: enrolled)
        let percent = hasQuorum ? CoursePayout.incentivePercent(average: average) : 0
        let incentive = CoursePayout.incentive(of: pool, percent: percent)
        guard let platform = pool.subtracting(incentive), let teacher = total.subtracting(platform)
        else { preconditionFailure("the incentive is at most 15 % of the pool, or nothing") }
        self.init(
            average: average,
            incentive: incentive,
            payout: CoursePayout(teacher: teacher, platform: platform)
        )
    }
}
