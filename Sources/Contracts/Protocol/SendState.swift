import Keys
import Market

/// One intent of a ``SendQueue``: what its journal says, and what has been seen since the start.
struct SendState: Sendable {
    /// One step, thus at most one nonce at a time.
    struct Step: Sendable {
        // As journalled.
        var attempts: [SignedAttempt] = []
        var taken: Set<Bytes32> = []
        var receipt: Receipt?
        /// What its fee may be at most, in wei.
        var feeMax: Amount?
        var end: SendPhase?
        /// As which its owner wants the waiting transaction signed again.
        var wanted: SignedAttempt.Kind?

        // Seen since the start.
        var phase = SendPhase.waiting
        var lastSent: Duration?
        var firstTaken: Duration?
        var foreignSightings = 0
        /// Why the replacement that is wanted is not signed yet, or was given up.
        var replacementNote: String?

        /// Signed, and not at its end.
        var isInFlight: Bool { !attempts.isEmpty && end == nil }

        /// Lets the next step begin.
        var isDone: Bool {
            guard let receipt, receipt.isSuccess else { return false }
            return attempts.contains { $0.hash == receipt.transaction && $0.kind != .cancel }
        }
    }

    let intent: Intent
    var steps: [Step]
    /// Something of it was signed once, be it only that its nonce was lost to another transaction.
    private(set) var wasSigned = false
    private var told: IntentProgress?

    init(intent: Intent) {
        self.intent = intent
        steps = intent.steps.indices.map { index in
            Step(feeMax: intent.feesMax.isEmpty ? nil : intent.feesMax[index])
        }
    }

    /// All is final; or one step failed and nothing signed is open any more.
    var isEnded: Bool {
        if steps.allSatisfy({ $0.end == .final }) { return true }
        let hasFailed = steps.contains { $0.end != nil && $0.end != .final }
        return hasFailed && !steps.contains { $0.isInFlight }
    }

    /// The step to sign next: the first without attempts, once the one before is mined.
    var unsignedStep: Int? {
        guard !steps.contains(where: { $0.end != nil && $0.end != .final }) else { return nil }
        guard let index = steps.firstIndex(where: { $0.attempts.isEmpty && $0.end == nil }) else {
            return nil
        }
        return index == 0 || steps[index - 1].isDone ? index : nil
    }

    /// Some steps are signed and others still to be.
    var isUnderWay: Bool {
        !isEnded && !steps.contains { $0.end != nil && $0.end != .final }
            && steps.contains { !$0.attempts.isEmpty } && steps.contains { $0.attempts.isEmpty }
    }

    /// The newest signed step that is not mined.
    var replaceableStep: Int? { steps.lastIndex { $0.isInFlight && $0.receipt == nil } }

    var progress: IntentProgress {
        let failed = steps.firstIndex { $0.end != nil && $0.end != .final }
        let current = failed ?? steps.firstIndex { $0.end == nil && !$0.isDone }
        // Between a step that is done and its finality the last one is what is waited for.
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
            note: step.end == nil ? step.replacementNote : nil
        )
    }

    /// The progress, where it differs from the one last given by this.
    mutating func untold() -> IntentProgress? {
        let now = progress
        guard now != told else { return nil }
        told = now
        return now
    }

    mutating func apply(_ entry: JournalEntry) {
        let index = entry.slot.step
        guard steps.indices.contains(index) else { return }
        switch entry.event {
        case .intentRecorded, .foreignAcknowledged: break
        case .signed(let attempt):
            wasSigned = true
            steps[index].attempts.append(attempt)
            steps[index].wanted = nil
            steps[index].replacementNote = nil
            steps[index].phase = .signed
        case .broadcast(let hash):
            steps[index].taken.insert(hash)
            steps[index].phase = .sent
        case .mined(let receipt):
            steps[index].receipt = receipt
            steps[index].wanted = nil
            steps[index].replacementNote = nil
        case .unmined: steps[index].receipt = nil
        case .final: steps[index].end = .final
        case .reverted: steps[index].end = .reverted
        case .cancelled: steps[index].end = .cancelled
        case .refused(let reason): steps[index].end = .refused(reason)
        case .feeRaised(let feeMax): steps[index].feeMax = feeMax
        case .nonceLost:
            steps[index] = Step(feeMax: steps[index].feeMax)
            steps[index].phase = .keyUsedElsewhere
        case .replacementWanted(let kind):
            // It may have been mined while the wish was being written down.
            guard steps[index].isInFlight, steps[index].receipt == nil else { return }
            steps[index].wanted = kind
            steps[index].replacementNote = nil
        }
    }
}
