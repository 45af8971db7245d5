import Answers
package import Client
package import Ethereum
package import Texts

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
    ///   - isAlone: Whether the chain's only endpoint could lie about how it ended.
    package init(
        _ progress: IntentProgress,
        stepCount: Int,
        isShown: Bool = true,
        outage: [Sentence]? = nil,
        isAlone: Bool = false
    ) {
        isFinal = progress.phase == .final && isShown
        let current = CurrentPhase(progress, isAlone: isAlone)
        let outage = progress.phase.waitsForChain ? outage : nil
        let place = Sentence(
            "progress.place",
            ["place": "\(progress.step + 1)", "count": "\(stepCount)"]
        )
        let notes =
            (stepCount > 1 ? [place] : []) + current.notes + progress.notes + (outage ?? [])
        let isDone = isFinal
        typealias Phase = Client.Operation.Phase
        phases = Phase.Name.onChain.enumerated().map { place, name in
            if place < current.place || isDone {
                return Phase(name: name, state: .done)
            }
            guard place == current.place else { return Phase(name: name, state: .waiting) }
            let state = current.refusal == nil ? Phase.State.running : .failed
            return Phase(name: name, state: state, notes: notes)
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
        let notes: [Sentence]
        let refusal: Refusal?

        private init(at name: Client.Operation.Phase.Name, _ notes: Sentence...) {
            place = Client.Operation.Phase.Name.onChain.firstIndex(of: name) ?? 0
            (self.notes, refusal) = (notes, nil)
        }

        private init(failedAt name: Client.Operation.Phase.Name, _ reason: Sentence...) {
            place = Client.Operation.Phase.Name.onChain.firstIndex(of: name) ?? 0
            (notes, refusal) = (reason, Refusal(.contractRefused, reason))
        }

        init(_ progress: IntentProgress, isAlone: Bool) {
            switch progress.phase {
            case .waiting: self.init(at: .estimate)
            case .delayed(let reason): self.init(at: .estimate, reason)
            case .needsUnlock: self.init(at: .estimate, Sentence("progress.signIn"))
            case .awaitsSignature: self.init(at: .signed, Sentence("progress.signWithWallet"))
            case .signed: self.init(at: .sent)
            case .unanswered: self.init(at: .sent, Sentence("progress.unanswered"))
            case .stuck(let reason):
                self.init(at: .sent, Sentence("progress.stuck", ["reason": reason]))
            case .sent: self.init(at: .mined)
            case .overdue:
                self.init(
                    at: .mined,
                    progress.missingNonce.map {
                        Sentence("progress.missingNonce", ["nonce": "\($0)"])
                    } ?? Sentence("progress.overdue")
                )
            case .keyUsedElsewhere:
                self.init(
                    at: progress.awaitsAcknowledgement ? .estimate : .mined,
                    Sentence("progress.keyUsedElsewhere")
                )
            case .nonceAwaited(let nonce):
                self.init(at: .estimate, Sentence("progress.nonceAwaited", ["nonce": "\(nonce)"]))
            case .nonceUnconfirmed(let nonce):
                self.init(
                    at: .estimate,
                    Sentence("progress.nonceUnconfirmed", ["nonce": "\(nonce)"])
                )
            case .mined(let count, let needed):
                self.init(
                    at: .confirmed,
                    Sentence(
                        "progress.confirmations",
                        ["count": "\(count)", "needed": "\(needed)"]
                    )
                )
            case .final: self.init(at: .confirmed, Sentence("progress.readingBlock"))
            case .reverted:
                let code = progress.ranOutOfGas ? "refusal.ranOutOfGas" : "refusal.reverted"
                if isAlone {
                    self.init(failedAt: .mined, Sentence(code), Sentence("refusal.onlyOneSays"))
                } else {
                    self.init(failedAt: .mined, Sentence(code))
                }
            case .refused(let reason):
                let values = ["reason": reason]
                self.init(failedAt: .estimate, Sentence(Self.code(ofRefused: progress), values))
            case .cancelled: self.init(failedAt: .mined, Sentence("refusal.cancelled"))
            }
        }

        /// Returns the code that says what was sent of an intent although its step was refused.
        private static func code(ofRefused progress: IntentProgress) -> String {
            if progress.wasRequested { return "refusal.notContinued" }
            let isBegun = progress.receipts.contains { $0 != nil }
            return isBegun ? "refusal.restNotSent" : "refusal.nothingSent"
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
