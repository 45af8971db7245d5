import Keys
import Market

/// Signatures that come from outside the node, for keys that are not here.
///
/// A step is offered once, with one nonce, and no other step of the account is offered before it is
/// signed or withdrawn. An offer is never repeated automatically: its owner may have sent the
/// transaction without telling the node, and a second one would do the same twice. So a step whose
/// nonce another transaction used ends: see ``takeTurn()``.
extension SendQueue {
    /// Returns the signature request for an intent; `nil` if there is none.
    package func offer(of id: IntentID) -> SignatureOffer? {
        guard let state = intents[id], !state.isEnded,
            let index = state.steps.firstIndex(where: { $0.offer != nil && $0.end == nil }),
            let offer = state.steps[index].offer
        else { return nil }
        let step = offer.kind == .cancel ? nothing : state.intent.steps[index]
        let transaction = Transaction(
            chain: chain,
            nonce: offer.nonce,
            to: step.to,
            value: step.value,
            data: step.data,
            gasLimit: offer.gasLimit,
            pricing: offer.pricing
        )
        let own = offer.pricing.feeCap.multiplied(by: offer.gasLimit) ?? .max
        return SignatureOffer(
            slot: SendSlot(intent: id, step: index),
            kind: offer.kind,
            asked: AskedTransaction(
                transaction,
                of: account,
                nonces: nonces(of: offer),
                taken: noncesTaken(by: SendSlot(intent: id, step: index)),
                feeMax: state.steps[index].feeMax ?? own
            )
        )
    }

    /// The current signature requests to wallets.
    var offers: [SignatureOffer] { order.compactMap { offer(of: $0) } }

    /// Begins to journal the answer to an offer; until it ends the offer cannot be withdrawn.
    ///
    /// - Returns: The entry to journal; `nil` if the offer is no longer open.
    package mutating func answer(
        _ offer: SignatureOffer,
        with signed: SignedTransaction
    ) -> JournalEntry? {
        guard self.offer(of: offer.slot.intent) == offer,
            beingDecided.insert(offer.slot).inserted
        else { return nil }
        let attempt = SignedAttempt(
            kind: offer.kind,
            nonce: signed.transaction.nonce,
            pricing: signed.transaction.pricing,
            hash: signed.hash,
            raw: signed.encoded
        )
        return JournalEntry(offer.slot, .signed(attempt))
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
