package import Client
package import Contracts
package import Keys
import Market

/// What it costs to speed an operation up or to cancel it.
extension OperationRunner {
    /// What replacing the operation's waiting transaction would cost; nothing is signed.
    ///
    /// - Throws: ``Refusal`` with `unknown_operation`; everything else is an obstacle in words.
    package func preview(
        replacing id: String,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws -> ActionPreview {
        let operation = try log.entry(id, account: account).operation
        var preview = ActionPreview(
            action: kind == .cancel ? "cancel" : "speed_up",
            subject: operation.id,
            summary: kind == .cancel
                ? "Nothing is to happen in place of '\(operation.kind)'."
                : "The transaction of '\(operation.kind)' is signed again, with a higher fee."
        )
        try await preview.check { preview in
            let intent = OperationPlan.intentID(operation: operation.id)
            guard let quote = try await fee(replacing: intent, with: kind, by: account) else {
                preview.explanation.append(
                    "Its next transaction is not signed yet and will not be. It costs no fee."
                )
                return
            }
            preview.feeMax = quote.total.decimal
            preview.pay("fee", quote.total, .native)
            preview.explanation.append(
                kind == .cancel
                    ? "An empty transaction is signed in its place. Whichever of the two is mined "
                        + "first counts, and only its fee is paid."
                    : "Whichever of the two is mined first counts, and only its fee is paid."
            )
        }
        return preview
    }

    /// Makes what the owner agreed to pay for a replacement durable, before it is asked for.
    ///
    /// - Returns: False if nothing has to be paid: then nothing may be signed.
    func agree(
        to feeMax: String?,
        replacing intent: IntentID,
        of id: String,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws -> Bool {
        let agreed = try feeMax.map { try Amount.entered($0, field: "feeMax") }
        guard let quote = try await fee(replacing: intent, with: kind, by: account) else {
            return false
        }
        let fees = try AgreedFees(quote, agreed, on: sending.chain)
        try await sending.raiseFee(of: intent, to: fees.feeMax, by: account)
        try await tellFees(of: intent, of: id, by: account)
        return true
    }

    /// Writes down what the fees of all transactions of an operation can be at most by now.
    private func tellFees(
        of intent: IntentID,
        of id: String,
        by account: Address
    ) async throws {
        guard let all = try await sending.feesMax(of: intent, by: account) else { return }
        // A cancellation may cost less than what it stands in for, which may be mined all the same.
        let before = try log.entry(id, account: account).operation.feeMax
        let feeMax = max(all, before.flatMap { Amount(decimal: $0) } ?? .zero)
        try await log.set(id, account: account, feeMax: feeMax.decimal)
    }

    private func fee(
        replacing intent: IntentID,
        with kind: SignedAttempt.Kind,
        by account: Address
    ) async throws -> FeeQuote? {
        do {
            return try await sending.replacementFee(of: intent, by: kind, account: account)
        } catch IntentError.nothingToReplace {
            throw Refusal(
                .moveNotOpen,
                "Nothing of this operation waits: it is mined, or is being signed just now."
            )
        } catch let error as PreflightError {
            throw Refusal(.contractRefused, "It cannot be replaced now: \(error).")
        } catch let error as EthereumError {
            throw Refusal(.chainAway, "The chain cannot be asked: \(error).")
        }
    }
}
