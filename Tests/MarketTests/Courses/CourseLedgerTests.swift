import Keys
import Market
import Testing

struct CourseLedgerTests {
    private let bo = Samples.bo.address
    private let contract = CourseModel.contract.address
    private let terms = CourseRun.terms

    @Test func `a contract owes the payments, then the credits of accounts`() throws {
        var (ledger, model, clock) = try opened()
        try apply(model.make(CourseMove(.enrol, round: 0), by: bo), &ledger, model, &clock)
        #expect(ledger.money[contract]?.owed[.native] == terms.price)
        try apply(
            model.make(CourseMove(.cancel, round: 0), by: CourseModel.teacher),
            &ledger,
            model,
            &clock
        )
        #expect(ledger.money[contract]?.openCreditCount == 0)
        try apply(model.make(CourseMove(.refund, round: 0), by: bo), &ledger, model, &clock)
        #expect(ledger.money[contract]?.credit(of: bo, in: .native) == terms.price)
        #expect(ledger.sales[model.id]?.status.name == "cancelled")

        let credit = ContractMoney.Credit(currency: .native, account: bo, amount: terms.price)
        try ledger.apply(.init(of: contract, .withdrawn(credit, to: bo)))
        #expect(ledger.money[contract]?.owed[.native] == .zero)
        #expect(throws: SaleFault.wrongCredit) {
            try ledger.apply(.init(of: contract, .withdrawn(credit, to: bo)))
        }
    }

    @Test func `a course records its moves, and strangers cannot delay one`() throws {
        var (ledger, model, clock) = try opened()
        let teacher = CourseModel.teacher
        let opened = try #require(ledger.sales[model.id]).changedAt
        for student in [bo, ItemSamples.cleo] {
            let changes = model.make(CourseMove(.enrol, round: 0), by: student)
            try apply(changes, &ledger, model, &clock)
            #expect(ledger.sales[model.id]?.changedAt == opened)
        }
        try apply(
            model.make(CourseMove(.begin, round: 0), by: teacher),
            &ledger,
            model,
            &clock,
            at: terms.start
        )
        let begun = try #require(ledger.sales[model.id])
        #expect(begun.changedAt == begun.position && begun.changedAt != opened)
        try apply(
            model.make(CourseMove(.evaluate, round: 0), by: bo),
            &ledger,
            model,
            &clock,
            at: terms.start
        )
        let rated = try #require(ledger.sales[model.id])
        #expect(rated.changedAt == begun.changedAt && rated.position != begun.position)
        // The event of the begin names no account; it is the teacher.
        let steps = rated.history.map(\.move)
        #expect(steps.map(\.name) == ["list", "enrol", "enrol", "begin", "evaluate"])
        #expect(steps.map(\.account) == [teacher, bo, ItemSamples.cleo, teacher, bo])
        try apply(
            model.make(CourseMove(.settle, round: 0), by: bo),
            &ledger,
            model,
            &clock,
            at: terms.rateUntil
        )
        let settled = try #require(ledger.sales[model.id])
        #expect(settled.changedAt.blockNumber == settled.position.blockNumber)
        #expect(settled.stage == .over && settled.kind == .enrolment)
    }

    @Test func `a student who leaves is owed the price as a credit`() throws {
        var (ledger, model, clock) = try opened()
        try apply(model.make(CourseMove(.enrol, round: 0), by: bo), &ledger, model, &clock)
        try apply(model.make(CourseMove(.leave, round: 0), by: bo), &ledger, model, &clock)
        let money = try #require(ledger.money[contract])
        #expect(money.owed[.native] == terms.price)
        #expect(money.credit(of: bo, in: .native) == terms.price)
        #expect(ledger.sales[model.id]?.history.map(\.move.name) == ["list", "enrol", "leave"])
    }

    @Test func `refuses an event of an unknown contract or course without any change`() throws {
        var (ledger, model, clock) = try opened()
        let other = ItemSamples.stranger
        let changes = model.make(CourseMove(.enrol, round: 0), by: bo)
        let position = clock.position(at: Samples.chainNow)
        let event = CourseEvent(sale: model.id, position: position, change: changes[0])
        #expect(throws: SaleFault.otherSale) {
            try ledger.apply(.init(of: other, .sale(event)))
        }
        let unknown = CourseEvent(sale: SaleID(.zero), position: position, change: changes[0])
        #expect(throws: SaleFault.notListed) {
            try ledger.apply(.init(of: contract, .sale(unknown)))
        }
        #expect(ledger.sales.count == 1 && ledger.money[contract]?.owed.isEmpty == true)
        try ledger.apply(.init(of: contract, .sale(event)))
        let course = try #require(ledger.sales[model.id]?.state as? Course)
        #expect(course.rounds[0].enrolled == 1)
    }

    @Test func `refuses an event of another contract's course`() throws {
        let other = ItemSamples.stranger
        var ledger = ledger(of: [contract, other])
        var (model, clock) = (CourseModel(terms), EventClock())
        let opened = CourseModel.opened(terms, round: 0, by: CourseModel.teacher)
        try apply([.opened(opened)], &ledger, model, &clock)
        let changes = model.make(CourseMove(.enrol, round: 0), by: bo)
        let position = clock.position(at: Samples.chainNow)
        let event = CourseEvent(sale: model.id, position: position, change: changes[0])
        #expect(throws: SaleFault.otherSale) {
            try ledger.apply(.init(of: other, .sale(event)))
        }
    }

    private func ledger(of contracts: [Address]) -> SaleLedger {
        let course = SaleLedger.Contract(kind: .enrolment, fees: ItemSamples.fees)
        return SaleLedger(
            chain: Samples.chain,
            contracts: Dictionary(contracts.map { ($0, course) }) { $1 },
            folds: SaleFolds([Course.self])
        )
    }

    private func opened() throws -> (SaleLedger, CourseModel, EventClock) {
        var ledger = ledger(of: [contract])
        var clock = EventClock()
        let model = CourseModel(terms)
        let opened = CourseModel.opened(terms, round: 0, by: CourseModel.teacher)
        try apply([.opened(opened)], &ledger, model, &clock)
        return (ledger, model, clock)
    }

    private func apply(
        _ changes: [CourseEvent.Change],
        _ ledger: inout SaleLedger,
        _ model: CourseModel,
        _ clock: inout EventClock,
        at time: ChainTime = Samples.chainNow
    ) throws {
        let positions = clock.positions(changes.count, at: time)
        for (change, position) in zip(changes, positions) {
            let event = CourseEvent(sale: model.id, position: position, change: change)
            try ledger.apply(.init(of: contract, .sale(event)))
        }
    }
}
