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

/// The text that an operation discloses once it is final, such as the address of a purchase.
@Suite(.timeLimit(.minutes(1)))
struct OperationDisclosureTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let events: AccountEventLog
    private let log: OperationLog
    private let inbox = OperationInbox()
    private let sender: ScriptedSender
    private let publishing = ScriptedPublishing()
    private let account = testKey(1).address

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.path, mapBytes: 1 << 26)
        events = AccountEventLog(store: store)
        log = OperationLog(store: store, events: events)
        sender = ScriptedSender(inbox: inbox)
    }

    private static let disclosure = OperationPlan.Disclosure(
        sale: SaleID(Bytes32(repeating: 5)),
        .note(readers: [testKey(3).address]),
        sealed: [6]
    )

    /// A runner, as after a restart.
    private func runner() -> OperationRunner {
        OperationRunner(
            log: log,
            senders: sender,
            publishing: publishing,
            saleIndexes: SaleIndexes([]),
            inbox: inbox,
            signingDeadline: SigningDeadline(),
            logger: quiet
        )
    }

    private func begin() async throws -> Client.Operation {
        try await runner().begin(
            try OperationRequest(.buy, ["a"], by: account, key: "key"),
            subject: "subject",
            plan: OperationPlan(
                purpose: "buy",
                steps: [Intent.Step(to: testKey(2).address, data: [4])],
                disclosure: Self.disclosure
            ),
            fees: nil
        )
    }

    private func run(
        _ id: String,
        until condition: (Client.Operation) -> Bool
    ) async throws -> Client.Operation {
        let runner = runner()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await runner.run() }
            defer { group.cancelAll() }
            for try await _ in events.events(of: account, after: 0) {
                let operation = try log.entry(id, account: account).operation
                if condition(operation) { return operation }
            }
            throw StreamEnded()
        }
    }

    @Test func `discloses once it is final, despite restarts and sign-ins`() async throws {
        let begun = try await begin()
        #expect(begun.phases.last?.name == .told)
        try await sender.set(.mined(confirmations: 1, of: 3))
        _ = try await run(begun.id) { operation in
            operation.phases.contains { $0.name == .confirmed && $0.state == .running }
        }
        #expect(publishing.disclosures.isEmpty)

        publishing.set(.locked)
        try await sender.set(.final)
        let locked = try await run(begun.id) { $0.phases.last?.state == .running }
        #expect(locked.state == .needsUnlock)
        publishing.set(.later([Sentence("progress.operationNotSeen")]))
        let waiting = try await run(begun.id) {
            $0.phases.last?.notes?.first?.code == "progress.operationNotSeen"
        }
        #expect(waiting.state == .running && publishing.disclosures.isEmpty)

        publishing.set(.done(nil))
        let done = try await run(begun.id) { !$0.isRunning }
        #expect(done.state == .done && done.phases.allSatisfy { $0.state == .done })
        #expect(publishing.disclosures == [Self.disclosure])
    }

    @Test func `reports a text that cannot be sent, without failing the payment`() async throws {
        let begun = try await begin()
        publishing.refuse(Refusal(.notAllowed, Sentence("refusal.addressNoLongerNeeded")))
        try await sender.set(.final)
        let ended = try await run(begun.id) { !$0.isRunning }
        #expect(ended.state == .done && ended.problem == nil)
        let told = try #require(ended.phases.last)
        #expect(told.name == .told && told.state == .failed)
        #expect(told.detail == "The seller no longer needs an address.")
    }
}
