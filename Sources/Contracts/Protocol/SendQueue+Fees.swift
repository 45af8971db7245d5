package import Market

/// What the fees of transactions may be, as their owner agreed.
extension SendQueue {
    /// A transaction that waits to be mined, and what would take its place.
    struct Waiting: Sendable {
        let slot: SendSlot
        let pricing: TransactionPricing
        let step: Intent.Step
    }

    /// What a slot's fee may be at most, in wei; `nil` if its owner named no bound.
    package func feeMax(of slot: SendSlot) -> Amount? {
        intents[slot.intent]?.steps[slot.step].feeMax
    }

    /// What the fees of an intent may be at most, in wei, all steps together; `nil` if one has no
    /// bound.
    package func feesMax(of id: IntentID) -> Amount? {
        intents[id]?.steps.reduce(Amount.zero as Amount?) { sum, step in
            step.feeMax.flatMap { sum?.adding($0) }
        }
    }

    /// Whether an intent's next step waits to be signed.
    func isUnsigned(_ id: IntentID) -> Bool {
        guard let state = intents[id], !state.isEnded else { return false }
        return state.unsignedStep != nil
    }

    /// The transaction of an intent that a replacement would take the place of.
    func waiting(_ id: IntentID, for kind: SignedAttempt.Kind) -> Waiting? {
        guard let state = intents[id], let index = state.replaceableStep,
            let attempt = state.steps[index].attempts.last
        else { return nil }
        return Waiting(
            slot: SendSlot(intent: id, step: index),
            pricing: attempt.pricing,
            step: kind == .cancel ? nothing : state.intent.steps[index]
        )
    }
}
