import Answers
import Client
import Ethereum
import Keys
import Market
import Synchronization
import Trade

/// Carries nothing out; answers what the test says, and tells the inbox of each phase once.
final class ScriptedSender: IntentSender, IntentSenders {
    private struct State {
        var phase = SendPhase.waiting
        var receipt: Receipt?
        var intents: [Intent] = []
        var callCount = 0
        var replaced: [IntentID] = []
        var raised: [Amount] = []
        var dropped: [IntentID] = []
        var isSigned = false
        var isFree = false
        var withdrawn: [IntentID] = []
        var others = Amount.zero
        var kept: [Set<IntentID>] = []
    }

    private let inbox: OperationInbox
    private let state = Mutex(State())

    init(inbox: OperationInbox) { self.inbox = inbox }

    func sender(of account: Address, on chain: ChainID?) -> (any IntentSender)? { self }

    var chains: [ChainID] { [chain] }

    var chain: ChainID { ChainID(1) }

    /// How often anything was asked of it.
    var callCount: Int { state.withLock { $0.callCount } }

    private func countCall() { state.withLock { $0.callCount += 1 } }

    /// Sets where every intent is, and perhaps the block that has it, and tells so.
    func set(_ phase: SendPhase, in block: BlockID? = nil) async throws {
        let intents = state.withLock { state in
            state.phase = phase
            state.receipt = block.map { block in
                Receipt(
                    transaction: .zero,
                    block: block,
                    isSuccess: true,
                    gasUsed: 1,
                    gasPrice: .zero
                )
            }
            return state.intents
        }
        for intent in intents { try await tell(intent.id, phase) }
    }

    private func tell(_ intent: IntentID, _ phase: SendPhase) async throws {
        let progress = IntentProgress(
            intent: intent,
            step: 0,
            phase: phase,
            transaction: nil,
            receipts: [state.withLock { $0.receipt }],
            wasRequested: phase == .awaitsSignature
        )
        try await inbox.handle(progress, account: .zero, chain: chain)
    }

    var intents: [Intent] { state.withLock { $0.intents } }

    func submit(_ intent: Intent) async throws {
        countCall()
        let phase = state.withLock { state in
            if !state.intents.contains(intent) { state.intents.append(intent) }
            return state.phase
        }
        try await tell(intent.id, phase)
    }

    func replace(_ intent: IntentID, by kind: SignedAttempt.Kind) async throws {
        countCall()
        try state.withLock { state in
            guard state.phase == .overdue else { throw IntentError.nothingToReplace }
            state.replaced.append(intent)
        }
    }

    func replacementFee(
        of intent: IntentID,
        by kind: SignedAttempt.Kind
    ) async throws -> FeeQuote? {
        countCall()
        if state.withLock({ $0.isFree }) { return nil }
        guard state.withLock({ $0.phase }) == .overdue else { throw IntentError.nothingToReplace }
        let part = FeeQuote.Part(gasLimit: 10, feeMax: Amount(small: 100))
        return FeeQuote(parts: [part], total: part.feeMax, least: Amount(small: 50))
    }

    func raiseFee(of intent: IntentID, to feeMax: Amount) async throws {
        countCall()
        state.withLock { $0.raised.append(feeMax) }
    }

    /// Whether cancelling costs nothing.
    func set(isFree: Bool) { state.withLock { $0.isFree = isFree } }

    func withdraw(_ intent: IntentID) async throws {
        countCall()
        state.withLock { $0.withdrawn.append(intent) }
    }

    var withdrawn: [IntentID] { state.withLock { $0.withdrawn } }

    /// What the fees of all steps but the one that waits may be.
    func set(others: Amount) { state.withLock { $0.others = others } }

    func feesMax(of intent: IntentID) async -> Amount? {
        countCall()
        return state.withLock { state in state.raised.last.flatMap { state.others.adding($0) } }
    }

    var raised: [Amount] { state.withLock { $0.raised } }

    /// Whether anything of an intent counts as signed.
    func set(isSigned: Bool) { state.withLock { $0.isSigned = isSigned } }

    func drop(_ intent: IntentID, because reason: String) async throws -> Bool {
        countCall()
        return state.withLock { state in
            if !state.isSigned { state.dropped.append(intent) }
            return !state.isSigned
        }
    }

    var dropped: [IntentID] { state.withLock { $0.dropped } }

    var replaced: [IntentID] { state.withLock { $0.replaced } }

    func abandon(allBut kept: Set<IntentID>) async { state.withLock { $0.kept.append(kept) } }

    /// Which intents it was told to keep, each time.
    var kept: [Set<IntentID>] { state.withLock { $0.kept } }

    func walletRequest(of intent: IntentID) async -> WalletRequest? {
        countCall()
        return nil
    }

    func take(_ answer: WalletAnswer, for intent: IntentID) async throws {
        countCall()
        throw IntentError.nothingAsked
    }

    func acknowledgeForeignUse() async throws -> Bool {
        countCall()
        return false
    }
}

/// Publishes nothing; answers what the test says.
final class ScriptedPublishing: Publishing {
    private struct State {
        var answer = PublishingAnswer.done(nil)
        var publications: [OperationPlan.Publication] = []
        var refusal: Refusal?
        var refusedSlot: Bytes32?
        var begun: [OperationPlan.Publication] = []
        var disclosures: [OperationPlan.Disclosure] = []
    }

    private let state = Mutex(State())

    func set(_ answer: PublishingAnswer) { state.withLock { $0.answer = answer } }

    /// The records that an operation publishes although it fails.
    func set(begun: [OperationPlan.Publication]) { state.withLock { $0.begun = begun } }

    func begun(
        _ publications: [OperationPlan.Publication],
        by account: Address
    ) throws -> [OperationPlan.Publication] { state.withLock { $0.begun } }

    /// What becomes of disclosures instead.
    func refuse(_ refusal: Refusal) { state.withLock { $0.refusal = refusal } }

    /// The slot whose record it refuses.
    func refuse(slot: Bytes32) { state.withLock { $0.refusedSlot = slot } }

    var publications: [OperationPlan.Publication] { state.withLock { $0.publications } }

    var disclosures: [OperationPlan.Disclosure] { state.withLock { $0.disclosures } }

    func publish(
        _ publication: OperationPlan.Publication,
        by account: Address
    ) async throws -> PublishingAnswer {
        try state.withLock { state in
            if publication.slot == state.refusedSlot {
                throw Refusal(.badListing, Sentence("refusal.piecesKind"))
            }
            if case .done = state.answer { state.publications.append(publication) }
            return state.answer
        }
    }

    func disclose(
        _ disclosure: OperationPlan.Disclosure,
        of operation: FinalOperation
    ) async throws -> PublishingAnswer {
        try state.withLock { state in
            if let refusal = state.refusal { throw refusal }
            if case .done = state.answer { state.disclosures.append(disclosure) }
            return state.answer
        }
    }

    func draft(
        of publication: OperationPlan.Publication,
        by account: Address,
        at time: Timestamp
    ) throws -> RecordDraft? { nil }

    func publish(_ draft: RecordDraft, with signature: Signature) async throws {
        throw IntentError.nothingAsked
    }
}
