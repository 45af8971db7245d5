import Keys
import Market
import Testing

struct CourseLedgerTests {
    private let bo = Samples.bo.address
    private let contract = CourseModel.contract.address
    private let terms = CourseRun.terms

    @Test func `a contract owes what students paid, then what accounts can withdraw`() throws {
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
        #expect(ledger.courses[model.id]?.status == .cancelled)

        let credit = ContractMoney.Credit(currency: .native, account: bo, amount: terms.price)
        try ledger.apply(.init(of: contract, .withdrawn(credit, to: bo)))
        #expect(ledger.money[contract]?.owed[.native] == .zero)
        #expect(throws: SaleFault.wrongCredit) {
            try ledger.apply(.init(of: contract, .withdrawn(credit, to: bo)))
        }
    }

    @Test func `an event of an unknown contract or course is refused and changes nothing`() throws {
        var (ledger, model, clock) = try opened()
        let other = ItemSamples.stranger
        let changes = model.make(CourseMove(.enrol, round: 0), by: bo)
        let position = clock.position(at: Samples.chainNow)
        let event = CourseEvent(course: model.id, position: position, change: changes[0])
        #expect(throws: SaleFault.otherSale) {
            try ledger.apply(.init(of: other, .course(event)))
        }
        let unknown = CourseEvent(course: SaleID(.zero), position: position, change: changes[0])
        #expect(throws: SaleFault.notListed) {
            try ledger.apply(.init(of: contract, .course(unknown)))
        }
        #expect(ledger.courses.count == 1 && ledger.money[contract]?.owed.isEmpty == true)
        try ledger.apply(.init(of: contract, .course(event)))
        #expect(ledger.courses[model.id]?.rounds[0].enrolled == 1)
    }

    @Test func `an event of a course that another contract has is refused`() throws {
        let other = ItemSamples.stranger
        var ledger = CourseLedger(
            chain: Samples.chain,
            platforms: [contract: CourseModel.platform, other: CourseModel.platform]
        )
        var (model, clock) = (CourseModel(terms), EventClock())
        let opened = CourseModel.opened(terms, round: 0, by: CourseModel.teacher)
        try apply([.opened(opened)], &ledger, model, &clock)
        let changes = model.make(CourseMove(.enrol, round: 0), by: bo)
        let position = clock.position(at: Samples.chainNow)
        let event = CourseEvent(course: model.id, position: position, change: changes[0])
        #expect(throws: SaleFault.otherSale) {
            try ledger.apply(.init(of: other, .course(event)))
        }
    }

    private func opened() throws -> (CourseLedger, CourseModel, EventClock) {
        var ledger = CourseLedger(
            chain: Samples.chain,
            platforms: [contract: CourseModel.platform]
        )
        var clock = EventClock()
        let model = CourseModel(terms)
        let opened = CourseModel.opened(terms, round: 0, by: CourseModel.teacher)
        try apply([.opened(opened)], &ledger, model, &clock)
        return (ledger, model, clock)
    }

    private func apply(
        _ changes: [CourseEvent.Change],
        _ ledger: inout CourseLedger,
        _ model: CourseModel,
        _ clock: inout EventClock
    ) throws {
        let positions = clock.positions(changes.count, at: Samples.chainNow)
        for (change, position) in zip(changes, positions) {
            let event = CourseEvent(course: model.id, position: position, change: change)
            try ledger.apply(.init(of: contract, .course(event)))
        }
    }
}
