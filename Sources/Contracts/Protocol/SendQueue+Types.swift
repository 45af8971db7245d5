package import Keys

extension SendQueue {
    /// How long things take that are up to the chain.
    package struct Pace: Equatable, Sendable {
        package var confirmations: UInt64
        /// Until a transaction that was sent and not mined is called overdue.
        package var overdue: Duration
        /// Until the bytes of one that is not mined are sent again.
        package var rebroadcast: Duration

        package init(confirmations: UInt64, overdue: Duration, rebroadcast: Duration) {
            self.confirmations = confirmations
            (self.overdue, self.rebroadcast) = (overdue, rebroadcast)
        }
    }

    /// What is known of a transaction before it is signed.
    package struct Preparation: Equatable, Sendable {
        /// How many transactions of the account the chain has.
        package let nextNonce: UInt64
        package let gasLimit: UInt64
        package let pricing: TransactionPricing

        package init(nextNonce: UInt64, gasLimit: UInt64, pricing: TransactionPricing) {
            (self.nextNonce, self.gasLimit, self.pricing) = (nextNonce, gasLimit, pricing)
        }
    }

    /// How an endpoint took a transaction.
    package enum SendAnswer: Equatable, Sendable {
        /// New, or known already.
        case taken
        /// The nonce is used: by this very transaction or by another, which the receipt tells.
        case nonceUsed
        case refused(String)
        case unreachable
    }

    /// What the chain shows of the account, read from one endpoint.
    package struct Observation: Equatable, Sendable {
        /// The transactions asked about; nothing is concluded about others.
        package let asked: Set<Bytes32>
        package let head: UInt64
        /// Transactions of the account that the chain has at full confirmations.
        ///
        /// Those of newer blocks say nothing: ours may have been mined after its receipt was asked for.
        package let settledNonce: UInt64
        package let receipts: [Bytes32: Receipt]
        /// Receipts whose block is confirmed to be part of the chain, by a second endpoint where
        /// there is one.
        package let vouched: Set<Bytes32>

        package init(
            asked: Set<Bytes32>,
            head: UInt64,
            settledNonce: UInt64,
            receipts: [Bytes32: Receipt],
            vouched: Set<Bytes32>
        ) {
            (self.asked, self.head) = (asked, head)
            self.settledNonce = settledNonce
            (self.receipts, self.vouched) = (receipts, vouched)
        }
    }
}
