/// Whose transaction is the next to sign.
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
        let ended = endUnwanted()
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

    /// Ends the steps that must no longer be signed.
    private mutating func endUnwanted() -> [Directive] {
        var directives: [Directive] = []
        for state in openStates {
            guard let next = state.unsignedStep else { continue }
            let slot = SendSlot(intent: state.intent.id, step: next)
            guard !beingDecided.contains(slot), let reason = reason(against: slot, of: state)
            else {
                continue
            }
            directives += record(slot, .refused(reason)) + note(slot) { _ in }
        }
        return directives
    }

    /// Returns why an unsigned step ends without a signature.
    ///
    /// If a wallet outside the node signed it and another transaction used the nonce, that one can
    /// be the same, which the wallet has sent again with another fee: with a new nonce the step
    /// would be done twice.
    private func reason(against slot: SendSlot, of state: SendState) -> String? {
        if abandoned.contains(slot.intent) { return "its account was removed from this node" }
        let step = state.steps[slot.step]
        guard step.wasRequested, step.request == nil else { return nil }
        return "another transaction of the wallet has its nonce"
    }

    /// The slots with a replacement to sign.
    private var replacements: [Turn] {
        openStates.flatMap { state in
            state.steps.indices.compactMap { index in
                let step = state.steps[index]
                let slot = SendSlot(intent: state.intent.id, step: index)
                guard step.isInFlight, step.wanted != nil, step.request == nil,
                    !beingWished.contains(slot)
                else { return nil }
                return Turn(slot: slot, isReplacement: true)
            }
        }
    }

    /// Returns the slots to sign for the first time, and directives for those that wait for an
    /// acknowledgement.
    ///
    /// While an intent is under way or waits for a wallet, no other one starts: it could use up
    /// something that the first steps prepared, such as an allowance. One that has waited long
    /// behind a gap of nonces holds nothing up: later ones may fill the gap.
    private mutating func unsignedTurns() -> (told: [Directive], turns: [Turn]) {
        let states = openStates
        let holder = states.first { $0.isRequested || ($0.isUnderWay && !waitsBehindGap($0)) }
        var (told, turns): ([Directive], [Turn]) = ([], [])
        for state in holder.map({ [$0] }) ?? states {
            guard let next = state.unsignedStep, state.steps[next].request == nil else { continue }
            let slot = SendSlot(intent: state.intent.id, step: next)
            guard !beingDecided.contains(slot) else { continue }
            guard !isForeignUnacknowledged else {
                told += note(slot) { $0.phase = .keyUsedElsewhere }
                continue
            }
            // An earlier signed transaction may still be mined: the action would happen twice.
            // Nothing overtakes it until the chain has been asked, which is soon.
            let step = state.steps[next]
            guard step.former.isEmpty || step.isFormerGone else { break }
            turns.append(Turn(slot: slot, isReplacement: false))
        }
        return (told, turns)
    }

    private var openStates: [SendState] {
        order.compactMap { intents[$0] }.filter { !$0.isEnded }
    }

    private func prepare(_ turn: Turn, of state: SendState) -> Directive {
        let (slot, isReplacement) = (turn.slot, turn.isReplacement)
        let repricing = state.steps[slot.step].repricing
        let usual = state.intent.speed
        let speed = isReplacement ? repricing?.speed(insteadOf: usual) ?? .fast : usual
        // The contract may refuse the cancelled call by now, so the empty call is prepared instead.
        let isCancel = isReplacement && state.steps[slot.step].wanted == .cancel
        let step = isCancel ? nothing : state.intent.steps[slot.step]
        return .prepare(slot, step, speed, isReplacement: isReplacement)
    }
}
