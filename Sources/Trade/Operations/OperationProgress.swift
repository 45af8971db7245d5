import Answers
package import Client
package import Ethereum

/// The effect of an intent's progress on the operation that it carries out.
///
/// Pure: the same progress gives the same report.
package struct OperationProgress: Equatable, Sendable {
    /// How each phase of its transactions stands.
    package let phases: [Client.Operation.Phase]
    /// Whether it continues, or waits for its owner; its end is in ``isFinal`` and ``problem``.
    package let state: Client.Operation.State
    /// Every transaction is final, and the node shows the result.
    package let isFinal: Bool
    /// Why it failed, if it did.
    package let problem: Problem?

    /// - Parameters:
    ///   - progress: The sender's report.
    ///   - stepCount: How many transactions the intent has.
    ///   - isShown: Whether the node shows the last one's block as final, which the sender may see
    ///     first.
    ///   - outage: Why the chain cannot be followed now, if it cannot.
    package init(
        _ progress: IntentProgress,
        stepCount: Int,
        isShown: Bool = true,
        outage: String? = nil
    ) {
        isFinal = progress.phase == .final && isShown
        let current = CurrentPhase(progress)
        let outage = progress.phase.waitsForChain ? outage : nil
        let told = [current.detail, progress.note, outage].compactMap { $0 }.joined(separator: "; ")
        let place = stepCount > 1 ? "transaction \(progress.step + 1) of \(stepCount)" : ""
        let words = [place, told].filter { !$0.isEmpty }.joined(separator: ": ")
        let detail = words.isEmpty ? nil : words
        let isDone = isFinal
        typealias Phase = Client.Operation.Phase
        phases = Phase.Name.onChain.enumerated().map { place, name in
            if place < current.place || isDone {
                return Phase(name: name, state: .done)
            }
            guard place == current.place else { return Phase(name: name, state: .waiting) }
            let state = current.refusal == nil ? Phase.State.running : .failed
            return Phase(name: name, state: state, detail: detail)
        }
        state =
            switch progress.phase {
            case .needsUnlock: .needsUnlock
            case .awaitsSignature: .needsSignature
            default: .running
            }
        problem = current.refusal?.problem
    }

    /// The current phase, its details, and the reason if it failed.
    private struct CurrentPhase {
        /// Its position among the phases of a transaction.
        let place: Int
        let detail: String?
        let refusal: Refusal?

        private init(
            at name: Client.Operation.Phase.Name,
            _ detail: String? = nil,
            _ refusal: Refusal? = nil
        ) {
            place = Client.Operation.Phase.Name.onChain.firstIndex(of: name) ?? 0
            self.detail = detail ?? refusal?.detail
            self.refusal = refusal
        }

        init(_ progress: IntentProgress) {
            switch progress.phase {
            case .waiting: self.init(at: .estimate)
            case .delayed(let reason): self.init(at: .estimate, reason)
            case .needsUnlock: self.init(at: .estimate, "sign in, so that it can be signed")
            case .awaitsSignature: self.init(at: .signed, "sign it with your wallet")
            case .signed: self.init(at: .sent)
            case .unanswered: self.init(at: .sent, "no endpoint answers; it is sent again")
            case .stuck(let reason): self.init(at: .sent, "no endpoint takes it: \(reason)")
            case .sent: self.init(at: .mined)
            case .overdue:
                self.init(
                    at: .mined,
                    progress.missingNonce.map {
                        "it waits for a transaction of this account with the nonce \($0), which nobody "
                            + "has sent: the next transaction that you make here takes that nonce"
                    } ?? "it takes longer than usual: speed it up or cancel it"
                )
            case .keyUsedElsewhere:
                self.init(
                    at: progress.awaitsAcknowledgement ? .estimate : .mined,
                    "another transaction has its nonce, so the key is also used elsewhere; nothing "
                        + "is signed until you acknowledge that"
                )
            case .nonceAwaited(let nonce):
                self.init(
                    at: .estimate,
                    "another program's transaction of this account waits with the nonce \(nonce): "
                        + "this continues once that one is mined, or replaces it once you "
                        + "acknowledge that; then only one of the two is ever mined"
                )
            case .nonceUnconfirmed(let nonce):
                self.init(
                    at: .estimate,
                    "only one endpoint answers, and it says that the next nonce is \(nonce), which is "
                        + "above what this node has used: this goes on once a second endpoint says "
                        + "so too, or once you acknowledge that another program has used the key"
                )
            case .mined(let count, let needed): self.init(at: .confirmed, "\(count) of \(needed)")
            case .final: self.init(at: .confirmed, "this node is about to read its block")
            case .reverted:
                self.init(
                    at: .mined,
                    nil,
                    Refusal(
                        .contractRefused,
                        progress.ranOutOfGas
                            ? "The chain ran it and it ran out of gas. Only its fee was paid. An "
                                + "endpoint may have estimated too little: see the chain's "
                                + "endpoints before you repeat it."
                            : "The chain ran it and it failed, because something had changed. Only "
                                + "its fee was paid. Check the sale before you repeat it."
                    )
                )
            case .refused(let reason):
                self.init(
                    at: .estimate,
                    nil,
                    Refusal(.contractRefused, Self.words(of: reason, progress))
                )
            case .cancelled:
                self.init(at: .mined, nil, Refusal(.contractRefused, "It was cancelled."))
            }
        }

        /// States what was sent of an intent although its step was refused for this reason.
        private static func words(of reason: String, _ progress: IntentProgress) -> String {
            if progress.wasOffered {
                return "This node does not continue it: \(reason). If your wallet has sent the "
                    + "transaction, it still counts: check there before you begin it again."
            }
            guard progress.receipts.contains(where: { $0 != nil }) else {
                return "Nothing was sent: \(reason)."
            }
            return "The remaining transactions were not sent: \(reason). The earlier ones are "
                + "mined, and their fees are paid."
        }
    }
}

extension IntentProgress {
    /// The height of its newest block; `nil` before one has any of it.
    var height: UInt64? { receipts.compactMap { $0?.block.number }.max() }
}

extension SendPhase {
    /// Whether only its owner takes it further, and nothing of it is signed.
    var waitsForOwner: Bool { self == .needsUnlock || self == .awaitsSignature }

    /// Whether only the chain takes it further.
    ///
    /// A step that waits to be prepared or sent states its own reason.
    var waitsForChain: Bool {
        switch self {
        case .sent, .overdue, .mined, .final: true
        case .waiting, .delayed, .needsUnlock, .awaitsSignature, .signed, .unanswered, .stuck,
            .keyUsedElsewhere, .nonceAwaited, .nonceUnconfirmed, .reverted, .refused, .cancelled:
            false
        }
    }
}
