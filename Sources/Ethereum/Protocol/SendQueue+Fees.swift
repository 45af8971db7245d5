package import Market

/// The limits of fees that the account's owner agreed to.
extension SendQueue {
    /// A transaction that waits to be mined, and the step that would replace it.
    struct Waiting: Sendable {
        let slot: SendSlot
        let pricing: TransactionPricing
        let step: Intent.Step
    }

    /// Returns the highest fee of a slot, in wei; `nil` if its owner set no limit.
    package func feeMax(of slot: SendSlot) -> Amount? {
        intents[slot.intent]?.steps[slot.step].feeMax
    }

    /// Returns the highest fee of all steps of an intent together, in wei; `nil` if one step has no
    /// limit.
    package func feesMax(of id: IntentID) -> Amount? {
        intents[id]?.steps.reduce(Amount.zero as Amount?) { sum, step in
            step.feeMax.flatMap { sum?.adding($0) }
        }
    }

    /// Returns what the signed transactions of other slots can take from the balance, in wei, as
    /// far as they are not mined.
    func due(besides slot: SendSlot) -> Amount {
        intents.values.reduce(.zero) { sum, state in
            state.steps.indices.reduce(sum) { sum, index in
                let step = state.steps[index]
                guard step.isInFlight, step.receipt == nil,
                    SendSlot(intent: state.intent.id, step: index) != slot
                else { return sum }
                let cost = step.attempts.map(\.costMax).max() ?? .zero
                return sum.adding(cost) ?? .max
            }
        }
    }

    /// Returns whether an intent's next step waits to be signed.
    func isUnsigned(_ id: IntentID) -> Bool {
        guard let state = intents[id], !state.isEnded else { return false }
        return state.unsignedStep != nil
    }

    /// Returns how often the owner has changed the fee of an intent's waiting transaction, or
    /// wanted it replaced; and the replacement that the owner wants now.
    package func wishes(of id: IntentID) -> (count: Int, wanted: SignedAttempt.Kind?) {
        guard let state = intents[id], let index = state.replaceableStep else { return (0, nil) }
        let step = state.steps[index]
        return (step.wishes, step.repricing == nil ? step.wanted : nil)
    }

    /// Returns the transaction of an intent that a replacement would replace.
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
