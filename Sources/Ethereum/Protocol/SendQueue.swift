package import Keys
package import Market
package import Texts

/// Decides which transactions to sign, send and send again for one account and chain, and when an
/// intent ends.
///
/// Pure: it takes events with their time and returns directives, in order. Its state is that of the
/// journal, so after a crash at any point the same journal gives the same state. Its rules:
/// - A step of an intent owns one nonce; all its attempts, including replacements, share it.
/// - A signed transaction is journalled before it is sent, and only these bytes are sent again.
/// - A transaction that reverted is not tried again.
/// - A step gets a new nonce only if another program's transaction with the old one has all
///   confirmations and was seen for ``Pace/lost``; and only after the owner has acknowledged it,
///   and the chain has shown once more no receipt of what was signed before.
///
/// Source: Docs/operations.md, section 5.4.
package struct SendQueue: Sendable {
    package enum Event: Sendable {
        case tick
        case prepared(SendSlot, Preparation)
        /// The transaction could not be prepared now, for a reason that may pass.
        case delayed(SendSlot, Sentence)
        /// The transaction cannot be done; nothing was signed.
        case refused(SendSlot, String)
        case signed(SendSlot, SignedAttempt)
        /// The key is outside this node: its owner is asked for the signature.
        case requested(SendSlot, RequestedTransaction)
        case locked(SendSlot)
        case sent(SendSlot, Bytes32, SendAnswer)
        case observed(Observation)
    }

    /// The next actions; a journal entry must be durable before later directives are performed.
    package enum Directive: Equatable, Sendable {
        case journal(JournalEntry)
        /// Determine fee, gas and nonce, and whether the call would succeed.
        case prepare(SendSlot, Intent.Step, FeeSpeed, isReplacement: Bool)
        case sign(SendSlot, SignedAttempt.Kind, Transaction)
        case broadcast(SendSlot, SignedAttempt)
        /// Read the state of these transactions from the chain.
        case observe([Bytes32])
        case tell(IntentProgress)
    }

    package let account: Address
    package let chain: ChainID
    let pace: Pace
    let fees: FeePolicy
    let attemptsMax: Int
    let minedMax: Int
    private(set) var order: [IntentID] = []
    var intents: [IntentID: SendState] = [:]
    /// The nonce after the last one that was signed here.
    private(set) var nonceAfterOwn: UInt64 = 0
    /// Earlier nonces that a wallet has left free, as far as the chain has not used them since.
    package internal(set) var skippedNonces: Set<UInt64> = []
    /// The slot that is being prepared or signed: one at a time, so that no nonce is given twice.
    var busy: SendSlot?
    /// The slots that could not be signed when their turn came: all others go first.
    var passedOver: Set<SendSlot> = []
    private(set) var isForeignUnacknowledged = false
    /// The nonce after the only one with which a transaction of another program may be replaced.
    private var replaceableNonce: UInt64?
    /// The slots with a requested replacement that is not journalled yet.
    private(set) var beingWished: Set<SendSlot> = []
    /// The intents of removed accounts: nothing further is signed for them.
    private(set) var abandoned: Set<IntentID> = []
    /// The slots whose signature from outside, or whose end by their owner, is being journalled.
    var beingDecided: Set<SendSlot> = []

    /// Creates a queue in the state that `journal` gives, applied in its order.
    package init(
        account: Address,
        chain: ChainID,
        pace: Pace,
        fees: FeePolicy,
        limits: ChainLimits = ChainLimits(),
        journal: [JournalEntry] = []
    ) {
        (self.account, self.chain, self.pace, self.fees) = (account, chain, pace, fees)
        (attemptsMax, minedMax) = (limits.attemptsMax, limits.minedMax)
        for entry in journal { apply(entry) }
    }

    /// Whether signing is paused, because a transaction of another program used one of our nonces.
    package var isPaused: Bool { isForeignUnacknowledged }

    package var openCount: Int { order.count { intents[$0]?.isEnded == false } }

    package func intent(_ id: IntentID) -> Intent? { intents[id]?.intent }

    package func progress(of id: IntentID) -> IntentProgress? { intents[id]?.progress }

    package var allProgress: [IntentProgress] { order.compactMap { intents[$0]?.progress } }

    /// The nonces of all signed transactions that have not ended, and of those whose nonce counts
    /// as another program's.
    var noncesInFlight: [Bytes32: UInt64] {
        var nonces: [Bytes32: UInt64] = [:]
        for state in intents.values {
            for attempt in state.steps.flatMap(\.watched) { nonces[attempt.hash] = attempt.nonce }
        }
        return nonces
    }

    /// Adds an intent that is in the journal already.
    package mutating func add(_ intent: Intent) {
        apply(JournalEntry(SendSlot(intent: intent.id, step: 0), .intentRecorded(intent)))
    }

    /// Requests a replacement of an intent's newest transaction.
    ///
    /// The request takes effect with ``replacementIsRecorded(_:isKept:)``.
    ///
    /// - Returns: The entry to journal first; `nil` if no transaction of the intent waits to be
    ///   mined, or a replacement is being made already.
    package mutating func replacement(
        of id: IntentID,
        by kind: SignedAttempt.Kind
    ) -> JournalEntry? {
        guard let state = intents[id], let step = state.replaceableStep else { return nil }
        let slot = SendSlot(intent: id, step: step)
        // A replacement that is being made was already prepared for its own kind.
        guard busy != slot, !beingDecided.contains(slot), beingWished.insert(slot).inserted else {
            return nil
        }
        return JournalEntry(slot, .replacementWanted(kind))
    }

    /// Ends the journalling of a requested replacement: if it succeeded, the request takes effect.
    package mutating func replacementIsRecorded(_ entry: JournalEntry, isKept: Bool = true) {
        beingWished.remove(entry.slot)
        if isKept { apply(entry) }
    }

    /// Begins to journal the end of an intent before its next step is signed.
    ///
    /// It takes effect with ``decisionIsRecorded(_:isKept:)``; until then the step is not signed.
    ///
    /// - Parameters:
    ///   - id: The intent.
    ///   - reason: The reason, for the owner.
    /// - Returns: The entry to journal; `nil` if no step waits to be signed, or one is being signed
    ///   now.
    package mutating func withdrawal(
        of id: IntentID,
        because reason: String = "it was cancelled"
    ) -> JournalEntry? {
        guard let state = intents[id], !state.isEnded, let step = state.unsignedStep else {
            return nil
        }
        let slot = SendSlot(intent: id, step: step)
        guard busy != slot, beingDecided.insert(slot).inserted else { return nil }
        return JournalEntry(slot, .refused(reason))
    }

    /// Begins to end an intent of which nothing was ever signed; see ``withdrawal(of:because:)``.
    package mutating func drop(_ id: IntentID, because reason: String) -> JournalEntry? {
        guard intents[id]?.wasSigned == false else { return nil }
        return withdrawal(of: id, because: reason)
    }

    /// Ends all intents but these at the next pass, as far as nothing of theirs is signed; signed
    /// transactions are watched to their end.
    package mutating func abandon(allBut kept: Set<IntentID>) {
        abandoned = Set(order.filter { intents[$0]?.isEnded == false && !kept.contains($0) })
    }

    package mutating func handle(_ event: Event, at uptime: Duration) -> [Directive] {
        switch event {
        case .tick: return tick(at: uptime)
        case .prepared(let slot, let preparation): return prepared(slot, preparation)
        case .delayed(let slot, let reason): return delayed(slot, reason)
        case .refused(let slot, let reason): return refused(slot, reason)
        case .signed(let slot, let attempt):
            busy = nil
            return record(slot, .signed(attempt)) + [.broadcast(slot, attempt)]
                + note(slot) {
                    $0.phase = .signed
                    $0.lastSent = uptime
                }
        case .requested(let slot, let request):
            busy = nil
            return record(slot, .requested(request)) + note(slot) { _ in }
        case .locked(let slot):
            if intents[slot.intent]?.steps[slot.step].isInFlight == true {
                return delayed(slot, Sentence("progress.signIn"))
            }
            busy = nil
            passedOver.insert(slot)
            return note(slot) { $0.phase = .needsUnlock }
        case .sent(let slot, let hash, let answer):
            return sent(slot, hash, answer, at: uptime)
        case .observed(let observation): return observed(observation, at: uptime)
        }
    }

    /// Makes a journal entry part of the state.
    package mutating func apply(_ entry: JournalEntry) {
        if case .intentRecorded(let intent) = entry.event {
            guard intents[intent.id] == nil else { return }
            order.append(intent.id)
            intents[intent.id] = SendState(intent: intent)
        }
        switch entry.event {
        case .signed(let attempt):
            noteChosen(attempt.nonce, for: entry.slot)
            nonceAfterOwn = max(nonceAfterOwn, attempt.nonce + 1)
        case .nonceLost: isForeignUnacknowledged = true
        case .foreignAcknowledged:
            isForeignUnacknowledged = false
            endAcknowledgedWaits()
        case .foreignReplaceable(let nonce):
            replaceableNonce = nonce
            endAcknowledgedWaits()
        default: break
        }
        intents[entry.slot.intent]?.apply(entry)
        if case .mined = entry.event, !intents.values.contains(where: \.hasLostNonce) {
            isForeignUnacknowledged = false
        }
    }
}

extension SendQueue {
    private mutating func tick(at uptime: Duration) -> [Directive] {
        var directives: [Directive] = []
        var watched: [Bytes32] = []
        for id in order {
            guard let state = intents[id], !state.isEnded else { continue }
            watched += state.steps.flatMap(\.watched).map(\.hash)
            for index in state.steps.indices where state.steps[index].isInFlight {
                let slot = SendSlot(intent: id, step: index)
                let step = state.steps[index]
                let isDue = step.lastSent.map { uptime - $0 >= pace.rebroadcast } ?? true
                guard step.receipt == nil, isDue else { continue }
                intents[id]?.steps[index].lastSent = uptime
                directives += step.toSend.map { .broadcast(slot, $0) }
            }
        }
        directives += takeTurn()
        if !watched.isEmpty { directives.append(.observe(watched)) }
        return directives
    }

    /// The step of a cancellation: an empty call to the account itself.
    var nothing: Intent.Step { Intent.Step(to: account, data: []) }

    private mutating func prepared(
        _ slot: SendSlot,
        _ preparation: Preparation
    ) -> [Directive] {
        guard let state = intents[slot.intent] else {
            busy = nil
            return []
        }
        let step = state.intent.steps[slot.step]
        if let old = state.steps[slot.step].attempts.last {
            return replaced(slot, step, old, preparation)
        }
        let nonce = freeNonce(from: preparation.nextNonce)
        if nonce + 1 != replaceableNonce {
            guard preparation.isNonceConfirmed else {
                return waiting(slot, .nonceUnconfirmed(nonce))
            }
            guard nonce >= preparation.pendingNonce else {
                return waiting(slot, .nonceAwaited(nonce))
            }
        }
        let (gas, pricing) = (preparation.gasLimit, preparation.pricing)
        return [.sign(slot, .original, transaction(step, nonce, gas, pricing))]
    }

    /// Signs a step again, with the nonce that it has.
    private mutating func replaced(
        _ slot: SendSlot,
        _ step: Intent.Step,
        _ old: SignedAttempt,
        _ preparation: Preparation
    ) -> [Directive] {
        // The transaction may have been mined since, or the request withdrawn.
        guard let current = intents[slot.intent]?.steps[slot.step], let kind = current.wanted,
            current.receipt == nil
        else {
            busy = nil
            return giveUpReplacement(slot)
        }
        guard current.attempts.count < attemptsMax else {
            busy = nil
            let reason = Sentence("progress.signedOften", ["count": "\(attemptsMax)"])
            return giveUpReplacement(slot, because: reason.term)
        }
        do throws(PriceObstacle) {
            let pricing = try price(ofReplacing: current, old, preparation)
            let sent = kind == .cancel ? nothing : step
            let gas = preparation.gasLimit
            return [.sign(slot, kind, transaction(sent, old.nonce, gas, pricing))]
        } catch {
            return delayed(slot, error.reason)
        }
    }

    private func transaction(
        _ step: Intent.Step,
        _ nonce: UInt64,
        _ gasLimit: UInt64,
        _ pricing: TransactionPricing
    ) -> Transaction {
        Transaction(
            chain: chain,
            nonce: nonce,
            to: step.to,
            value: step.value,
            data: step.data,
            gasLimit: gasLimit,
            pricing: pricing
        )
    }

    private mutating func refused(_ slot: SendSlot, _ reason: String) -> [Directive] {
        busy = nil
        guard intents[slot.intent]?.steps[slot.step].attempts.isEmpty == true else {
            return giveUpReplacement(slot, because: reason)
        }
        return record(slot, .refused(reason)) + note(slot) { _ in }
    }

    /// Delays a slot that cannot be signed now; if it was signed before, only its replacement.
    ///
    /// A replacement that its owner has not asked for is dropped: the next refusal requests it
    /// again.
    private mutating func delayed(_ slot: SendSlot, _ reason: Sentence) -> [Directive] {
        guard intents[slot.intent]?.steps[slot.step].repricing == nil else {
            return refused(slot, reason.term)
        }
        busy = nil
        passedOver.insert(slot)
        return note(slot) { step in
            guard step.isInFlight else {
                step.phase = .delayed(reason)
                return
            }
            guard let kind = step.wanted else { return }
            step.replacementNote = Sentence(
                "progress.notSignedYet",
                ["replacement": kind.term, "reason": reason.term]
            )
        }
    }

    /// Ends a requested replacement; the transaction that was signed before stays in effect.
    ///
    /// The reason is a value of type `term`.
    private mutating func giveUpReplacement(
        _ slot: SendSlot,
        because reason: String? = nil
    ) -> [Directive] {
        guard let step = intents[slot.intent]?.steps[slot.step], let kind = step.wanted else {
            return []
        }
        if let repricing = step.repricing {
            return note(slot) { step in
                (step.wanted, step.repricing) = (nil, nil)
                // An overdue one says already what its owner can do.
                guard repricing != .overdue else { return }
                step.replacementNote = reason.map {
                    Sentence(
                        "progress.notSignedAnew",
                        ["difference": repricing.difference, "reason": $0]
                    )
                }
            }
        }
        return record(slot, .replacementWanted(nil))
            + note(slot) { step in
                step.replacementNote = reason.map {
                    Sentence("progress.givenUp", ["replacement": kind.term, "reason": $0])
                }
            }
    }

    mutating func record(
        _ slot: SendSlot,
        _ event: JournalEntry.Event
    ) -> [Directive] {
        let entry = JournalEntry(slot, event)
        apply(entry)
        return [.journal(entry)]
    }

    /// Changes the non-durable state of a step, and reports the progress if it changed.
    mutating func note(
        _ slot: SendSlot,
        _ change: (inout SendState.Step) -> Void
    ) -> [Directive] {
        guard var state = intents[slot.intent] else { return [] }
        change(&state.steps[slot.step])
        let progress = state.unreported()
        intents[slot.intent] = state
        return progress.map { [.tell($0)] } ?? []
    }
}

extension SignedAttempt.Kind {
    /// The name of a replacement of this kind, as a value of type `term`.
    var term: String { self == .cancel ? "progress.cancellation" : "progress.speedUp" }
}
