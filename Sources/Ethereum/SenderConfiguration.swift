import Market

/// An operator's settings for sending transactions on a chain.
package struct SenderConfiguration: Sendable {
    /// The number of blocks, including its own, after which a transaction's outcome is final.
    package var confirmations: UInt64 = 3
    /// The time between requests for receipts.
    package var pollInterval: Duration = .seconds(5)
    /// How many blocks without it make a transaction overdue, and at least as many times
    /// ``overdueInterval`` or, if it is longer, ``pollInterval``.
    package var receiptTries = 25
    package var fees = FeePolicy(ceiling: Amount(small: 1_000_000_000_000))
    package var limits = ChainLimits()

    /// On a chain whose blocks are faster, a transaction is overdue no sooner than on one with
    /// these.
    private static let overdueInterval = Duration.seconds(5)
    /// How many polls without a receipt are enough on a chain that is polled often.
    private static let pollsUntilLost = 120

    package init() {}

    var pace: SendQueue.Pace {
        SendQueue.Pace(
            confirmations: confirmations,
            overdue: max(pollInterval, Self.overdueInterval) * receiptTries,
            overdueBlocks: UInt64(receiptTries),
            rebroadcast: limits.rebroadcast,
            lost: min(limits.nonceLostAfter, pollInterval * Self.pollsUntilLost)
        )
    }
}
