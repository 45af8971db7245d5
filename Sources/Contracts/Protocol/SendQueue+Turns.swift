/// Whose turn it is to be signed.
///
/// One slot is prepared at a time. A slot that cannot be signed now, for example because its fee is
/// too high or its account is locked, lets all others go first: a move before its deadline does not
/// wait behind a transfer that waits for a lower fee.
extension SendQueue {
    /// A slot that something can be signed for.
    private struct Turn {
        let slot: SendSlot
        let isReplacement: Bool
    }

    /// Prepares the slot whose turn it is, if there is one.
    mutating func takeTurn() -> [Directive] {
        guard busy == nil else { return [] }
        let ended = endLost()
        let (told, unsigned) = unsignedTurns()
        let directives = ended + told
        let turns = replacements + unsigned
        let fresh = turns.first { !passedOver.contains($0.slot) }
        if fresh == nil { passedOver = [] }
        guard let turn = fresh ?? turns.first, let state = intents[turn.slot.intent] else {
            return directives
        }
        busy = turn.slot
        return directives + [prepare(turn, of: state)]
    }

    /// Ends the steps that a wallet outside the node has signed and whose nonce another transaction
    /// used.
    ///
    /// That transaction can be the same one, which the wallet has sent again with another fee: if
    /// the step got a new nonce, it would be done twice.
    private mutating func endLost() -> [Directive] {
        openStates.flatMap { state -> [Directive] in
            guard let next = state.unsignedStep, state.steps[next].wasOffered,
                state.steps[next].offer == nil
            else { return [] }
            let slot = SendSlot(intent: state.intent.id, step: next)
            return record(slot, .refused("another transaction of the wallet has its nonce"))
                + note(slot) { _ in }
        }
    }

    /// The slots with a replacement to sign.
    private var replacements: [Turn] {
        openStates.flatMap { state in
            state.steps.indices.compactMap { index in
                let step = state.steps[index]
                let slot = SendSlot(intent: state.intent.id, step: index)
                guard step.isInFlight, step.wanted != nil, step.offer == nil,
                    !beingWished.contains(slot)
                else { return nil }
                return Turn(slot: slot, isReplacement: true)
            }
        }
    }

    /// Returns the slots to sign for the first time, and tells those that wait for an
    /// acknowledgement.
    ///
    /// While an intent is under way or waits for a wallet, no other one starts: it could use up what
    /// the first steps prepared, such as an allowance.
    private mutating func unsignedTurns() -> (told: [Directive], turns: [Turn]) {
        let states = openStates
        let holder = states.first { $0.isUnderWay || $0.isOffered }
        var (told, turns): ([Directive], [Turn]) = ([], [])
        for state in holder.map({ [$0] }) ?? states {
            guard let next = state.unsignedStep, state.steps[next].offer == nil else { continue }
            let slot = SendSlot(intent: state.intent.id, step: next)
            guard !isForeignUnacknowledged else {
                told += note(slot) { $0.phase = .keyUsedElsewhere }
                continue
            }
            turns.append(Turn(slot: slot, isReplacement: false))
        }
        return (told, turns)
    }

    private var openStates: [SendState] {
        order.compactMap { intents[$0] }.filter { !$0.isEnded }
    }

    private func prepare(_ turn: Turn, of state: SendState) -> Directive {
        let (slot, isReplacement) = (turn.slot, turn.isReplacement)
        let speed = isReplacement ? FeeSpeed.fast : state.intent.speed
        // The contract may refuse the cancelled call by now, so the empty call is prepared instead.
        let isCancel = isReplacement && state.steps[slot.step].wanted == .cancel
        let step = isCancel ? nothing : state.intent.steps[slot.step]
        return .prepare(slot, step, speed, isReplacement: isReplacement)
    }
}
