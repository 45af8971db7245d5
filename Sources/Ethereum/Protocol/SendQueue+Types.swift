package import Keys
package import Texts

extension SendQueue {
    /// How long the sender waits for the chain.
    package struct Pace: Equatable, Sendable {
        package var confirmations: UInt64
        /// How long a sent transaction stays unmined before it counts as overdue.
        package var overdue: Duration
        /// How many blocks the chain must have made during that time.
        package var overdueBlocks: UInt64
        /// How long a sent transaction stays unmined before its bytes are sent again.
        package var rebroadcast: Duration
        /// How long the chain must count a transaction's nonce as used and show no receipt before
        /// the nonce counts as another program's: receipts can be late.
        package var lost: Duration

        package init(
            confirmations: UInt64,
            overdue: Duration,
            overdueBlocks: UInt64,
            rebroadcast: Duration,
            lost: Duration = .zero
        ) {
            (self.confirmations, self.overdueBlocks) = (confirmations, overdueBlocks)
            (self.overdue, self.rebroadcast, self.lost) = (overdue, rebroadcast, lost)
        }
    }

    /// The values that a transaction needs before it is signed.
    package struct Preparation: Equatable, Sendable {
        /// The account's next nonce: after the chain's transactions, and after those signed here.
        package let nextNonce: UInt64
        /// The account's next nonce if the transactions that wait in the endpoints' pools are
        /// counted.
        package let pendingNonce: UInt64
        /// Whether the next nonce is confirmed: by a second endpoint if there is one, or by what
        /// was signed here.
        package let isNonceConfirmed: Bool
        package let gasLimit: UInt64
        package let pricing: TransactionPricing

        package init(
            nextNonce: UInt64,
            pendingNonce: UInt64 = 0,
            isNonceConfirmed: Bool = true,
            gasLimit: UInt64,
            pricing: TransactionPricing
        ) {
            (self.nextNonce, self.pendingNonce) = (nextNonce, pendingNonce)
            self.isNonceConfirmed = isNonceConfirmed
            (self.gasLimit, self.pricing) = (gasLimit, pricing)
        }
    }

    /// The endpoints' answer to a broadcast transaction.
    package enum SendAnswer: Equatable, Sendable {
        /// Accepted, or known already.
        case taken
        /// The nonce is used, by this transaction or by another; the receipt shows which.
        case nonceUsed
        /// Refused because of its price or its gas, in these words; another one may be taken.
        case mispriced(Repricing, String)
        case refused(String)
        case unreachable
    }

    /// The price or the gas with which a refused transaction may be accepted.
    package enum Repricing: Equatable, Sendable {
        /// A higher one: pools want more.
        case raise
        /// A higher one than that of another transaction that waits with the same nonce.
        case outbid
        /// A lower one: the endpoint has a cap on fees.
        case lower
        /// The same one with less gas: no block has so much, or the chain gives no transaction so
        /// much.
        case lessGas
        /// A higher one, because it has waited long and the price has risen since.
        case overdue
    }

    /// The state of the account's transactions on the chain, as far as endpoints agree on it.
    package struct Observation: Equatable, Sendable {
        /// The requested transactions; nothing is concluded about others.
        package let asked: Set<Bytes32>
        package let head: UInt64
        /// The number of the account's transactions that have all confirmations; `nil` if it is not
        /// known.
        ///
        /// Newer ones are not counted: one of them may be ours, mined after its receipt was read.
        package let settledNonce: UInt64?
        package let receipts: [Bytes32: Receipt]
        /// The transactions on which enough endpoints agree: on a receipt with all confirmations,
        /// or on that there is none.
        package let vouched: Set<Bytes32>
        /// The transactions of which only one of several endpoints says something final.
        package let doubts: [Bytes32: LoneClaim]

        package init(
            asked: Set<Bytes32>,
            head: UInt64,
            settledNonce: UInt64?,
            receipts: [Bytes32: Receipt],
            vouched: Set<Bytes32>,
            doubts: [Bytes32: LoneClaim] = [:]
        ) {
            (self.asked, self.head) = (asked, head)
            self.settledNonce = settledNonce
            (self.receipts, self.vouched, self.doubts) = (receipts, vouched, doubts)
        }
    }

    /// A statement that only one of several endpoints makes, so that nothing final follows.
    package enum LoneClaim: Equatable, Sendable {
        /// The transaction has all confirmations.
        case receipt
        /// Another transaction has used its nonce.
        case nonce

        /// The doubt, for people.
        package var reason: Sentence {
            switch self {
            case .receipt: Sentence("progress.receiptOfOne")
            case .nonce: Sentence("progress.nonceOfOne")
            }
        }
    }
}
