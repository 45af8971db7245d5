import Market

/// The additional details that a wallet outside the node gets for signing a step.
package struct RequestedTransaction: Hashable, Sendable {
    /// How many nonces a wallet may use, which sends other transactions of its account too.
    static let noncesMax: UInt64 = 16

    package let kind: SignedAttempt.Kind
    package let nonce: UInt64
    package let gasLimit: UInt64
    package let pricing: TransactionPricing

    package init(
        kind: SignedAttempt.Kind,
        nonce: UInt64,
        gasLimit: UInt64,
        pricing: TransactionPricing
    ) {
        (self.kind, self.nonce, self.gasLimit) = (kind, nonce, gasLimit)
        self.pricing = pricing
    }

    package init(_ kind: SignedAttempt.Kind, _ transaction: Transaction) {
        self.init(
            kind: kind,
            nonce: transaction.nonce,
            gasLimit: transaction.gasLimit,
            pricing: transaction.pricing
        )
    }
}

/// A transaction that waits for a signature from outside the node, with the slot that it is for.
package struct WalletRequest: Hashable, Sendable {
    package let slot: SendSlot
    package let kind: SignedAttempt.Kind
    package let asked: AskedTransaction
}
