import Answers
import Client
import Ethereum
import Keys
import Market

/// Operations that nobody has asked for now: what an account's owner begins goes first.
extension OperationRunner {
    /// Ends the operations that list an item again by themselves, as far as their owner's plan is
    /// about the same item and nothing of theirs is signed.
    ///
    /// - Throws: ``Refusal`` with `in_progress` if something is signed.
    func giveWay(
        to plan: OperationPlan,
        about subject: String?,
        _ request: OperationRequest
    ) async throws {
        guard try known(request) == nil else { return }
        for (id, entry) in book.rivals(of: plan, about: subject, request) {
            guard try await isDropped(id, entry) else { throw Refusal.beingChanged(by: id) }
        }
    }

    /// Ends an operation that lists an item again by itself, if its account no longer agrees to
    /// that and nothing of it is signed.
    func endIfUnwanted(_ id: String, _ entry: OpenOperation) async throws -> Bool {
        guard case .automatic(let sale)? = entry.plan.reopening,
            try !log.agrees(entry.account, toReopen: sale)
        else { return false }
        return try await isDropped(id, entry)
    }

    /// Ends an operation of which nothing is signed.
    ///
    /// - Returns: `false` if something is signed, or is just being signed: then it continues.
    private func isDropped(
        _ id: String,
        _ entry: OpenOperation,
        because refusal: Refusal = OperationPlan.Reopening.refusal
    ) async throws -> Bool {
        guard let latest = book[id] else { return true }
        // A sender that does not know it signs nothing of it.
        if latest.isSubmitted {
            guard let sender = try await sender(of: entry) else { return false }
            // A former run may have ended before it was submitted; submitting again does nothing.
            if latest.isResumed, latest.progress == nil {
                do {
                    try await sender.submit(entry.plan.intent(operation: id))
                } catch is IntentError { return false }
            }
            let isDropped = try await sender.drop(entry.intent, because: refusal.detail)
            guard isDropped, book[id] != nil else { return isDropped }
        }
        let phase = Client.Operation.Phase(.estimate, failedFor: refusal)
        try await end(id, with: phase, problem: refusal.problem)
        return true
    }

    /// Ends the operation that lists a sale's item again by itself, because its account is signed
    /// out.
    ///
    /// - Returns: `false` if something of it is signed: then it continues.
    func dropReopening(of sale: SaleID) async throws -> Bool {
        let refusal = Refusal(.nodeLocked, Sentence("refusal.reopeningLocked"))
        for (id, entry) in book.reopenings(of: sale) {
            guard try await isDropped(id, entry, because: refusal) else { return false }
        }
        return true
    }
}
