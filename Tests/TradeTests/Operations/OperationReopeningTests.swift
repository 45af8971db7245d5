import AccountAccess
import Answers
import Client
import Ethereum
import Keys
import Market
import Storage
import Support
import Testing

@testable import Trade

/// What operations do with consents to list an item again, without a chain.
///
/// Trade is imported as testable: requests of the node itself are made inside of it.
@Suite(.timeLimit(.minutes(1)))
struct OperationReopeningTests {
    private let base: OperationRunnerTests
    private static let slot = Bytes32(repeating: 5)
    private static let sale = SaleID(Bytes32(repeating: 7))
    private static let consent = ReopeningConsent(
        sale: SaleReference(
            contract: ContractReference(chain: ChainID(1), address: testKey(9).address),
            id: sale
        ),
        first: SaleID(Bytes32(repeating: 6)),
        slot: slot,
        until: ChainTime(seconds: 1_763_700_000),
        feeMax: Amount(small: 4)
    )

    init() throws { base = try OperationRunnerTests() }

    private static func plan(
        _ number: UInt64 = 1,
        slot: Bytes32? = slot,
        reopening: OperationPlan.Reopening? = nil
    ) -> OperationPlan {
        OperationPlan(
            purpose: "edit",
            steps: [Intent.Step(to: testKey(2).address, value: Amount(small: number), data: [])],
            publications: slot.map { [.init(kind: .listing, slot: $0, payload: [])] } ?? [],
            reopening: reopening
        )
    }

    private var automatic: OperationPlan { Self.plan(2, reopening: .automatic(Self.sale)) }

    private func begin(
        _ plan: OperationPlan,
        _ kind: Client.Operation.Kind = .edit,
        on runner: OperationRunner,
        about subject: String? = nil,
        byOwner: Bool = true
    ) async throws -> Client.Operation {
        let name = "\(kind) \(plan.steps.first?.value.decimal ?? "")"
        var request = try OperationRequest(kind, [name], by: base.account, key: name)
        if !byOwner { request = request.limited(to: Amount(small: 4)) }
        return try await runner.begin(request, subject: subject, plan: plan, fees: nil)
    }

    private func agree() async throws {
        try await base.store.write { [account = base.account] in
            try $0.putReopeningConsent(Self.consent, by: account)
        }
    }

    private var isAgreed: Bool {
        get throws { try base.log.agrees(base.account, toReopen: Self.sale) }
    }

    private var told: [Client.Event] {
        get throws {
            try base.store.read { try $0.events(of: base.account, after: 0, limit: 100) }
                .events.map { try $0.event.shown($0.number) }
                .filter { $0.type == "reopening" }
        }
    }

    @Test func `an acceptance keeps the consent once it is done`() async throws {
        let runner = base.runner()
        let begun = try await begin(Self.plan(reopening: .agreed(Self.consent)), on: runner)
        #expect(try !isAgreed)
        try await base.sender.set(.final)
        // As after a restart in between.
        _ = try await base.run(base.runner(), begun.id) { $0.state == .done }
        let kept = try base.store.read { try $0.reopeningConsents(by: base.account) }
        #expect(kept == [Self.consent])
    }

    @Test func `a move in the new sale before its acceptance is done leaves no consent`()
        async throws
    {
        let runner = base.runner()
        let begun = try await begin(Self.plan(reopening: .agreed(Self.consent)), on: runner)
        let move = Self.plan(3, slot: nil)
        _ = try await begin(move, .move, on: runner, about: Self.sale.description)
        try await base.sender.set(.final)
        _ = try await base.run(runner, begun.id) { $0.state == .done }
        #expect(try !isAgreed)
    }

    @Test func `a failed acceptance leaves no consent`() async throws {
        let runner = base.runner()
        let begun = try await begin(Self.plan(reopening: .agreed(Self.consent)), on: runner)
        try await base.sender.set(.reverted)
        _ = try await base.run(runner, begun.id) { $0.state == .failed }
        #expect(try !isAgreed)
    }

    @Test func `the consent ends with the operation that carries it out`() async throws {
        try await agree()
        let runner = base.runner()
        let begun = try await begin(automatic, on: runner, byOwner: false)
        #expect(try isAgreed)
        try await base.sender.set(.final)
        _ = try await base.run(runner, begun.id) { $0.state == .done }
        #expect(try !isAgreed)
        let told = try told
        #expect(told.map { $0.data["state"] } == ["listed"])
        #expect(told.first?.subject == Self.sale.description)
        #expect(told.first?.words?.map(\.code) == ["reopening.done"])
    }

    @Test func `nothing is listed again without a consent`() async throws {
        let runner = base.runner()
        let refused = await #expect(throws: Refusal.self) {
            try await begin(automatic, on: runner, byOwner: false)
        }
        #expect(refused?.reason?.first?.code == "refusal.reopeningEnded")
    }

    @Test(arguments: [
        (Client.Operation.Kind.edit, true), (.withdraw, true), (.move, false),
    ])
    func `the owner's operation ends the consent, and goes first`(
        kind: Client.Operation.Kind,
        publishes: Bool
    ) async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        try await base.sender.set(.needsUnlock)
        _ = try await base.run(runner, own.id) { $0.state == .needsUnlock }

        let plan = Self.plan(3, slot: publishes ? Self.slot : nil)
        let begun = try await begin(plan, kind, on: runner, about: Self.sale.description)
        #expect(begun.state == .running)
        #expect(try !isAgreed)
        #expect(base.sender.dropped == [OperationPlan.intentID(operation: own.id)])
        let dropped = try base.log.entry(own.id, account: base.account).operation
        #expect(dropped.problem?.reason?.first?.code == "refusal.reopeningEnded")
    }

    @Test func `an operation that was never submitted ends without its sender`() async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        _ = try await begin(Self.plan(3), .withdraw, on: runner)
        let ended = try base.log.entry(own.id, account: base.account).operation
        #expect(ended.problem?.reason?.first?.code == "refusal.reopeningEnded")
        #expect(base.sender.intents.isEmpty && base.sender.dropped.isEmpty)
    }

    /// - From people: another listing with the transactions of one under way → in_progress
    @Test func `a refused request of the owner ends nothing`() async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        _ = try await begin(Self.plan(3, slot: nil), .collect, on: runner)
        let refused = await #expect(throws: Refusal.self) {
            try await begin(Self.plan(3), on: runner)
        }
        #expect(refused?.code == .inProgress)
        #expect(try base.log.entry(own.id, account: base.account).operation.isRunning)
        #expect(try isAgreed)
    }

    @Test func `an operation that waits for its account is dropped unsigned`() async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        #expect(await !runner.book.waitsForUnlock(reopening: Self.sale))
        try await base.sender.set(.needsUnlock)
        _ = try await base.run(runner, own.id) { $0.state == .needsUnlock }
        #expect(await runner.book.waitsForUnlock(reopening: Self.sale))
        base.sender.set(isSigned: true)
        #expect(try await !runner.dropReopening(of: Self.sale))
        base.sender.set(isSigned: false)
        #expect(try await runner.dropReopening(of: Self.sale))
        let ended = try base.log.entry(own.id, account: base.account).operation
        #expect(ended.problem?.reason?.first?.code == "refusal.reopeningLocked")
        // The item is listed again after the next sign-in, if its sale is still there.
        #expect(try isAgreed)
    }

    /// - From people: a move in a sale whose item the node is just listing again → in_progress
    @Test func `a signed operation is finished before the owner's`() async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        try await base.sender.set(.sent)
        _ = try await base.run(runner, own.id) { operation in
            operation.phases.contains { $0.name == .mined && $0.state == .running }
        }
        base.sender.set(isSigned: true)
        for (kind, slot) in [(Client.Operation.Kind.edit, Self.slot), (.move, nil)] {
            let refused = await #expect(throws: Refusal.self) {
                try await begin(
                    Self.plan(3, slot: slot),
                    kind,
                    on: runner,
                    about: Self.sale.description
                )
            }
            #expect(refused?.code == .inProgress)
        }
        #expect(try isAgreed && base.sender.dropped.isEmpty)
    }

    @Test func `moves of the node and other items leave the consent alone`() async throws {
        try await agree()
        let runner = base.runner()
        _ = try await begin(
            Self.plan(3, slot: nil),
            .move,
            on: runner,
            about: Self.sale.description,
            byOwner: false
        )
        _ = try await begin(Self.plan(4, slot: Bytes32(repeating: 9)), .withdraw, on: runner)
        _ = try await begin(Self.plan(5, slot: nil), .move, on: runner, about: "another sale")
        #expect(try isAgreed)
    }

    /// - From people: cancelling at a fee below the pools' minimum → fee_above_limit
    @Test func `cancelling the node's operation ends the consent`() async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        let replacer = OperationReplacer(runner: runner)
        try await base.sender.set(.overdue)
        _ = try await replacer.replace(own.id, with: .speedUp, by: base.account)
        let refused = await #expect(throws: Refusal.self) {
            try await replacer.replace(own.id, with: .cancel, feeMax: "49", by: base.account)
        }
        #expect(refused?.code == .feeAboveLimit)
        #expect(try isAgreed)
        _ = try await replacer.replace(own.id, with: .cancel, by: base.account)
        #expect(try !isAgreed)
        #expect(base.sender.replaced.count == 2)
    }

    @Test func `a free cancellation ends the consent too`() async throws {
        try await agree()
        let runner = base.runner()
        let own = try await begin(automatic, on: runner, byOwner: false)
        base.sender.set(isFree: true)
        _ = try await OperationReplacer(runner: runner)
            .replace(own.id, with: .cancel, by: base.account)
        #expect(try !isAgreed)
        #expect(base.sender.withdrawn == [OperationPlan.intentID(operation: own.id)])
    }

    @Test func `another text of the listing leaves the consent alone`() async throws {
        try await agree()
        let publication = OperationPlan.Publication(kind: .listing, slot: Self.slot, payload: [])
        let text = OperationPlan(purpose: "edit", steps: [], publications: [publication])
        _ = try await begin(text, on: base.runner())
        #expect(try isAgreed)
    }

    @Test func `a restart drops what the owner no longer wants`() async throws {
        try await agree()
        let own = try await begin(automatic, on: base.runner(), byOwner: false)
        try await base.store.write { [account = base.account] transaction in
            _ = try transaction.endReopeningConsent(to: Self.sale, by: account)
        }
        let failed = try await base.run(base.runner(), own.id) { !$0.isRunning }
        #expect(failed.problem?.reason?.first?.code == "refusal.reopeningEnded")
        #expect(base.sender.dropped == [OperationPlan.intentID(operation: own.id)])
        #expect(try told.isEmpty)
    }
}
