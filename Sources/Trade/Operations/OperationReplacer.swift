import Answers
package import Client
package import Ethereum
package import Keys
import Market

/// The owner's options for a stuck operation: pay more, cancel it, or continue although the key is
/// used elsewhere.
package struct OperationReplacer: Sendable {
    private let runner: OperationRunner

    private var log: OperationLog { runner.log }
    private var senders: any IntentSenders { runner.senders }

    package init(runner: OperationRunner) { self.runner = runner }

    /// The cost of replacing the operation's waiting transaction; nothing is signed.
    ///
    /// - Throws: ``Refusal`` with `unknown_operation`; everything else is an obstacle in words.
    package func preview(
        replacing id: String,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws -> ActionPreview {
        let operation = try log.entry(id, account: account).operation
        return try await PlannedOperation.preview(by: account) { plan in
            plan.preview = ActionPreview(
                action: kind == .cancel ? "cancel" : "speed_up",
                chain: operation.chain,
                subject: operation.id,
                summary: [
                    Sentence(
                        kind == .cancel ? "replacing.cancel" : "replacing.speedUp",
                        ["kind": "operation.\(operation.kind)"]
                    )
                ]
            )
            try await plan.check { plan in
                let sender = try await requiredSender(of: operation, account)
                let intent = OperationPlan.intentID(operation: operation.id)
                guard let quote = try await fee(replacing: intent, with: kind, at: sender) else {
                    plan.preview.explanation.append(Sentence("replacing.notSigned"))
                    if await sender.walletRequest(of: intent) != nil {
                        plan.preview.warnings.append(Sentence("replacing.walletSent"))
                    }
                    return
                }
                try plan.preview.show(quote, within: plan.feeMax, on: sender.chain)
                plan.preview.explanation.append(
                    kind == .cancel
                        ? Sentence("replacing.byNothing") : Sentence("replacing.firstCounts")
                )
            }
        }
    }

    /// Signs the transaction of an operation that waits to be mined again: with a higher fee, or so
    /// that nothing happens instead; cancelling drops transactions that are not signed yet.
    ///
    /// - Parameters:
    ///   - id: The operation.
    ///   - kind: Which of the two.
    ///   - feeMax: The maximum fee of the new transaction, in wei; `nil` for the current one.
    ///   - account: Whose operation it is.
    /// - Returns: The operation; how it gets on shows in its phases.
    /// - Throws: ``Refusal`` with `unknown_operation`, `fee_above_limit`, or `move_not_open` if
    ///   nothing of it waits.
    package func replace(
        _ id: String,
        with kind: SignedAttempt.Kind,
        feeMax: String? = nil,
        by account: Address
    ) async throws -> Client.Operation {
        let operation = try log.entry(id, account: account).operation
        guard let entry = await runner.book[operation.id] else { throw Self.nothingWaits }
        let sender = try await requiredSender(of: operation, account)
        do {
            let isPaid = try await agree(to: feeMax, replacing: entry, with: kind, at: sender)
            // First: a crash in between must not list the item again.
            if kind == .cancel { try await log.endReopening(by: entry.plan, of: account) }
            if isPaid {
                try await sender.replace(entry.intent, by: kind)
            } else {
                // It was free when it was agreed to, and must still be free.
                try await sender.withdraw(entry.intent)
            }
        } catch IntentError.nothingToReplace {
            throw Self.nothingWaits
        } catch IntentError.replacedTooOften {
            throw Refusal(.moveNotOpen, Sentence("refusal.changedTooOften"))
        }
        return try log.entry(id, account: account).operation
    }

    private func requiredSender(
        of operation: Client.Operation,
        _ account: Address
    ) async throws -> any IntentSender {
        let chain = operation.chain.map { ChainID($0) }
        guard let sender = try await senders.sender(of: account, on: chain) else {
            throw Refusal(
                .unknownChain,
                Sentence("refusal.chainDropped", ["chain": chain?.description ?? ""])
            )
        }
        return sender
    }

    /// Allows the account to sign again although its key is used elsewhere too, which its owner
    /// knows.
    ///
    /// It applies to all chains on which something waits for it.
    ///
    /// - Throws: ``Refusal`` with `move_not_open` if nothing waits for that.
    package func acknowledgeForeignUse(by account: Address) async throws {
        var isAnswered = false
        for chain in senders.chains {
            let sender = try await senders.sender(of: account, on: chain)
            if try await sender?.acknowledgeForeignUse() == true { isAnswered = true }
        }
        guard isAnswered else {
            throw Refusal(.moveNotOpen, Sentence("refusal.nothingToAcknowledge"))
        }
    }

    private static var nothingWaits: Refusal {
        Refusal(.moveNotOpen, Sentence("refusal.nothingToReplace"))
    }

    /// Makes the owner's agreed fee for a replacement durable, before the replacement is requested.
    ///
    /// - Returns: False if nothing has to be paid: then nothing may be signed.
    private func agree(
        to feeMax: String?,
        replacing entry: OpenOperation,
        with kind: SignedAttempt.Kind,
        at sender: any IntentSender
    ) async throws -> Bool {
        let agreed = try feeMax.map { try Amount.entered($0, field: "feeMax") }
        guard let quote = try await fee(replacing: entry.intent, with: kind, at: sender) else {
            return false
        }
        let fees = try AgreedFees(quote, agreed, on: sender.chain)
        try await sender.raiseFee(of: entry.intent, to: fees.feeMax)
        guard let all = await sender.feesMax(of: entry.intent) else { return true }
        try await runner.change(entry.operation.id) { operation in
            // The transaction that a cheaper cancellation replaces may still be mined.
            let before = operation.feeMax.flatMap { Amount(decimal: $0) } ?? .zero
            operation.feeMax = max(all, before).decimal
        }
        return true
    }

    private func fee(
        replacing intent: IntentID,
        with kind: SignedAttempt.Kind,
        at sender: any IntentSender
    ) async throws -> FeeQuote? {
        do {
            return try await sender.replacementFee(of: intent, by: kind)
        } catch IntentError.nothingToReplace {
            throw Self.nothingWaits
        } catch let error as PreflightError {
            throw Refusal(
                .contractRefused,
                Sentence("refusal.notReplaced", ["reason": error.reason.term])
            )
        } catch let error as EthereumError {
            throw Refusal(.chainAway, error.reason)
        }
    }
}
