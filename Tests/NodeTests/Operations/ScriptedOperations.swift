import Contracts
import Keys
import Market
import Node
import Synchronization

/// Carries nothing out; answers what the test says.
final class ScriptedSending: Sending {
    private struct State {
        var phase = SendPhase.waiting
        var intents: [Intent] = []
        var replaced: [IntentID] = []
        var raised: [Amount] = []
        var dropped: [IntentID] = []
        var isSigned = false
        var isFree = false
        var withdrawn: [IntentID] = []
        var others = Amount.zero
    }

    private let state = Mutex(State())

    func set(_ phase: SendPhase) { state.withLock { $0.phase = phase } }

    var intents: [Intent] { state.withLock { $0.intents } }

    func submit(_ intent: Intent, by account: Address) async throws {
        state.withLock { if !$0.intents.contains(intent) { $0.intents.append(intent) } }
    }

    func replace(
        _ intent: IntentID,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws {
        try state.withLock { state in
            guard state.phase == .overdue else { throw IntentError.nothingToReplace }
            state.replaced.append(intent)
        }
    }

    func replacementFee(
        of intent: IntentID,
        by kind: SignedAttempt.Kind,
        account: Address
    ) async throws -> FeeQuote? {
        if state.withLock({ $0.isFree }) { return nil }
        guard state.withLock({ $0.phase }) == .overdue else { throw IntentError.nothingToReplace }
        let part = FeeQuote.Part(gasLimit: 10, feeMax: Amount(small: 100))
        return FeeQuote(parts: [part], total: part.feeMax, least: Amount(small: 50))
    }

    func raiseFee(of intent: IntentID, to feeMax: Amount, by account: Address) async throws {
        state.withLock { $0.raised.append(feeMax) }
    }

    /// Whether cancelling costs nothing.
    func set(isFree: Bool) { state.withLock { $0.isFree = isFree } }

    func withdraw(_ intent: IntentID, by account: Address) async throws {
        state.withLock { $0.withdrawn.append(intent) }
    }

    var withdrawn: [IntentID] { state.withLock { $0.withdrawn } }

    /// What the fees of all steps but the one that waits may be.
    func set(others: Amount) { state.withLock { $0.others = others } }

    func feesMax(of intent: IntentID, by account: Address) async throws -> Amount? {
        state.withLock { state in state.raised.last.flatMap { state.others.adding($0) } }
    }

    var raised: [Amount] { state.withLock { $0.raised } }

    var chain: ChainID { ChainID(1) }

    /// Whether anything of an intent counts as signed.
    func set(isSigned: Bool) { state.withLock { $0.isSigned = isSigned } }

    func drop(
        _ intent: IntentID,
        because reason: String,
        by account: Address
    ) async throws -> Bool {
        state.withLock { state in
            if !state.isSigned { state.dropped.append(intent) }
            return !state.isSigned
        }
    }

    var dropped: [IntentID] { state.withLock { $0.dropped } }

    var replaced: [IntentID] { state.withLock { $0.replaced } }

    func acknowledgeForeignUse(by account: Address) async throws -> Bool { false }

    func progress(of intent: IntentID, by account: Address) async throws -> IntentProgress? {
        IntentProgress(
            intent: intent,
            step: 0,
            phase: state.withLock { $0.phase },
            transaction: nil,
            receipts: [nil]
        )
    }
}

/// Publishes nothing; answers what the test says.
final class ScriptedPublishing: Publishing {
    private struct State {
        var answer = PublishingAnswer.done(nil)
        var publications: [OperationPlan.Publication] = []
    }

    private let state = Mutex(State())

    func set(_ answer: PublishingAnswer) { state.withLock { $0.answer = answer } }

    var publications: [OperationPlan.Publication] { state.withLock { $0.publications } }

    func publish(
        _ publication: OperationPlan.Publication,
        by account: Address
    ) async throws -> PublishingAnswer {
        state.withLock { state in
            if case .done = state.answer { state.publications.append(publication) }
            return state.answer
        }
    }
}
