package import Keys

extension Course {
    /// Returns why the contract refuses a move; `nil` if it accepts it.
    ///
    /// Events are checked by the same rules. The terms of a new round are checked by
    /// ``CourseTerms/check(at:)``.
    ///
    /// Source: Docs/contracts.md, section 12; Sources/Contracts/Vyper/Courses.vy.
    ///
    /// - Parameters:
    ///   - move: The move.
    ///   - account: The account that makes it.
    ///   - time: The time of its block.
    /// - Returns: The fault that an event of this move would have here.
    package func refusal(
        of move: CourseMove,
        by account: Address,
        at time: ChainTime
    ) -> SaleFault? {
        switch move.action {
        case .open: return .listedTwice
        case .repeat: return refusalOfRepeat(move.round, by: account)
        default: break
        }
        guard let round = round(move.round), round.status == move.action.status else {
            return .impossible(from: (self.round(move.round)?.status ?? status).name)
        }
        let terms = round.terms
        let student = round.students[account]
        switch move.action {
        case .open, .repeat: return nil
        case .enrol:
            guard account != teacher, account != .zero, student == nil else { return .wrongAccount }
            guard time < terms.start else { return .wrongTime }
            return round.freeSeats > 0 ? nil : .wrongTerms(CourseTerms.Term.seats.fault)
        case .leave:
            guard student != nil else { return .wrongAccount }
            return time < terms.leaveUntil ? nil : .wrongTime
        case .begin:
            guard account == teacher else { return .wrongAccount }
            return time >= terms.start && time < terms.beginUntil ? nil : .wrongTime
        case .cancel: return account == teacher || time >= terms.beginUntil ? nil : .wrongAccount
        case .refund: return student?.isRefunded == false ? nil : .wrongAccount
        case .evaluate:
            guard let student, student.points == nil else { return .wrongAccount }
            return time < terms.rateUntil ? nil : .wrongTime
        case .settle: return time >= terms.rateUntil ? nil : .wrongTime
        }
    }

    private func refusalOfRepeat(_ round: UInt64, by account: Address) -> SaleFault? {
        guard status.stage == .over, round == lastRound + 1, round < CourseLimits.roundsMax else {
            return .impossible(from: status.name)
        }
        return account == teacher ? nil : .wrongAccount
    }

    /// Returns the moves that `account` can make at `time`, and the next deadline.
    ///
    /// The rules are those for checking events: the contract would accept exactly these moves in a
    /// block of this time. Refunds of earlier rounds come first.
    package func actions(for account: Address, at time: ChainTime) -> CourseOutlook {
        let current = lastRound
        var candidates = (0..<current).map { CourseMove(.refund, round: $0) }
        candidates += CourseMove.Action.allCases.map { action in
            CourseMove(action, round: action == .repeat ? current + 1 : current)
        }
        let moves = candidates.filter { refusal(of: $0, by: account, at: time) == nil }
        let open = moves.map { move in
            OpenMove(move: move, before: limit(of: move), consequence: [consequence(of: move)])
        }
        return CourseOutlook(role: role(of: account), moves: open, next: nextDeadline(after: time))
    }

    /// Returns the next deadline of the last round after `time`, with its effect.
    package func nextDeadline(after time: ChainTime) -> CourseDeadline? {
        let terms = current.terms
        let deadlines: [CourseDeadline] =
            switch current.status {
            case .open:
                [
                    CourseDeadline(at: terms.leaveUntil, effect: .leaveCloses),
                    CourseDeadline(at: terms.start, effect: .beginOpens),
                    CourseDeadline(at: terms.beginUntil, effect: .cancelOpens),
                ]
            case .begun: [CourseDeadline(at: terms.rateUntil, effect: .settleOpens)]
            case .cancelled, .settled: []
            }
        return deadlines.first { time < $0.at }
    }

    /// Returns what deadlines have opened: `settle` for the teacher, who is paid; `cancel` for the
    /// students of a round that did not begin, in the order of their enrolment; and `refund` for
    /// each student of a cancelled round, which no one else can make.
    package func dueMoves(for account: Address, at time: ChainTime) -> [DueMove] {
        let refunds = rounds.enumerated().compactMap { number, round -> DueMove? in
            let move = CourseMove(.refund, round: UInt64(number))
            guard refusal(of: move, by: account, at: time) == nil else { return nil }
            return due(move, as: .refund, since: round.since, rank: 0)
        }
        let terms = current.terms
        switch status {
        case .begun where time >= terms.rateUntil && account == teacher:
            let move = CourseMove(.settle, round: lastRound)
            return refunds + [due(move, as: .claim, since: terms.rateUntil, rank: 0)]
        case .open where time >= terms.beginUntil:
            guard let own = current.students[account] else { return refunds }
            let earlier = current.students.count { student, other in
                (other.enrolledAt, student) < (own.enrolledAt, account)
            }
            let move = CourseMove(.cancel, round: lastRound)
            return refunds + [due(move, as: .refund, since: terms.beginUntil, rank: earlier)]
        case .open, .begun, .cancelled, .settled:
            return refunds
        }
    }

    private func due(
        _ move: CourseMove,
        as unattended: UnattendedMove,
        since: ChainTime,
        rank: Int
    ) -> DueMove {
        let (name, round) = (move.action.name, move.round)
        return DueMove(name, as: unattended, round: round, since: since, rank: rank)
    }

    /// Returns the role of `account` in this course.
    package func role(of account: Address) -> SaleRole {
        if account == teacher { return .teacher }
        let isStudent = rounds.contains { $0.students[account] != nil }
        return isStudent ? .student : .stranger
    }

    private func limit(of move: CourseMove) -> ChainTime? {
        guard let terms = round(move.round)?.terms else { return nil }
        return switch move.action {
        case .enrol: terms.start
        case .leave: terms.leaveUntil
        case .begin: terms.beginUntil
        case .evaluate: terms.rateUntil
        case .open, .repeat, .cancel, .refund, .settle: nil
        }
    }
}

extension CourseMove.Action {
    /// The status that a round must have; `nil` for moves that create one.
    fileprivate var status: CourseStatus? {
        switch self {
        case .open, .repeat: nil
        case .enrol, .leave, .begin, .cancel: .open
        case .refund: .cancelled
        case .evaluate, .settle: .begun
        }
    }
}

extension SaleRole {
    package static let teacher = SaleRole(name: "teacher")
    package static let student = SaleRole(name: "student")
}
