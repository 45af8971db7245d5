/// Which nonce the account's next transaction has.
///
/// A wallet outside the node can sign with a later nonce than it was asked for, because it also
/// sends its own transactions. If it never sends those, the earlier nonces are free, and the chain
/// mines nothing above them until they are used: so they are asked for first. So are those that no
/// transaction ever had: an endpoint told too high a count, or a reorganisation lost a transaction.
extension SendQueue {
    /// Returns the nonce of the next transaction.
    ///
    /// - Parameter count: The number of the account's transactions on the chain.
    /// - Returns: A free nonce, or the next one after all given ones.
    package func freeNonce(from count: UInt64) -> UInt64 {
        let waiting = Set(noncesInFlight.values)
        let skipped = skippedNonces.filter { $0 >= count && !waiting.contains($0) }.min()
        return skipped ?? max(count, nonceAfterOwn)
    }

    /// Returns the nonces that a wallet may choose for a request: a replacement keeps the one it
    /// replaces; for other requests the range ends above all waiting nonces, because the wallet may
    /// know what fills the gap.
    func nonces(of request: RequestedTransaction) -> ClosedRange<UInt64> {
        guard request.kind == .original else { return request.nonce...request.nonce }
        let highest = max(request.nonce, nonceAfterOwn)
        let (last, isOver) = highest.addingReportingOverflow(RequestedTransaction.noncesMax - 1)
        return request.nonce...(isOver ? request.nonce : last)
    }

    /// Returns the nonces that transactions of other slots have, as far as they have not ended.
    func noncesTaken(by others: SendSlot) -> Set<UInt64> {
        var nonces: Set<UInt64> = []
        for state in intents.values {
            for index in state.steps.indices where state.steps[index].isInFlight {
                guard SendSlot(intent: state.intent.id, step: index) != others else { continue }
                nonces.formUnion(state.steps[index].attempts.map(\.nonce))
            }
        }
        return nonces
    }

    /// Returns whether a signed step of an intent has waited long for a transaction with an earlier
    /// nonce that may never be sent.
    func waitsBehindGap(_ state: SendState) -> Bool {
        state.steps.contains { step in
            guard step.isInFlight, step.receipt == nil, step.phase == .overdue,
                let nonce = step.attempts.last?.nonce
            else { return false }
            return skippedNonces.contains { $0 < nonce }
        }
    }

    /// Records the nonce that a wallet has chosen for a request.
    mutating func noteChosen(_ nonce: UInt64, for slot: SendSlot) {
        skippedNonces.remove(nonce)
        guard let steps = intents[slot.intent]?.steps, steps.indices.contains(slot.step),
            let request = steps[slot.step].request, request.kind == .original, request.nonce < nonce
        else { return }
        // At most as many as a wallet may skip, whatever the journal says.
        let first = max(request.nonce, nonce - min(nonce, 2 * RequestedTransaction.noncesMax))
        skippedNonces.formUnion(Set(first..<nonce).subtracting(noncesTaken(by: slot)))
    }

    /// Records the unused nonces below a transaction that has waited long.
    ///
    /// - Parameter count: The number of the account's transactions on the chain.
    mutating func noteGap(from count: UInt64) {
        var own: Set<UInt64> = []
        var overdue: Set<UInt64> = []
        for step in intents.values.flatMap(\.steps) {
            own.formUnion((step.attempts + step.former).map(\.nonce))
            guard step.isInFlight, step.receipt == nil, step.phase == .overdue else { continue }
            overdue.formUnion(step.attempts.suffix(1).map(\.nonce))
        }
        guard let lowest = overdue.min(), lowest > count else { return }
        // A few at a time, whatever an endpoint reports.
        let last = min(lowest, count + RequestedTransaction.noncesMax)
        skippedNonces.formUnion(Set(count..<last).subtracting(own))
    }

    /// Notes which nonce each overdue transaction waits for.
    mutating func noteMissing() -> [Directive] {
        var directives: [Directive] = []
        for id in order {
            guard let steps = intents[id]?.steps else { continue }
            for (index, step) in steps.enumerated() {
                let nonce = step.phase == .overdue ? step.attempts.last?.nonce : nil
                let missing = nonce.flatMap { nonce in skippedNonces.filter { $0 < nonce }.min() }
                guard step.missingNonce != missing else { continue }
                let slot = SendSlot(intent: id, step: index)
                directives += note(slot) { $0.missingNonce = missing }
            }
        }
        return directives
    }

    /// Forgets the nonces that transactions on the chain have used.
    mutating func forgetSkipped(below count: UInt64) {
        skippedNonces = skippedNonces.filter { $0 >= count }
    }
}
