import Keys

/// Applies the chain's state of the transactions that were sent.
extension SendQueue {
    mutating func observed(
        _ seen: Observation,
        at uptime: Duration
    ) -> [Directive] {
        if let settled = seen.settledNonce { forgetSkipped(below: settled) }
        var directives: [Directive] = []
        for id in order {
            guard let state = intents[id], !state.isEnded else { continue }
            for index in state.steps.indices {
                let slot = SendSlot(intent: id, step: index)
                let hashes = state.steps[index].watched.map(\.hash)
                guard !hashes.isEmpty else { continue }
                let doubt = hashes.lazy.compactMap { seen.doubts[$0] }.first
                intents[id]?.steps[index].doubt = doubt
                defer { directives += note(slot) { _ in } }
                guard seen.asked.isSuperset(of: hashes) else { continue }
                if let receipt = hashes.lazy.compactMap({ seen.receipts[$0] }).first {
                    directives += mined(slot, receipt, seen)
                } else if state.steps[index].isInFlight {
                    directives += notMined(slot, seen, at: uptime)
                } else if seen.vouched.isSuperset(of: hashes) {
                    intents[id]?.steps[index].isFormerGone = true
                }
            }
        }
        if let settled = seen.settledNonce { noteGap(from: settled) }
        return directives + noteMissing()
    }

    private mutating func mined(
        _ slot: SendSlot,
        _ receipt: Receipt,
        _ seen: Observation
    ) -> [Directive] {
        guard let step = intents[slot.intent]?.steps[slot.step],
            let attempt = step.watched.first(where: { $0.hash == receipt.transaction })
        else { return [] }
        var directives: [Directive] = []
        let (confirmations, number) = (pace.confirmations, receipt.block.number)
        let depth = seen.head < number ? 0 : seen.head - number + 1
        let isFinal = depth >= confirmations && seen.vouched.contains(attempt.hash)
        // Another endpoint can tell another outcome in the same block.
        let isNews = step.receipt?.agrees(with: receipt) != true
        if isNews {
            // Each is journalled: one that comes and goes has to wait for all confirmations.
            guard isFinal || step.timesMined < minedMax else { return [] }
            directives += record(slot, .mined(receipt))
        }
        if isFinal {
            let end: JournalEntry.Event =
                attempt.kind == .cancel
                ? .cancelled(attempt.hash)
                : receipt.isSuccess ? .final(attempt.hash) : .reverted(attempt.hash)
            return directives + record(slot, end) + note(slot) { _ in }
        }
        return directives
            + note(slot) {
                // One that is deep enough and not vouched for stays one confirmation short.
                var shown = min(depth, max(confirmations, 1) - 1)
                // The heads of endpoints differ.
                if !isNews, case .mined(let before, _) = $0.phase { shown = max(shown, before) }
                $0.phase = .mined(confirmations: shown, of: confirmations)
                ($0.foreignSightings, $0.foreignSince) = (0, nil)
            }
    }

    private mutating func notMined(
        _ slot: SendSlot,
        _ seen: Observation,
        at uptime: Duration
    ) -> [Directive] {
        guard let step = intents[slot.intent]?.steps[slot.step],
            let attempt = step.attempts.last
        else { return [] }
        if let receipt = step.receipt {
            // The block is gone: the same bytes are broadcast again at the next tick.
            return record(slot, .unmined(receipt.transaction))
                + note(slot) {
                    $0.phase = .sent
                    $0.lastSent = nil
                }
        }
        let usual = pace.overdue
        let firstHead = step.firstHead ?? seen.head
        if step.firstTaken != nil {
            intents[slot.intent]?.steps[slot.step].firstHead = firstHead
        }
        let isLate = seen.head - min(firstHead, seen.head) >= pace.overdueBlocks
        guard let settled = seen.settledNonce, settled > attempt.nonce else {
            let since = step.overduePriced ?? step.firstTaken
            if isLate, let since, uptime - since > usual {
                intents[slot.intent]?.steps[slot.step].overduePriced = uptime
                reprice(slot, attempt.hash, .overdue)
            }
            return note(slot) {
                ($0.foreignSightings, $0.foreignSince) = (0, nil)
                if $0.phase == .keyUsedElsewhere { $0.phase = .sent }
                guard isLate, let since = $0.firstTaken, uptime - since > usual else { return }
                $0.phase = .overdue
            }
        }
        let directives = note(slot) {
            $0.foreignSightings += 1
            $0.foreignSince = $0.foreignSince ?? uptime
            $0.phase = .keyUsedElsewhere
        }
        let now = intents[slot.intent]?.steps[slot.step]
        guard let now, now.foreignSightings >= 2, let since = now.foreignSince,
            uptime - since >= pace.lost
        else { return directives }
        return directives + record(slot, .nonceLost(attempt.nonce))
    }
}
