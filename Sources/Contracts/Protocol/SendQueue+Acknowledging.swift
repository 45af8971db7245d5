/// Steps that wait because another program uses the account's key, and the owner's acknowledgement
/// of that.
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
            guard !state.isEnded, case .nonceAwaited(let nonce) = state.progress.phase else {
                return nil
            }
            return nonce
        }
        return awaited.max().map { JournalEntry(slot, .foreignReplaceable($0 + 1)) }
    }

    /// Holds a step up because another program's transaction waits with its nonce.
    ///
    /// The step would replace it, and at most one of the two would ever be mined.
    mutating func awaiting(_ nonce: UInt64, _ slot: SendSlot) -> [Directive] {
        busy = nil
        passedOver.insert(slot)
        return note(slot) { $0.phase = .nonceAwaited(nonce) }
    }

    mutating func endAcknowledgedWaits() {
        for id in order {
            guard let steps = intents[id]?.steps else { continue }
            for index in steps.indices where steps[index].attempts.isEmpty {
                switch steps[index].phase {
                case .keyUsedElsewhere, .nonceAwaited:
                    intents[id]?.steps[index].phase = .waiting
                    intents[id]?.steps[index].isFormerGone = false
                default: break
                }
            }
        }
    }
}
