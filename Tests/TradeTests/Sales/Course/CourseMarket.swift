import Contracts
import Keys
import Market
import Support
import Testing
import Trade

/// A market with courses, and their states as events make them, without a chain.
struct CourseMarket {
    static let start = ChainTime(seconds: 1_763_700_000)
    static let ana = testKey(1).address
    static let bo = testKey(2).address
    static let cy = testKey(5).address
    static let dee = testKey(6).address
    static let token = testKey(4).address
    static let address = testKey(24).address
    static let terms = CourseTerms(
        currency: .native,
        price: Amount(small: 10_007),
        seats: 2,
        start: start.advanced(by: .days(10)),
        end: start.advanced(by: .days(20))
    )

    let market: DeployedMarket
    let contract: DeployedMarket.Contract

    init() throws {
        market = DeployedMarket(fees: .points(200, 100), tokens: [Self.token])
            .with(.enrolment, at: Self.address)
        contract = try #require(market.contract(for: .enrolment))
    }

    func index(confirmations: UInt64 = 1) -> SaleIndex {
        SaleIndex(deployment: market, confirmations: confirmations, clock: ManualClock())
    }
}

/// A course as its contract's events make it.
struct CourseSteps {
    private(set) var events: [CourseEvent] = []
    private(set) var state: Course
    private let platform: Address
    private var height: UInt64 = 10

    init(_ terms: CourseTerms = CourseMarket.terms, in courses: CourseMarket) throws {
        let contract = courses.market.reference(to: courses.contract)
        platform = courses.contract.fees.platform
        let opened = CourseEvent.Opened(
            teacher: CourseMarket.ana,
            promise: Bytes32(repeating: 9),
            salt: .zero,
            round: 0,
            terms: terms
        )
        let id = SaleID(
            contract: contract,
            teacher: opened.teacher,
            salt: opened.salt,
            promise: opened.promise
        )
        let first = CourseEvent(
            sale: id,
            position: ItemMarket.position(10, at: CourseMarket.start),
            change: .opened(opened)
        )
        events = [first]
        state = try Course(opening: first, contract: contract, platform: platform)
    }

    var sale: Sale { Sale(state) }
    var terms: CourseTerms { state.current.terms }

    /// Makes a move in the last round, whose events are the contract's.
    mutating func make(
        _ action: CourseMove.Action,
        by account: Address = CourseMarket.ana,
        points: [UInt64] = [90, 80, 70, 60, 50],
        terms next: CourseTerms? = nil,
        round: UInt64? = nil,
        at time: ChainTime = CourseMarket.start
    ) throws {
        let number = round ?? state.lastRound
        let price = try #require(state.round(number)).terms.price
        switch action {
        case .open: return
        case .repeat:
            let opened = CourseEvent.Opened(
                teacher: account,
                promise: state.promise,
                salt: .zero,
                round: number + 1,
                terms: next ?? terms
            )
            try apply([.opened(opened)], at: time)
        case .enrol:
            let enrolled = state.current.enrolled + 1
            let change = CourseEvent.Change.enrolled(
                student: account,
                round: number,
                enrolled: enrolled
            )
            try apply([change], at: time)
        case .leave:
            let enrolled = state.current.enrolled - 1
            let left = CourseEvent.Change.left(
                student: account,
                round: number,
                enrolled: enrolled
            )
            try apply([left, credit(account, price)], at: time)
        case .begin: try apply([.begun(round: number)], at: time)
        case .cancel: try apply([.cancelled(by: account, round: number)], at: time)
        case .refund:
            let credit = credit(account, price)
            try apply(
                [.refunded(student: account, round: number, amount: price), credit],
                at: time
            )
        case .evaluate:
            let points = try #require(CoursePoints(points))
            try apply([.evaluated(student: account, round: number, points: points)], at: time)
        case .settle:
            let settlement = state.settlement
            let parts = [
                (state.teacher, settlement.payout.teacher), (platform, settlement.payout.platform),
            ]
            let credits = parts.filter { !$0.1.isZero }.map { credit($0.0, $0.1) }
            try apply([.settled(settlement, by: account, round: number)] + credits, at: time)
        }
    }

    private func credit(_ account: Address, _ amount: Amount) -> CourseEvent.Change {
        .credited(
            ContractMoney.Credit(currency: terms.currency, account: account, amount: amount)
        )
    }

    private mutating func apply(_ changes: [CourseEvent.Change], at time: ChainTime) throws {
        height += 1
        for (index, change) in changes.enumerated() {
            let event = CourseEvent(
                sale: state.reference.id,
                position: ItemMarket.position(height, UInt64(index), at: time),
                change: change
            )
            try state.apply(event)
            events.append(event)
        }
    }
}
