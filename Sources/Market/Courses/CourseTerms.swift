package import Keys

/// The terms of one round of a course, as the contract demands them with every move.
///
/// A value may exceed the contract's limits until ``check(at:)`` has passed. Durations are whole
/// seconds.
///
/// Source: Docs/contracts.md, section 12; Sources/Contracts/Vyper/course_terms.vy, `Terms`.
package struct CourseTerms: Hashable, Sendable {
    /// The name of a term in the API.
    package enum Term: String, SaleKindTerm {
        case price, seats, start, end, beginGrace, ratingWindow
    }

    package var currency: Currency
    /// Paid by each student: 10,000 … 2¹²⁸ − 1.
    ///
    /// It is also the weight of each evaluation of the round in the average of the course.
    package var price: Amount
    /// 1 … 10,000.
    package var seats: UInt64
    /// Enrolment ends here, and the teacher can begin.
    package var start: ChainTime
    package var end: ChainTime
    /// The time from the start in which the teacher can begin: 1 … 30 days.
    package var beginGrace: Duration
    /// The time from the end in which students can rate: 1 … 60 days.
    package var ratingWindow: Duration

    /// Creates terms; the defaults are those of the client.
    ///
    /// - Parameters:
    ///   - currency: The currency of the price.
    ///   - price: The price for each student.
    ///   - seats: The number of students that can enrol.
    ///   - start: When enrolment ends and the teacher can begin.
    ///   - end: When the course ends.
    ///   - beginGrace: The time from the start in which the teacher can begin; whole seconds.
    ///   - ratingWindow: The time from the end in which students can rate; whole seconds.
    package init(
        currency: Currency,
        price: Amount,
        seats: UInt64,
        start: ChainTime,
        end: ChainTime,
        beginGrace: Duration = .days(3),
        ratingWindow: Duration = .days(14)
    ) {
        self.currency = currency
        self.price = price
        self.seats = seats
        self.start = start
        self.end = end
        self.beginGrace = beginGrace
        self.ratingWindow = ratingWindow
    }

    /// When the teacher can no longer begin, and anyone can cancel: not after the end.
    package var beginUntil: ChainTime { min(start.advanced(by: beginGrace), end) }

    /// When a student can no longer leave; zero if the round starts within the chain's first day.
    package var leaveUntil: ChainTime {
        let ahead = CourseLimits.leaveBefore.wholeSeconds
        return ChainTime(seconds: start.seconds > ahead ? start.seconds - ahead : 0)
    }

    /// The time after the start in which the teacher can actually begin.
    package var beginTime: Duration { beginUntil.elapsed(since: start) }

    /// When students can no longer rate, and anyone can settle.
    package var rateUntil: ChainTime { end.advanced(by: ratingWindow) }

    /// The contract's struct `Terms` as the ABI encodes it: one word for each member, in order.
    package var words: [Bytes32] {
        [
            currency.address.word, price.word, Bytes32(number: seats),
            Bytes32(number: start.seconds), Bytes32(number: end.seconds),
            Bytes32(number: beginGrace.wholeSeconds), Bytes32(number: ratingWindow.wholeSeconds),
        ]
    }

    /// The hash that the contract stores instead of the terms.
    package var hash: Bytes32 { Keccak256.hash(words.flatMap(\.bytes)) }
}

extension CourseTerms: SaleKindTerms {
    package func checkLimits() throws(TermsFault) {
        guard SaleLimits.prices.contains(price) else { throw Term.price.fault }
        guard CourseLimits.seats.contains(seats) else { throw Term.seats.fault }
        guard start < end, end <= start.advanced(by: CourseLimits.lengthMax) else {
            throw Term.end.fault
        }
        guard CourseLimits.beginGrace.contains(beginGrace) else { throw Term.beginGrace.fault }
        guard CourseLimits.ratingWindow.contains(ratingWindow) else {
            throw Term.ratingWindow.fault
        }
    }

    /// Checks everything that the contract demands if a round is opened at `now`.
    package func check(at now: ChainTime) throws(TermsFault) {
        try checkLimits()
        guard now < start, start <= now.advanced(by: CourseLimits.startMax) else {
            throw Term.start.fault
        }
    }

    /// Returns "Give the course 'Knots' to 12 students for 0.5 ETH each".
    package func summary(offering title: String, on chain: ChainID) -> String {
        let price = PriceText.text(price, in: currency, on: chain)
        let students = seats == 1 ? "one student" : "\(seats) students"
        return "Give the course '\(title)' to \(students) for \(price) each"
    }
}
