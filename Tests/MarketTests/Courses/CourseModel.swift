import BigInt
import Keys
import Market

/// A second implementation of the courses' rules, with what the contract would emit.
///
/// It shares no rule and no arithmetic with the program.
struct CourseModel: Hashable {
    struct Round: Hashable {
        let terms: CourseTerms
        var status = CourseStatus.open
        var students: Set<Address> = []
        var rated: [Address: UInt64] = [:]
        var refunded: Set<Address> = []
    }

    static let contract = ItemSamples.contract
    static let platform = ItemSamples.platform
    static let teacher = Samples.ana.address
    static let promise = Bytes32(repeating: 9)

    let id = SaleID(
        contract: Self.contract,
        teacher: Self.teacher,
        salt: .zero,
        promise: Self.promise
    )
    var rounds: [Round]
    /// The sum of all points, and the number of raters.
    var points: UInt64 { rounds.reduce(0) { $0 + $1.rated.values.reduce(0, +) } }
    var raters: UInt64 { UInt64(rounds.reduce(0) { $0 + $1.rated.count }) }
    /// Each point as often as the price of its round says.
    var average: UInt64 {
        let weights = rounds.map { $0.terms.price.units * BigUInt($0.rated.count) }.reduce(0, +)
        guard weights > 0 else { return 0 }
        let sum = rounds.map { round in
            round.terms.price.units * BigUInt(round.rated.values.reduce(0, +))
        }.reduce(0, +)
        return UInt64(sum / (5 * weights))
    }

    init(_ terms: CourseTerms) { rounds = [Round(terms: terms)] }

    func accepts(_ move: CourseMove, by account: Address, at time: ChainTime) -> Bool {
        let isTeacher = account == Self.teacher
        if move.action == .repeat {
            let isOver = [.cancelled, .settled].contains(rounds[rounds.count - 1].status)
            return isOver && isTeacher && move.round == UInt64(rounds.count) && rounds.count < 5
        }
        guard move.round < UInt64(rounds.count) else { return false }
        let round = rounds[Int(move.round)]
        let (terms, now) = (round.terms, time.seconds)
        let beginEnd = min(
            terms.start.seconds + terms.beginGrace.wholeSeconds,
            terms.end.seconds
        )
        let rateEnd = terms.end.seconds + terms.ratingWindow.wholeSeconds
        let isStudent = round.students.contains(account)
        return switch move.action {
        case .open, .repeat: false
        case .enrol:
            round.status == .open && !isTeacher && !isStudent && now < terms.start.seconds
                && round.students.count < Int(terms.seats)
        case .leave: round.status == .open && isStudent && now + 86_400 < terms.start.seconds
        case .begin:
            round.status == .open && isTeacher && now >= terms.start.seconds && now < beginEnd
        case .cancel: round.status == .open && (isTeacher || now >= beginEnd)
        case .refund:
            round.status == .cancelled && isStudent && !round.refunded.contains(account)
        case .evaluate:
            round.status == .begun && isStudent && round.rated[account] == nil && now < rateEnd
        case .settle: round.status == .begun && now >= rateEnd
        }
    }

    /// Makes a move without asking whether the contract accepts it; returns its events.
    mutating func make(
        _ move: CourseMove,
        by account: Address,
        _ points: [UInt64] = [100, 100, 100, 100, 100],
        terms: CourseTerms? = nil
    ) -> [CourseEvent.Change] {
        let number = move.round
        let index = min(Int(number), rounds.count - 1)
        let price = rounds[index].terms.price
        switch move.action {
        case .open:
            return [.opened(Self.opened(terms ?? rounds[0].terms, round: 0, by: account))]
        case .repeat:
            let terms = terms ?? rounds[index].terms
            rounds.append(Round(terms: terms))
            return [.opened(Self.opened(terms, round: number, by: account))]
        case .enrol:
            rounds[index].students.insert(account)
            let enrolled = UInt64(rounds[index].students.count)
            return [.enrolled(student: account, round: number, enrolled: enrolled)]
        case .leave:
            rounds[index].students.remove(account)
            let enrolled = UInt64(rounds[index].students.count)
            return [
                .left(student: account, round: number, enrolled: enrolled),
                .credited(credit(account, price.units, index)),
            ]
        case .begin:
            rounds[index].status = .begun
            return [.begun(round: number)]
        case .cancel:
            rounds[index].status = .cancelled
            return [.cancelled(by: account, round: number)]
        case .refund:
            rounds[index].refunded.insert(account)
            return [
                .refunded(student: account, round: number, amount: price),
                .credited(credit(account, price.units, index)),
            ]
        case .evaluate:
            rounds[index].rated[account] = points.reduce(0, +)
            guard let points = CoursePoints(points) else { return [] }
            return [.evaluated(student: account, round: number, points: points)]
        case .settle:
            rounds[index].status = .settled
            let (settlement, credits) = settlement(index)
            return [.settled(settlement, by: account, round: number)] + credits
        }
    }

    /// Settles a round with its points so far.
    func settlement(_ index: Int) -> (CourseSettlement, [CourseEvent.Change]) {
        let round = rounds[index]
        let total = round.terms.price.units * BigUInt(round.students.count)
        let pool = total / 10
        let average = average
        let isEnough = round.rated.count >= 3 && 4 * round.rated.count >= round.students.count
        let percent = average == 100 ? 15 : average >= 80 ? 10 : average >= 60 ? 5 : 0
        let incentive = isEnough ? (pool * BigUInt(percent) + 50) / 100 : 0
        let (teacher, platform) = (total - pool + incentive, pool - incentive)
        let settlement = CourseSettlement(
            average: average,
            incentive: ItemSamples.amount(incentive),
            payout: CoursePayout(
                teacher: ItemSamples.amount(teacher),
                platform: ItemSamples.amount(platform)
            )
        )
        let credits = [(Self.teacher, teacher), (Self.platform, platform)].filter { $0.1 > 0 }
        return (settlement, credits.map { .credited(credit($0, $1, index)) })
    }

    static func opened(
        _ terms: CourseTerms,
        round: UInt64,
        by account: Address
    ) -> CourseEvent.Opened {
        CourseEvent.Opened(
            teacher: account,
            promise: promise,
            salt: .zero,
            round: round,
            terms: terms
        )
    }

    private func credit(
        _ account: Address,
        _ units: BigUInt,
        _ index: Int
    ) -> ContractMoney.Credit {
        ContractMoney.Credit(
            currency: rounds[index].terms.currency,
            account: account,
            amount: ItemSamples.amount(units)
        )
    }
}

/// A course in progress: model, fold and clock together.
struct CourseRun {
    static let terms = CourseTerms(
        currency: .native,
        price: Amount(small: 10_007),
        seats: 2,
        start: Samples.chainNow.advanced(by: .days(10)),
        end: Samples.chainNow.advanced(by: .days(20))
    )

    var model: CourseModel
    var course: Course
    var clock = EventClock()
    var money = ContractTotals()

    init(_ terms: CourseTerms = Self.terms, at time: ChainTime = Samples.chainNow) throws {
        model = CourseModel(terms)
        let opened = CourseModel.opened(terms, round: 0, by: CourseModel.teacher)
        course = try Course(
            opening: CourseEvent(
                sale: model.id,
                position: clock.position(at: time),
                change: .opened(opened)
            ),
            contract: CourseModel.contract,
            platform: CourseModel.platform
        )
    }

    /// Makes a move in model and fold, whether the contract accepts it or not.
    mutating func make(
        _ action: CourseMove.Action,
        _ round: UInt64 = 0,
        by account: Address,
        _ points: [UInt64] = [100, 100, 100, 100, 100],
        terms: CourseTerms? = nil,
        at time: ChainTime
    ) throws {
        let move = CourseMove(action, round: round)
        try apply(model.make(move, by: account, points, terms: terms), at: time)
    }

    /// Applies changes as the events of one transaction.
    mutating func apply(_ changes: [CourseEvent.Change], at time: ChainTime) throws {
        let positions = clock.positions(changes.count, at: time)
        for (change, position) in zip(changes, positions) {
            let event = CourseEvent(sale: model.id, position: position, change: change)
            try course.apply(event)
            money.add(course.taken(with: event), event.credit)
        }
    }
}
