package import Market

/// The fee of replacing a waiting transaction, and the agreement to it.
extension TransactionSender {
    /// Quotes the highest and the minimum fee of a replacement.
    ///
    /// - Parameters:
    ///   - id: The intent whose transaction waits.
    ///   - kind: Whether it is sped up or cancelled.
    /// - Returns: `nil` if nothing has to be signed: an unsigned step is cancelled for free.
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

    /// Raises the limit of the waiting transaction's fee to `feeMax`, in wei.
    ///
    /// The new limit is durable when this returns.
    ///
    /// - Throws: ``IntentError/nothingToReplace``, ``IntentError/replacedTooOften``, or the
    ///   journal's error.
    package func raiseFee(of id: IntentID, to feeMax: Amount) async throws {
        guard let slot = queue.waiting(id, for: .speedUp)?.slot else {
            throw IntentError.nothingToReplace
        }
        guard queue.feeMax(of: slot) != feeMax else { return }
        try requireWishes(of: id)
        let entry = JournalEntry(slot, .feeRaised(feeMax))
        try await record(entry)
        queue.apply(entry)
    }

    /// Refuses more changes of a waiting transaction than the journal has room for.
    func requireWishes(of id: IntentID) throws(IntentError) {
        guard queue.wishes(of: id).count < configuration.limits.wishesMax else {
            throw .replacedTooOften
        }
    }
}
