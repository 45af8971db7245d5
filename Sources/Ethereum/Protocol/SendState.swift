import Keys
import Market
import Texts

/// The state of one intent of a ``SendQueue``: from its journal, and seen since the start.
struct SendState: Sendable {
    /// One step, which has at most one nonce at a time.
    struct Step: Sendable {
        // From the journal.
        var attempts: [SignedAttempt] = []
        /// Transactions signed with a nonce that counts as another program's, until the step is
        /// signed again.
        var former: [SignedAttempt] = []
        var taken: Set<Bytes32> = []
        var receipt: Receipt?
        var timesMined = 0
        /// The highest fee, in wei.
        var feeMax: Amount?
        var end: SendPhase?
        /// The kind of replacement that the owner has requested.
        var wanted: SignedAttempt.Kind?
        /// The replacement that the owner had requested before it was mined, in case its block
        /// goes.
        var wantedBefore: SignedAttempt.Kind?
        /// How often the owner has changed the fee, or wanted a replacement.
        var wishes = 0
        /// The transaction that a wallet outside this node is asked to sign.
        var request: RequestedTransaction?
        /// Whether such a wallet was ever asked, and so may have sent it on its own.
        var wasRequested = false

        // Seen since the start.
        var phase = SendPhase.waiting
        /// The lowest nonce below it that no transaction has, while it is overdue.
        var missingNonce: UInt64?
        var lastSent: Duration?
        /// How often in a row no endpoint has answered when it was sent.
        var unansweredSends = 0
        var firstTaken: Duration?
        /// The newest block when it was first looked for since then.
        var firstHead: UInt64?
        /// When a higher price was last looked for, because it is overdue.
        var overduePriced: Duration?
        var foreignSightings = 0
        /// When the nonce was first seen as used by another program.
        var foreignSince: Duration?
        /// Whether the chain has shown no receipt of the ``former`` ones since it was last to be
        /// asked.
        var isFormerGone = false
        /// Why the requested replacement is not signed yet, or was dropped.
        var replacementNote: Sentence?
        /// The statement that only one of several endpoints makes.
        var doubt: SendQueue.LoneClaim?
        /// The reason for a replacement that the owner has not asked for.
        var repricing: SendQueue.Repricing?

        /// The words that its owner should read, besides the phase.
        var notes: [Sentence] {
            end == nil ? [replacementNote, doubt?.reason].compactMap(\.self) : []
        }

        /// Whether it is signed and has not ended.
        var isInFlight: Bool { !attempts.isEmpty && end == nil }

        /// The transactions whose receipts are read.
        var watched: [SignedAttempt] {
            guard end == nil else { return [] }
            return attempts.isEmpty ? former : attempts
        }

        /// The transactions to send: the newest, and those before it that a pool has accepted.
        var toSend: [SignedAttempt] {
            attempts.filter { $0 == attempts.last || taken.contains($0.hash) }
        }

        /// Restores the former transactions if one of them is mined after all.
        mutating func restore(_ mined: Bytes32) {
            guard attempts.isEmpty, former.contains(where: { $0.hash == mined }) else { return }
            (attempts, former) = (former, [])
            (foreignSightings, foreignSince) = (0, nil)
        }

        /// Whether it was mined and failed with about all of its gas used: a call keeps a 64th of
        /// its gas from each call that it makes (EIP-150).
        var ranOutOfGas: Bool {
            guard let receipt, !receipt.isSuccess,
                let attempt = attempts.first(where: { $0.hash == receipt.transaction }),
                let limit = attempt.gasLimit
            else { return false }
            return receipt.gasUsed >= limit - limit / 32
        }

        /// Whether it was mined with success, so that the next step may start.
        ///
        /// A final one succeeded, whatever an endpoint told of it before.
        var isDone: Bool {
            if end == .final { return true }
            guard let receipt, receipt.isSuccess else { return false }
            return attempts.contains { $0.hash == receipt.transaction && $0.kind != .cancel }
        }
    }

    let intent: Intent
    var steps: [Step]
    /// Whether any step was ever signed, even if it has lost its nonce since.
    private(set) var wasSigned = false
    private var reported: IntentProgress?

    init(intent: Intent) {
        self.intent = intent
        steps = intent.steps.indices.map { index in
            Step(feeMax: intent.feesMax.isEmpty ? nil : intent.feesMax[index])
        }
    }

    /// Whether all steps are final, or one step failed and no signed transaction is open.
    var isEnded: Bool {
        if steps.allSatisfy({ $0.end == .final }) { return true }
        let hasFailed = steps.contains { $0.end != nil && $0.end != .final }
        return hasFailed && !steps.contains { $0.isInFlight }
    }

    /// The step to sign next: the first without attempts, once the previous one is mined.
    var unsignedStep: Int? {
        guard !steps.contains(where: { $0.end != nil && $0.end != .final }) else { return nil }
        guard let index = steps.firstIndex(where: { $0.attempts.isEmpty && $0.end == nil }) else {
            return nil
        }
        return index == 0 || steps[index - 1].isDone ? index : nil
    }

    /// Whether some steps are signed and others are not yet.
    var isUnderWay: Bool {
        !isEnded && !steps.contains { $0.end != nil && $0.end != .final }
            && steps.contains { !$0.attempts.isEmpty } && steps.contains { $0.attempts.isEmpty }
    }

    /// Whether a step has lost its nonce and was not signed again.
    var hasLostNonce: Bool { steps.contains { $0.end == nil && !$0.former.isEmpty } }

    /// Whether a wallet outside this node is asked for the signature of the next step.
    var isRequested: Bool {
        !isEnded && steps.contains { $0.request != nil && $0.attempts.isEmpty }
    }

    /// The newest signed step that is not mined.
    var replaceableStep: Int? { steps.lastIndex { $0.isInFlight && $0.receipt == nil } }

    var progress: IntentProgress {
        let failed = steps.firstIndex { $0.end != nil && $0.end != .final }
        let current = failed ?? steps.firstIndex { $0.end == nil && !$0.isDone }
        // If all steps are mined but not final, the last of them is shown.
        let index = current ?? steps.lastIndex { $0.end == nil } ?? steps.count - 1
        let step = steps[index]
        let open = steps.first { $0.isInFlight }
        let phase = isEnded || step.end == nil ? step.end ?? step.phase : open?.phase ?? step.phase
        return IntentProgress(
            intent: intent.id,
            step: index,
            phase: phase,
            transaction: step.receipt?.transaction ?? step.attempts.last?.hash,
            receipts: steps.map(\.receipt),
            notes: step.notes,
            isBeingReplaced: step.end == nil && step.wanted != nil && step.repricing != .overdue,
            wasRequested: step.wasRequested,
            missingNonce: phase == .overdue ? step.missingNonce : nil,
            ranOutOfGas: phase == .reverted && step.ranOutOfGas
        )
    }

    /// Returns the progress if it has changed since the last call.
    mutating func unreported() -> IntentProgress? {
        let now = progress
        guard now != reported else { return nil }
        reported = now
        return now
    }

    mutating func apply(_ entry: JournalEntry) {
        let index = entry.slot.step
        guard steps.indices.contains(index) else { return }
        if case .signed = entry.event { wasSigned = true }
        steps[index].apply(entry.event)
    }
}

extension SendState.Step {
    fileprivate mutating func apply(_ event: JournalEntry.Event) {
        switch event {
        case .intentRecorded, .foreignAcknowledged, .foreignReplaceable: break
        case .requested(let request): requested(request)
        case .signed(let attempt):
            attempts.append(attempt)
            former = []
            request = nil
            (wanted, wantedBefore) = (nil, nil)
            replacementNote = nil
            repricing = nil
            phase = .signed
        case .broadcast(let hash):
            taken.insert(hash)
            if receipt == nil, attempts.last?.hash == hash { phase = .sent }
        case .mined(let receipt):
            restore(receipt.transaction)
            self.receipt = receipt
            timesMined += 1
            if repricing == nil, let wanted { wantedBefore = wanted }
            replace(by: nil)
        case .unmined:
            receipt = nil
            (wanted, wantedBefore) = (wantedBefore, nil)
        case .final: end = .final
        case .reverted: end = .reverted
        case .cancelled: end = .cancelled
        case .refused(let reason):
            end = .refused(reason)
            request = nil
        case .feeRaised(let feeMax):
            self.feeMax = feeMax
            wishes += 1
        case .nonceLost:
            self = Self(
                former: former + attempts,
                feeMax: feeMax,
                wishes: wishes,
                wasRequested: wasRequested
            )
            phase = .keyUsedElsewhere
        case .replacementWanted(let kind):
            if kind != nil { wishes += 1 }
            // The transaction may have been mined while the request was being journalled.
            if isInFlight, receipt == nil { replace(by: kind) } else { wantedBefore = kind }
        }
    }

    private mutating func requested(_ request: RequestedTransaction) {
        self.request = request
        wasRequested = true
        if attempts.isEmpty {
            phase = .awaitsSignature
        } else {
            replacementNote = Sentence("progress.awaitsWallet", ["replacement": request.kind.term])
        }
    }

    /// Notes the wanted replacement, and drops all that belongs to an earlier one.
    private mutating func replace(by kind: SignedAttempt.Kind?) {
        (wanted, repricing) = (kind, nil)
        request = nil
        replacementNote = nil
    }
}
