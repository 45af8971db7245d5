import Contracts
import Ethereum
import Keys
import Market
import Testing

/// Random courses, recorded from the contract step by step.
///
/// `STOA_TRACES` replays long files in place of the committed ones.
struct CourseTraceTests {
    @Test func `the course fold agrees with the contract after every step`() throws {
        let file = try TraceFiles.read("course", as: CourseTraceFile.self)
        let contract = CoursesContract(address: try Address(text: file.courses))
        var steps = 0
        for trace in file.traces {
            var ledger = try Self.ledger(file)
            for (height, step) in trace.steps.enumerated() {
                let comment: Comment = "trace \(trace.seed), step \(height), \(step.move)"
                #expect((step.refused == nil) != (step.logs == nil), comment)
                for (index, log) in (step.logs ?? []).enumerated() {
                    let position = TraceFiles.position(
                        height: height,
                        index: index,
                        time: step.time
                    )
                    let event = try contract.decode(log.log(of: contract.address), at: position)
                    try ledger.apply(event)
                }
                let id = SaleID(try #require(Bytes32(hex: trace.id)))
                let course = try #require(ledger.sales[id]?.state as? Course, comment)
                if step.refused == nil {
                    try expect(course, contract, step, trace, comment)
                    try expect(ledger.money[contract.address], step, comment)
                }
                steps += 1
            }
        }
        #expect(file.traces.count >= 10)
        print("course traces: \(file.traces.count) courses, \(steps) steps")
    }

    private static func ledger(_ file: CourseTraceFile) throws -> SaleLedger {
        let fees = MarketFees(
            platformBasisPoints: 0,
            makerBasisPoints: 0,
            platform: try Address(text: file.platform)
        )
        let courses = SaleLedger.Contract(kind: .enrolment, fees: try #require(fees))
        return SaleLedger(
            chain: ChainID(file.chainId),
            contracts: [try Address(text: file.courses): courses],
            folds: SaleFolds([Course.self])
        )
    }

    private func expect(
        _ course: Course,
        _ contract: CoursesContract,
        _ step: CourseTraceFile.Step,
        _ trace: CourseTraceFile.Trace,
        _ comment: Comment
    ) throws {
        #expect(!course.isIncomplete, comment)
        let round = try #require(course.round(step.round), comment)
        try expectStored(course, round, contract, step, comment)
        let student = round.students[try Address(text: #require(trace.roles[step.role]))]
        let flags = [
            ("is_student", student != nil), ("has_rated", student?.points != nil),
            ("has_refunded", student?.isRefunded == true),
        ]
        let account = try #require(step.account, comment)
        #expect(flags.filter(\.1).map(\.0) == account, comment)
        for view in try #require(step.views, comment) {
            for (role, text) in trace.roles {
                let time = ChainTime(seconds: view.time)
                let moves = course.actions(for: try Address(text: text), at: time).moves
                let names = moves.map { "\($0.move.action.name):\($0.move.round)" }
                let open = (view.open[role] ?? "").split(separator: " ").map(String.init)
                #expect(Set(names) == Set(open), comment)
            }
        }
    }

    /// Encodes what the contract's views answer as it does, and compares what the binding decodes.
    private func expectStored(
        _ course: Course,
        _ round: CourseRound,
        _ contract: CoursesContract,
        _ step: CourseTraceFile.Step,
        _ comment: Comment
    ) throws {
        let (sums, shown) = (try #require(step.course, comment), try #require(step.shown, comment))
        let interface = Artifact.courses.interface
        let courseValue = ABIValue.tuple([
            .address(course.teacher), .bytes32(course.promise), .small(sums.rounds),
            .array(sums.points.map { .small($0) }), .small(sums.raters),
        ])
        let courseData = try interface.function("course").encodeResult([courseValue])
        let stored = try contract.course(course.reference.id).decode(courseData)
        #expect(try #require(stored, comment).agrees(with: course), comment)
        #expect(course.rating.points == sums.points && course.rating.raters == sums.raters, comment)
        #expect(UInt64(course.rounds.count) == sums.rounds, comment)

        let hash = try #require(Bytes32(hex: shown.termsHash), comment)
        let roundValue = ABIValue.tuple([
            .small(shown.status), .bytes32(hash), .small(shown.enrolled), .small(shown.raters),
            .small(shown.points), .amount(try #require(Amount(decimal: shown.price), comment)),
        ])
        let roundData = try interface.function("round_of").encodeResult([roundValue])
        let view = contract.round(step.round, of: course.reference.id)
        #expect(try #require(try view.decode(roundData), comment).agrees(with: round), comment)
        #expect(round.status.number == shown.status && round.terms.hash == hash, comment)
        #expect(round.enrolled == shown.enrolled && round.raters == shown.raters, comment)

        // What a node asks before a move. A move in an earlier round leaves the last one as it was.
        guard step.round == course.lastRound else { return }
        let stateData = try interface.function("state").encodeResult([courseValue, roundValue])
        let state = try #require(try contract.stored(course.reference.id).decode(stateData))
        #expect(state.agrees(with: course) && state.stage == course.status.stage, comment)
    }

    private func expect(
        _ money: ContractMoney?,
        _ step: CourseTraceFile.Step,
        _ comment: Comment
    ) throws {
        let money = try #require(money, comment)
        let owed = try #require(step.owed, comment)
        let found = money.owed.filter { !$0.value.isZero }
        #expect(found.count == owed.count, comment)
        for (currency, amount) in owed {
            let currency = Currency(address: try Address(text: currency))
            #expect(found[currency]?.decimal == amount, comment)
        }
        let credits = try #require(step.credits, comment)
        #expect(money.openCreditCount == credits.values.map(\.count).reduce(0, +), comment)
        for (currency, accounts) in credits {
            let currency = Currency(address: try Address(text: currency))
            for (account, amount) in accounts {
                let credit = money.credit(of: try Address(text: account), in: currency)
                #expect(credit.decimal == amount, comment)
            }
        }
    }
}
