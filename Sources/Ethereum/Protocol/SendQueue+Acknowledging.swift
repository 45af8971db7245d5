/// Steps that wait because another program uses the account's key, or may use it, and the owner's
/// acknowledgement of that.
extension SendQueue {
    /// Returns the entry by which the owner acknowledges that another program uses the key; `nil`
    /// if there is nothing to acknowledge.
    ///
    /// With it, steps that lost their nonce continue, or one takes that of a waiting transaction.
    /// The acknowledgement is for the nonce that was shown to the owner and for no later one: an
    /// endpoint may count more waiting transactions than there are.
    package func acknowledgement() -> JournalEntry? {
        guard let id = order.last else { return nil }
        let slot = SendSlot(intent: id, step: 0)
        if isForeignUnacknowledged { return JournalEntry(slot, .foreignAcknowledged) }
        let awaited = intents.values.compactMap { state -> UInt64? in
            switch state.progress.phase {
            case .nonceAwaited(let nonce), .nonceUnconfirmed(let nonce):
                state.isEnded ? nil : nonce
            default: nil
            }
        }
        return awaited.max().map { JournalEntry(slot, .foreignReplaceable($0 + 1)) }
    }

    /// Holds a step up for its nonce, until the owner acknowledges it or the cause is gone.
    ///
    /// Either another program's transaction waits with that nonce: the step would replace it, and
    /// at most one of the two would ever be mined. Or only one endpoint states the nonce.
    mutating func waiting(_ slot: SendSlot, _ phase: SendPhase) -> [Directive] {
        busy = nil
        passedOver.insert(slot)
        return note(slot) { $0.phase = phase }
    }

    mutating func endAcknowledgedWaits() {
        for id in order {
            guard let steps = intents[id]?.steps else { continue }
            for index in steps.indices where steps[index].attempts.isEmpty {
                switch steps[index].phase {
                case .keyUsedElsewhere, .nonceAwaited, .nonceUnconfirmed:
                    intents[id]?.steps[index].phase = .waiting
                    intents[id]?.steps[index].isFormerGone = false
                default: break
                }
            }
        }
    }
}
