import AccountAccess
import Answers
import Client
import Ethereum
import Foundation
import Keys
import Market
import Storage
import Support
import Testing
import Trade

@Suite(.timeLimit(.minutes(1)))
struct OperationRunnerTests {
    let folder: TemporaryFolder
    let store: Store
    let events: AccountEventLog
    let log: OperationLog
    let inbox = OperationInbox()
    let sender: ScriptedSender
    let publishing = ScriptedPublishing()
    let clock = TurnedClock()
    let account = testKey(1).address

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path, mapBytes: 1 << 26)
        events = AccountEventLog(store: store)
        log = OperationLog(store: store, events: events, clock: clock)
        sender = ScriptedSender(inbox: inbox)
    }

    private static let fee = Sentence("progress.fee", ["gas": "1", "fee": "7 native 1"])
    static let plan = OperationPlan(
        purpose: "list",
        steps: [Intent.Step(to: testKey(2).address, value: Amount(small: 3), data: [4])],
        publications: [
            OperationPlan.Publication(
                kind: .listing,
                slot: Bytes32(repeating: 5),
                payload: []
            )
        ]
    )

    func runner(_ indexes: [SaleIndex] = []) -> OperationRunner {
        OperationRunner(
            log: log,
            senders: sender,
            publishing: publishing,
            saleIndexes: SaleIndexes(indexes),
            inbox: inbox,
            signingDeadline: SigningDeadline(clock: clock),
            logger: quiet
        )
    }

    func request(_ request: String = "a", key: String = "key") throws -> OperationRequest {
        try OperationRequest(.list, [request], by: account, key: key)
    }

    func begin(
        _ runner: OperationRunner,
        key: String = "key",
        on chain: ChainID? = nil
    ) async throws -> Client.Operation {
        try await runner.begin(
            try request(key: key),
            subject: "subject",
            plan: Self.plan,
            fees: AgreedFees(limits: [], feeMax: Amount(small: 7), words: Self.fee),
            on: chain
        )
    }

    /// Runs until the operation is as wanted.
    func run(
        _ runner: OperationRunner,
        _ id: String,
        until condition: (Client.Operation) -> Bool
    ) async throws -> Client.Operation {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await runner.run() }
            defer { group.cancelAll() }
            for try await _ in events.events(of: account, after: 0) {
                let operation = try log.entry(id, account: account).operation
                if condition(operation) { return operation }
            }
            throw StreamEnded()
        }
    }

    @Test func `passes through its phases and publishes once at the end`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        #expect(begun.phases.first?.notes == [Self.fee])
        try await sender.set(.final)

        let done = try await run(runner, begun.id) { $0.state == .done }

        #expect(done.phases.count == 6 && done.phases.allSatisfy { $0.state == .done })
        #expect(sender.intents == [Self.plan.intent(operation: begun.id)])
        #expect(publishing.publications == Self.plan.publications)
    }

    @Test func `reports its end, its last phase and the news together`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.final)
        publishing.set(.done(News("listing", subject: "it", data: ["state": "published"])))
        // Every account of the node is told the news.
        try await store.write { [account] in try $0.put(AccountEntries.self, account, []) }
        _ = try await run(runner, begun.id) { $0.state == .done }

        let page = try store.read { try $0.events(of: account, after: 0, limit: 100) }
        let told = try page.events.suffix(3).map { try $0.event.shown($0.number) }
        #expect(told.map(\.type) == ["operation", "listing", "operation"])
        #expect(told.first?.data["phase"] == "confirmed")
        #expect(told.last?.data["phase"] == "published")
        #expect(told.last?.data["phaseState"] == "done" && told.last?.data["state"] == "done")
    }

    @Test func `the sender's progress reaches the operation without polling`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        let told: [(SendPhase, Client.Operation.Phase.Name)] = [
            (.signed, .sent), (.sent, .mined), (.mined(confirmations: 1, of: 3), .confirmed),
        ]
        for (phase, name) in told {
            try await sender.set(phase)
            _ = try await run(runner, begun.id) { operation in
                operation.phases.contains { $0.name == name && $0.state == .running }
            }
        }
        try await sender.set(.final)
        _ = try await run(runner, begun.id) { $0.state == .done }

        #expect(sender.callCount == 1, "it is submitted")
    }

    @Test(arguments: [SendPhase.keyUsedElsewhere, .nonceAwaited(3)])
    func `does not show a step as sent while it waits for its owner`(
        phase: SendPhase
    ) async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.sent)
        let sent = try await run(runner, begun.id) { operation in
            operation.phases.contains { $0.name == .sent && $0.state == .done }
        }
        #expect(sent.phases.prefix(3).allSatisfy { $0.state == .done })

        try await sender.set(phase)
        let waiting = try await run(self.runner(), begun.id) { $0.phases[0].state == .running }
        #expect(waiting.phases[0].detail?.contains("acknowledge that") == true)
        #expect(waiting.phases.dropFirst().allSatisfy { $0.state == .waiting })
        #expect(waiting.phases.allSatisfy { $0.endedAt == nil })
    }

    @Test func `publishes nothing before the transaction is final`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.mined(confirmations: 1, of: 3))

        let shown = try await run(runner, begun.id) {
            $0.phases.contains { $0.detail == "1 of 3" }
        }

        #expect(shown.state == .running)
        #expect(publishing.publications.isEmpty)
    }

    @Test func `a new run resumes the operations of the previous one`() async throws {
        let begun = try await begin(runner())
        try await sender.set(.final)

        _ = try await run(runner(), begun.id) { $0.state == .done }

        #expect(sender.intents.map(\.id) == [OperationPlan.intentID(operation: begun.id)])
        #expect(publishing.publications.count == 1)
    }

    @Test func `waits for the owner to sign a record before it publishes`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.final)
        publishing.set(.locked)
        let waiting = try await run(runner, begun.id) { $0.state == .needsUnlock }
        #expect(waiting.phases.last?.state != .done)

        publishing.set(.done(nil))
        let done = try await run(self.runner(), begun.id) { $0.state == .done }

        #expect(done.problem == nil)
    }

    /// - From people: too many operations at once → in_progress
    @Test func `limits the operations of one account at a time`() async throws {
        let runner = runner()
        for number in 0..<64 {
            let request = try OperationRequest(.list, [number], by: account, key: "\(number)")
            let step = Intent.Step(
                to: testKey(2).address,
                value: Amount(small: 100 + UInt64(number)),
                data: []
            )
            _ = try await runner.begin(
                request,
                subject: nil,
                plan: OperationPlan(purpose: "list", steps: [step]),
                fees: nil
            )
        }
        let refusal = await #expect(throws: Refusal.self) { try await begin(runner) }
        #expect(refusal?.code == .inProgress)
        #expect(refusal?.detail.contains("wait for some to end") == true)
    }

    @Test func `drops an operation that waited a day for its owner, unsent`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.needsUnlock)
        clock.advance(by: 86_400)
        let waiting = try await run(runner, begun.id) { $0.state == .needsUnlock }
        #expect(waiting.problem == nil)
        #expect(sender.dropped.isEmpty)

        clock.advance(by: 1)
        let failed = try await run(self.runner(), begun.id) { $0.state == .failed }

        #expect(failed.problem?.code == ProblemCode.waitedTooLong.rawValue)
        #expect(failed.problem?.detail.contains("more than 24 hours ago") == true)
        #expect(failed.phases.first?.state == .failed)
        #expect(sender.dropped == [OperationPlan.intentID(operation: begun.id)])
        #expect(publishing.publications.isEmpty)
    }

    /// - From people: an operation that waited more than a day for a transaction of a wallet
    ///   outside the node, which may have sent it → waited_too_long
    @Test func `admits that a wallet may have sent its transaction`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.awaitsSignature)
        _ = try await run(runner, begun.id) { $0.state == .needsSignature }
        clock.advance(by: 86_401)
        let failed = try await run(self.runner(), begun.id) { $0.state == .failed }
        #expect(failed.problem?.code == ProblemCode.waitedTooLong.rawValue)
        let detail = failed.problem?.detail ?? ""
        #expect(detail.contains("If your wallet has sent the transaction"), "\(detail)")
        #expect(!detail.contains("nothing was sent"))
    }

    @Test func `continues a signed operation, however old it is`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        clock.advance(by: 30 * 86_400)
        try await sender.set(.needsUnlock)
        sender.set(isSigned: true)
        let waiting = try await run(runner, begun.id) { $0.state == .needsUnlock }
        #expect(waiting.problem == nil)

        try await sender.set(.final)
        publishing.set(.locked)
        _ = try await run(self.runner(), begun.id) { $0.phases.last?.state == .running }
        publishing.set(.done(nil))
        let done = try await run(self.runner(), begun.id) { $0.state == .done }
        #expect(done.problem == nil)
        #expect(publishing.publications.count == 1)
    }

    @Test func `also drops an old operation that only has to publish`() async throws {
        let runner = runner()
        let plan = OperationPlan(purpose: "edit", steps: [], publications: Self.plan.publications)
        let request = try OperationRequest(.edit, ["edit"], by: account, key: "edit")
        publishing.set(.locked)
        let begun = try await runner.begin(request, subject: nil, plan: plan, fees: nil)
        _ = try await run(runner, begun.id) { $0.state == .needsUnlock }
        clock.advance(by: 86_401)
        publishing.set(.done(nil))

        let failed = try await run(self.runner(), begun.id) { $0.state == .failed }

        #expect(failed.problem?.code == ProblemCode.waitedTooLong.rawValue)
        #expect(publishing.publications.isEmpty)
    }

    @Test func `a failed transaction fails the operation and publishes nothing`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.reverted)

        let failed = try await run(runner, begun.id) { $0.state == .failed }

        #expect(failed.problem?.code == ProblemCode.contractRefused.rawValue)
        #expect(publishing.publications.isEmpty)
    }

    @Test func `signs nothing for a removed account's operations after its return`() async throws {
        let runner = runner()
        let begun = try await begin(runner)
        try await sender.set(.needsUnlock)
        _ = try await run(runner, begun.id) { $0.state == .needsUnlock }
        let intent = OperationPlan.intentID(operation: begun.id)
        #expect(sender.kept == [[intent]])
        try await store.write { [account] in try $0.removeAccount(account) }
        // The account is back, and asks for the same.
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await runner.run() }
            while sender.kept.count < 2 { await Task.yield() }
            group.cancelAll()
        }
        #expect(sender.kept.last == [])
        let again = try await begin(runner, key: "other")
        #expect(again.id != begun.id)
        let waiting = try await run(runner, again.id) { $0.state == .needsUnlock }
        #expect(waiting.problem == nil)
    }
}
