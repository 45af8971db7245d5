import Keys
import Market

/// Signatures that come from outside the node, for keys that are not here.
///
/// A wallet is asked once for a step, with one nonce, and for no other step of the account before
/// it is signed or withdrawn. A request is never repeated automatically: its owner may have sent
/// the transaction without telling the node, and a second one would do the same twice. So a step
/// whose nonce another transaction used ends: see ``takeTurn()``.
extension SendQueue {
    /// Returns the signature request for an intent; `nil` if there is none.
    package func walletRequest(of id: IntentID) -> WalletRequest? {
        guard let state = intents[id], !state.isEnded,
            let index = state.steps.firstIndex(where: { $0.request != nil && $0.end == nil }),
            let request = state.steps[index].request
        else { return nil }
        let step = request.kind == .cancel ? nothing : state.intent.steps[index]
        let transaction = Transaction(
            chain: chain,
            nonce: request.nonce,
            to: step.to,
            value: step.value,
            data: step.data,
            gasLimit: request.gasLimit,
            pricing: request.pricing
        )
        let own = request.pricing.feeCap.multiplied(by: request.gasLimit) ?? .max
        return WalletRequest(
            slot: SendSlot(intent: id, step: index),
            kind: request.kind,
            asked: AskedTransaction(
                transaction,
                of: account,
                nonces: nonces(of: request),
                taken: noncesTaken(by: SendSlot(intent: id, step: index)),
                feeMax: state.steps[index].feeMax ?? own
            )
        )
    }

    /// The current signature requests to wallets.
    var walletRequests: [WalletRequest] { order.compactMap { walletRequest(of: $0) } }

    /// Begins to journal the answer to a request; until it ends the request cannot be withdrawn.
    ///
    /// - Returns: The entry to journal; `nil` if the request is no longer open.
    package mutating func answer(
        _ request: WalletRequest,
        with signed: SignedTransaction
    ) -> JournalEntry? {
        guard self.walletRequest(of: request.slot.intent) == request,
            beingDecided.insert(request.slot).inserted
        else { return nil }
        let attempt = SignedAttempt(
            kind: request.kind,
            nonce: signed.transaction.nonce,
            pricing: signed.transaction.pricing,
            hash: signed.hash,
            raw: signed.encoded
        )
        return JournalEntry(request.slot, .signed(attempt))
    }

    /// Ends the journalling of an answer or of a withdrawal: if it succeeded, it takes effect, and
    /// the next tick sends a signed transaction.
    package mutating func decisionIsRecorded(_ entry: JournalEntry, isKept: Bool = true) {
        beingDecided.remove(entry.slot)
        if isKept { apply(entry) }
    }

    /// Returns whether nothing of a slot's intent was ever signed and, as far as is known since the
    /// start, it has waited only for its owner.
    package func awaitsOwner(_ slot: SendSlot) -> Bool {
        guard let state = intents[slot.intent], !state.wasSigned else { return false }
        return switch state.steps[slot.step].phase {
        case .waiting, .needsUnlock, .awaitsSignature, .keyUsedElsewhere, .nonceAwaited,
            .nonceUnconfirmed:
            true
        case .delayed, .signed, .unanswered, .stuck, .sent, .overdue, .mined, .final, .reverted,
            .refused, .cancelled:
            false
        }
    }
}
