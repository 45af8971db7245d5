import Market

/// What an operator says about sending transactions on a chain.
package struct SenderConfiguration: Sendable {
    /// Blocks, its own counted, after which a transaction's outcome is final.
    package var confirmations: UInt64 = 3
    /// How often receipts are asked for.
    package var pollInterval: Duration = .seconds(5)
    /// How many times a receipt is asked for before the transaction is called overdue.
    package var receiptTries = 25
    package var fees = FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
    package var limits = ChainLimits()

    package init() {}

    var pace: SendQueue.Pace {
        SendQueue.Pace(
            confirmations: confirmations,
            overdue: pollInterval * receiptTries,
            rebroadcast: limits.rebroadcast
        )
    }
}
