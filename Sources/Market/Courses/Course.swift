package import Keys

/// The state of one course over all its rounds: the fold of its events.
///
/// Every event is checked against the contract's rules, so that a missing or forged one is
/// detected. All times are the chain's, from the events or the caller. At most one round, the last
/// one, is open or begun.
///
/// Source: Docs/contracts.md, section 12.
package struct Course: Hashable, Sendable {
    package let reference: SaleReference
    /// The account that receives the platform's part.
    package let platform: Address
    package let teacher: Address
    package let promise: Bytes32
    package let salt: Bytes32
    package let openedAt: EventPosition
    /// The rounds, oldest first; never empty.
    package private(set) var rounds: [CourseRound]
    /// The position of the last event applied.
    package private(set) var position: EventPosition
    /// The account that made the last move that changed the possible moves.
    package private(set) var lastMover: Address
    private var credits: PendingCredits

    /// Creates the state from the event that opens the first round.
    ///
    /// - Parameters:
    ///   - event: The first event of the course.
    ///   - contract: The contract that emitted it.
    ///   - platform: The contract's platform account.
    /// - Throws: If the contract could not have emitted it as the first event of this course.
    package init(
        opening event: CourseEvent,
        contract: ContractReference,
        platform: Address
    ) throws(SaleFault) {
        guard case .opened(let opened) = event.change, opened.round == 0 else { throw .notListed }
        let id = SaleID(
            contract: contract,
            teacher: opened.teacher,
            salt: opened.salt,
            promise: opened.promise
        )
        guard id == event.sale else { throw .wrongID }
        guard opened.teacher != .zero else { throw .wrongAccount }
        guard opened.promise != .zero else { throw .wrongTerms(TermsFault(term: "promise")) }
        do { try opened.terms.check(at: event.position.time) } catch { throw .wrongTerms(error) }
        reference = SaleReference(contract: contract, id: id)
        self.platform = platform
        (teacher, promise, salt) = (opened.teacher, opened.promise, opened.salt)
        openedAt = event.position
        lastMover = opened.teacher
        position = event.position
        rounds = [CourseRound(terms: opened.terms, openedAt: event.position.time)]
        credits = PendingCredits([], in: opened.terms.currency, after: event.position)
    }

    /// The number of the last round.
    package var lastRound: UInt64 { UInt64(rounds.count - 1) }

    /// The status of the last round.
    package var status: CourseStatus { current.status }

    /// The last round, the only one that can be open or begun.
    package var current: CourseRound { rounds[rounds.count - 1] }

    /// The sums of the evaluations of all rounds.
    package var rating: CourseRating {
        rounds.reduce(into: CourseRating()) { $0.add($1.rating) }
    }

    /// The averages of the evaluations of all rounds.
    package var average: CourseAverage { CourseAverage(of: rounds) }

    /// Returns a round by its number; `nil` if it was never opened.
    package func round(_ number: UInt64) -> CourseRound? {
        number < UInt64(rounds.count) ? rounds[Int(number)] : nil
    }

    /// Whether events of the last transaction are still missing.
    ///
    /// That is never so once all events of a block are applied.
    package var isIncomplete: Bool { !credits.isComplete }

    /// The result of settling the last round with the evaluations so far.
    package var settlement: CourseSettlement {
        current.settlement
            ?? CourseSettlement(
                price: current.terms.price,
                enrolled: current.enrolled,
                raters: current.raters,
                average: average.overall
            )
    }

    /// Returns the money that the contract took with an event, and thus owes.
    package func taken(with event: CourseEvent) -> Amount {
        guard case .enrolled(_, let number, _) = event.change else { return .zero }
        return round(number)?.terms.price ?? .zero
    }

    /// Applies the next event of this course.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: CourseEvent) throws(SaleFault) {
        try requireNext(event)
        if try !credits.take(from: event) { try change(event) }
        position = event.position
    }

    private mutating func change(_ event: CourseEvent) throws(SaleFault) {
        let time = event.position.time
        switch event.change {
        case .opened(let opened):
            try reopen(opened, at: time)
        case .enrolled(let student, let round, let enrolled):
            try check(.enrol, round, by: student, at: time)
            guard enrolled == current.enrolled + 1 else { throw .outOfOrder }
            rounds[Int(round)].enrol(student, at: time)
        case .left(let student, let round, let enrolled):
            try check(.leave, round, by: student, at: time)
            guard enrolled + 1 == current.enrolled else { throw .outOfOrder }
            rounds[Int(round)].leave(student)
            let part = SalePayout(role: "student", account: student, amount: current.terms.price)
            credits = PendingCredits([part], in: current.terms.currency, after: event.position)
        case .begun(let round):
            try check(.begin, round, by: teacher, at: time)
            lastMover = teacher
            rounds[Int(round)].become(.begun, at: time)
        case .cancelled(let account, let round):
            try check(.cancel, round, by: account, at: time)
            lastMover = account
            rounds[Int(round)].become(.cancelled, at: time)
        case .refunded(let student, let round, let amount):
            try check(.refund, round, by: student, at: time)
            let terms = rounds[Int(round)].terms
            guard amount == terms.price else { throw .wrongPayout }
            rounds[Int(round)].refund(student)
            let part = SalePayout(role: "student", account: student, amount: amount)
            credits = PendingCredits([part], in: terms.currency, after: event.position)
        case .evaluated(let student, let round, let points):
            try check(.evaluate, round, by: student, at: time)
            rounds[Int(round)].rate(student, points)
        case .settled(let settlement, let account, let round):
            try check(.settle, round, by: account, at: time)
            guard settlement == self.settlement else { throw .wrongPayout }
            lastMover = account
            rounds[Int(round)].settle(settlement, at: time)
            credits = pending(settlement.payout, after: event.position)
        case .credited:
            throw .wrongCredit
        }
    }

    private mutating func reopen(
        _ opened: CourseEvent.Opened,
        at time: ChainTime
    ) throws(SaleFault) {
        guard opened.round > 0 else { throw .listedTwice }
        try check(.repeat, opened.round, by: opened.teacher, at: time)
        guard opened.promise == promise, opened.salt == .zero else { throw .wrongID }
        do { try opened.terms.check(at: time) } catch { throw .wrongTerms(error) }
        guard opened.terms.currency == current.terms.currency else {
            throw .wrongTerms(TermsFault(term: "currency"))
        }
        lastMover = teacher
        rounds.append(CourseRound(terms: opened.terms, openedAt: time))
    }

    private func check(
        _ action: CourseMove.Action,
        _ round: UInt64,
        by account: Address,
        at time: ChainTime
    ) throws(SaleFault) {
        let move = CourseMove(action, round: round)
        if let refusal = refusal(of: move, by: account, at: time) { throw refusal }
    }

    private func pending(_ payout: CoursePayout, after cause: EventPosition) -> PendingCredits {
        let parts = [
            SalePayout(role: "teacher", account: teacher, amount: payout.teacher),
            SalePayout(role: "platform", account: platform, amount: payout.platform),
        ]
        return PendingCredits(parts, in: current.terms.currency, after: cause)
    }
}
