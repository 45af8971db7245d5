package import Market

/// What replacing a transaction that waits costs, and agreeing to it.
extension TransactionSender {
    /// What the fee of a replacement is at most, and what it cannot be below.
    ///
    /// - Parameters:
    ///   - id: The intent whose transaction waits.
    ///   - kind: Whether it is sped up or cancelled.
    /// - Returns: `nil` if nothing has to be signed: what was never signed is cancelled for free.
    /// - Throws: ``IntentError/nothingToReplace``, ``PreflightError``, ``EthereumError``.
    package func replacementFee(
        of id: IntentID,
        by kind: SignedAttempt.Kind
    ) async throws -> FeeQuote? {
        guard let waiting = queue.waiting(id, for: kind) else {
            if kind == .cancel, queue.isUnsigned(id) { return nil }
            throw IntentError.nothingToReplace
        }
        let (fees, limits) = (configuration.fees, configuration.limits)
        let needs = try await client.preflight(
            waiting.step,
            from: account,
            speed: .fast,
            fees: fees,
            limits: limits
        )
        guard let dear = fees.replacement(of: waiting.pricing, by: needs.pricing),
            let cheap = fees.replacement(of: waiting.pricing, by: waiting.pricing),
            let feeMax = dear.feeCap.multiplied(by: needs.gasLimit),
            let least = cheap.feeCap.multiplied(by: needs.gasLimit)
        else { throw PreflightError.feeAboveCeiling(fees.ceiling) }
        return FeeQuote(
            parts: [FeeQuote.Part(gasLimit: needs.gasLimit, feeMax: feeMax)],
            total: feeMax,
            least: least
        )
    }

    /// See ``SendQueue/feesMax(of:)``.
    package func feesMax(of id: IntentID) -> Amount? { queue.feesMax(of: id) }

    /// Lets the fee of the transaction that waits be `feeMax` at most, in wei; durable when it
    /// returns.
    ///
    /// - Throws: ``IntentError/nothingToReplace``, or the journal's error.
    package func raiseFee(of id: IntentID, to feeMax: Amount) async throws {
        guard let slot = queue.waiting(id, for: .speedUp)?.slot else {
            throw IntentError.nothingToReplace
        }
        let entry = JournalEntry(slot, .feeRaised(feeMax))
        try await record(entry)
        queue.apply(entry)
    }
}
