package import Keys

/// A course is a sale of seats to many students: it has no single buyer, and its last round decides
/// its status, price and deadline.
extension Course: SaleState {
    package static let kind = SaleKind.enrolment

    package init(
        listing event: CourseEvent,
        contract: ContractReference,
        fees: MarketFees
    ) throws(SaleFault) {
        try self.init(opening: event, contract: contract, platform: fees.platform)
    }

    package var since: ChainTime { current.since }
    package var listedAt: EventPosition { openedAt }
    package var seller: Address { teacher }
    /// `nil`: there are many students.
    package var buyer: Address? { nil }

    /// The teacher and everybody who enrolled, in no order.
    package var parties: [Address] {
        [teacher] + Set(rounds.flatMap(\.students.keys))
    }
    package var concerned: [Address] { parties }

    package func isParty(_ account: Address) -> Bool { role(of: account) != .stranger }

    /// One student's actions are news only for that student and the teacher.
    package func audience(of event: CourseEvent) -> [Address: SaleRole] {
        event.change.student.map { [teacher: .teacher, $0: .student] } ?? roles(of: parties)
    }

    /// `nil`, because a seat is not a token.
    package var item: Amount? { nil }
    package var contentHash: Bytes32? { nil }
    package var maker: Address? { nil }
    package var price: Amount { current.terms.price }
    package var currency: Currency { current.terms.currency }
    /// The terms of the first round, which the listing states; later rounds have their own.
    package var offer: SaleTerms? { .enrolment(rounds[0].terms) }
    /// `nil`: students review separately, see ``reviewRight(of:)``.
    package var outcome: Review.Outcome? { nil }

    package var payouts: [SalePayout]? {
        current.settlement.map { settlement in
            [
                SalePayout(role: "teacher", account: teacher, amount: settlement.payout.teacher),
                SalePayout(role: "platform", account: platform, amount: settlement.payout.platform),
            ].filter { !$0.amount.isZero }
        }
    }

    /// A student's seats in rounds that are not settled and not refunded.
    package func locked(for account: Address) -> [Currency: Amount] {
        var locked: [Currency: Amount] = [:]
        for round in rounds {
            guard let student = round.students[account], !student.isRefunded,
                round.settlement == nil
            else { continue }
            let sum = locked[round.terms.currency] ?? .zero
            locked[round.terms.currency] = sum.adding(round.terms.price) ?? .max
        }
        return locked
    }

    /// The free seats of the last round.
    package var freeSeats: UInt64? { current.freeSeats }
    package var buyerCount: UInt64 { rounds.reduce(0) { $0 + $1.enrolled } }

    package var buyerRating: BuyerRating? {
        let raters = rating.raters
        return BuyerRating(average: raters > 0 ? average.overall : nil, raters: raters)
    }

    /// A student of the last round, unless that was cancelled.
    package func part(of account: Address) -> String? {
        if account == teacher { return SaleRole.teacher.name }
        let isStudent = current.status != .cancelled && current.students[account] != nil
        return isStudent ? SaleRole.student.name : nil
    }

    /// Each round that ended with students.
    package var endings: [String] {
        rounds.filter { $0.status.stage == .over && $0.enrolled > 0 }.map(\.status.name)
    }

    /// A student waits for the end of a round, and after a cancelled one for the refund.
    package func isUnfinished(for account: Address) -> Bool {
        guard account != teacher else { return status.stage != .over }
        return rounds.contains { round in
            guard let student = round.students[account] else { return false }
            if round.status == .cancelled { return !student.isRefunded }
            return round.status.stage != .over
        }
    }

    package func isOffered(at time: ChainTime) -> Bool { current.isOffered(at: time) }

    package func deadline(after time: ChainTime) -> SaleDeadline? {
        nextDeadline(after: time)?.described
    }

    package func move(reportedBy event: CourseEvent) -> ReportedMove? {
        if case .begun = event.change { return ReportedMove("begin", by: teacher) }
        return event.move
    }

    /// That of the first round that the student has evaluated; the teacher reviews nobody.
    package func reviewRight(of account: Address) -> ReviewRight {
        if let round = reviewableRounds(of: account).first {
            return reviewRight(of: account, round: round)
        }
        guard account != teacher else { return .never(.notAParty) }
        let isLast = status.stage == .over && rounds.count == Int(CourseLimits.roundsMax)
        return isLast ? .never(.notAParty) : .later
    }

    /// Each student can review each round once that the student has evaluated, with its price.
    package func reviewRight(of account: Address, round number: UInt64) -> ReviewRight {
        guard account != teacher, number < CourseLimits.roundsMax else {
            return .never(.notAParty)
        }
        guard let round = self.round(number) else { return .later }
        if round.students[account]?.points != nil {
            let terms = round.terms
            return .now(
                ReviewedDeal(outcome: .complete, price: terms.price, currency: terms.currency)
            )
        }
        return round.status.stage == .over ? .never(.notAParty) : .later
    }

    package func reviewableRounds(of account: Address) -> [UInt64] {
        rounds.indices.filter { rounds[$0].students[account]?.points != nil }.map { UInt64($0) }
    }
}
