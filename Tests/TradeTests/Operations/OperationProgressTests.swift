import Client
import Ethereum
import Keys
import Market
import Testing
import Trade

struct OperationProgressTests {
    private func report(
        _ phase: SendPhase,
        step: Int = 0,
        of count: Int = 1,
        ranOutOfGas: Bool = false,
        isAlone: Bool = false
    ) -> OperationProgress {
        let progress = IntentProgress(
            intent: IntentID(.zero),
            step: step,
            phase: phase,
            transaction: nil,
            receipts: [Receipt?](repeating: nil, count: count),
            ranOutOfGas: ranOutOfGas
        )
        return OperationProgress(progress, stepCount: count, isAlone: isAlone)
    }

    private typealias State = Client.Operation.Phase.State

    @Test(arguments: [
        (SendPhase.waiting, [State.running, .waiting, .waiting, .waiting, .waiting]),
        (.signed, [.done, .done, .running, .waiting, .waiting]),
        (.unanswered, [.done, .done, .running, .waiting, .waiting]),
        (.sent, [.done, .done, .done, .running, .waiting]),
        (.mined(confirmations: 2, of: 3), [.done, .done, .done, .done, .running]),
        (.final, [.done, .done, .done, .done, .done]),
        (.reverted, [.done, .done, .done, .failed, .waiting]),
        (.keyUsedElsewhere, [.running, .waiting, .waiting, .waiting, .waiting]),
        (.nonceUnconfirmed(4), [.running, .waiting, .waiting, .waiting, .waiting]),
        (.nonceAwaited(4), [.running, .waiting, .waiting, .waiting, .waiting]),
        (.refused("no"), [.failed, .waiting, .waiting, .waiting, .waiting]),
    ])
    func `each phase of sending appears in the operation's progress`(
        phase: SendPhase,
        states: [Client.Operation.Phase.State]
    ) {
        #expect(report(phase).phases.map(\.state) == states)
    }

    @Test func `a transaction counts as sent until its nonce is certainly lost`() {
        let progress = IntentProgress(
            intent: IntentID(.zero),
            step: 0,
            phase: .keyUsedElsewhere,
            transaction: .zero,
            receipts: [nil]
        )
        let states = OperationProgress(progress, stepCount: 1).phases.map(\.state)
        #expect(states == [.done, .done, .done, .running, .waiting])
    }

    @Test(
        arguments: [(nil, "speed it up or cancel it"), (3, "with the nonce 3")]
            as [(UInt64?, String)]
    )
    func `says what an overdue transaction waits for`(missing: UInt64?, words: String) {
        let progress = IntentProgress(
            intent: IntentID(.zero),
            step: 0,
            phase: .overdue,
            transaction: .zero,
            receipts: [nil],
            missingNonce: missing
        )
        let detail = OperationProgress(progress, stepCount: 1).phases[3].detail
        #expect(detail?.contains(words) == true, "\(detail ?? "")")
    }

    @Test func `counts confirmations`() {
        let line = report(.mined(confirmations: 2, of: 3)).phases.last

        #expect(line?.detail == "2 of 3")
        #expect(line?.notes?.first?.values == ["count": "2", "needed": "3"])
    }

    @Test func `reports the reason why a replacement is not signed`() {
        let progress = IntentProgress(
            intent: IntentID(.zero),
            step: 0,
            phase: .sent,
            transaction: nil,
            receipts: [nil],
            notes: [Sentence("progress.overdue")]
        )
        let line = OperationProgress(progress, stepCount: 1).phases.first { $0.name == .mined }
        #expect(line?.state == .running && line?.detail == progress.note)
    }

    @Test func `shows the current one of several transactions`() {
        let report = report(.mined(confirmations: 1, of: 3), step: 1, of: 2)

        #expect(report.phases.last?.detail == "transaction 2 of 2; 1 of 3")
        let codes = report.phases.last?.notes?.map(\.code)
        #expect(codes == ["progress.place", "progress.confirmations"])
    }

    /// - From people: a transaction that fails after another one of the operation was sent, or once
    ///   a wallet outside the node was asked → contract_refused
    @Test func `still shows a transaction as sent after a refusal`() {
        func detail(_ receipts: [Receipt?], wasRequested: Bool) -> String {
            let progress = IntentProgress(
                intent: IntentID(.zero),
                step: 1,
                phase: .refused("why"),
                transaction: nil,
                receipts: receipts,
                wasRequested: wasRequested
            )
            return OperationProgress(progress, stepCount: 2).problem?.detail ?? ""
        }
        let mined = Receipt(
            transaction: .zero,
            block: BlockID(number: 1, hash: .zero),
            isSuccess: true,
            gasUsed: 1,
            gasPrice: .zero
        )
        let part = detail([mined, nil], wasRequested: false)
        #expect(part.hasPrefix("The remaining transactions were not sent: why."), "\(part)")
        let offered = detail([nil, nil], wasRequested: true)
        #expect(offered.contains("If your wallet has sent the transaction"), "\(offered)")
        #expect(!offered.contains("othing was sent"))
    }

    /// - From people: a transaction that fails → contract_refused
    @Test func `a failure has a problem; only finality ends the operation`() {
        #expect(report(.reverted).problem?.code == ProblemCode.contractRefused.rawValue)
        // A person who believes a lie and pays again pays twice.
        let alone = report(.reverted, isAlone: true).problem
        #expect(alone?.reason?.map(\.code) == ["refusal.reverted", "refusal.onlyOneSays"])
        let changed = report(.reverted).problem?.detail
        #expect(changed?.contains("something had changed") == true)
        let short = report(.reverted, ranOutOfGas: true).problem?.detail
        #expect(short?.contains("ran out of gas") == true)
        #expect(short?.contains("something had changed") == false)
        let refused = report(.refused("why"))
        #expect(refused.problem?.detail == "Nothing was sent: why.")
        #expect(refused.problem?.reason?.first?.values == ["reason": "why"])
        #expect(refused.phases.first?.notes == refused.problem?.reason)
        #expect(report(.final).isFinal)
        #expect(!report(.mined(confirmations: 3, of: 3)).isFinal)
        #expect(report(.needsUnlock).state == .needsUnlock)
        #expect(report(.awaitsSignature).state == .needsSignature)
        #expect(report(.stuck("full")).problem == nil)
    }
}
