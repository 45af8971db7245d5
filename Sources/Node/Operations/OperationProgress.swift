package import Client
package import Contracts

/// What an intent's progress means for the operation it carries out.
///
/// Pure: the same progress gives the same report.
package struct OperationProgress: Equatable, Sendable {
    /// How a phase stands.
    package struct PhaseProgress: Equatable, Sendable {
        package let phase: OperationPhase
        /// `waiting`, `running`, `done` or `failed`.
        package let state: String
        package let detail: String?
    }

    package let lines: [PhaseProgress]
    package let needsUnlock: Bool
    /// Every transaction is final.
    package let isFinal: Bool
    /// Why it failed, if it did.
    package let problem: Problem?

    /// - Parameters:
    ///   - progress: What the sender tells.
    ///   - stepCount: How many transactions the intent has.
    package init(_ progress: IntentProgress, stepCount: Int) {
        let reading = ReadableTransaction(progress.phase)
        let told = [reading.detail, progress.note].compactMap { $0 }.joined(separator: "; ")
        let place = stepCount > 1 ? "transaction \(progress.step + 1) of \(stepCount)" : ""
        let words = [place, told].filter { !$0.isEmpty }.joined(separator: ": ")
        let detail = words.isEmpty ? nil : words
        lines = OperationPhase.onChain.enumerated().map { place, phase in
            if place < reading.reached || progress.phase == .final {
                return PhaseProgress(phase: phase, state: "done", detail: nil)
            }
            guard place == reading.reached else {
                return PhaseProgress(phase: phase, state: "waiting", detail: nil)
            }
            let state = reading.refusal == nil ? "running" : "failed"
            return PhaseProgress(phase: phase, state: state, detail: detail)
        }
        needsUnlock = progress.phase == .needsUnlock
        isFinal = progress.phase == .final
        problem = reading.refusal?.problem
    }

    /// Which phase is under way, what is worth saying of it, and why it failed.
    private struct ReadableTransaction {
        /// The place in ``OperationPhase/onChain``.
        let reached: Int
        let detail: String?
        let refusal: Refusal?

        private init(at reached: OperationPhase, _ detail: String? = nil, _ refusal: Refusal? = nil)
        {
            self.reached = OperationPhase.onChain.firstIndex(of: reached) ?? 0
            self.detail = detail ?? refusal?.detail
            self.refusal = refusal
        }

        init(_ phase: SendPhase) {
            switch phase {
            case .waiting: self.init(at: .estimate)
            case .delayed(let reason): self.init(at: .estimate, reason)
            case .needsUnlock: self.init(at: .estimate, "sign in, so that it can be signed")
            case .signed: self.init(at: .sent)
            case .stuck(let reason): self.init(at: .sent, "no endpoint takes it: \(reason)")
            case .sent: self.init(at: .mined)
            case .overdue:
                self.init(at: .mined, "it takes longer than usual: speed it up or cancel it")
            case .keyUsedElsewhere:
                self.init(
                    at: .mined,
                    "another transaction has its nonce: the key is used elsewhere too; nothing is "
                        + "signed until you acknowledge that"
                )
            case .mined(let count, let needed): self.init(at: .confirmed, "\(count) of \(needed)")
            case .final: self.init(at: .confirmed)
            case .reverted:
                self.init(
                    at: .mined,
                    nil,
                    Refusal(
                        .contractRefused,
                        "The chain ran it and it failed: something changed meanwhile. Its fee is "
                            + "paid, nothing else. Look at the sale again before you repeat it."
                    )
                )
            case .refused(let reason):
                self.init(
                    at: .estimate,
                    nil,
                    Refusal(.contractRefused, "Nothing was sent: \(reason).")
                )
            case .cancelled:
                self.init(at: .mined, nil, Refusal(.contractRefused, "It was cancelled."))
            }
        }
    }
}
