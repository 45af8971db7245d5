package import Market

/// Why bytes are not a transaction, or a transaction is one that no chain accepts.
package enum TransactionError: Error, Equatable, Sendable {
    case encoding(RLPError)
    /// The first byte names a kind that Stoa does not know.
    case unknownType(UInt8)
    case fieldCount(expected: Int, found: Int)
    /// A field has the wrong shape: a list for bytes, a wrong length, or a leading zero.
    case malformed(TransactionField)
    /// A field is a number that is too great, or one that means nothing there.
    case outOfRange(TransactionField)
    /// The priority fee is above the cap: lower it or raise the cap.
    case priorityFeeAboveCap
    /// Gas limit times price does not fit 256 bits.
    case feeOverflow
    /// The gas limit does not even pay for the transaction's bytes: raise it to `needed` or more.
    case gasLimitTooLow(needed: UInt64)
    /// It was made for this other chain.
    case otherChain(ChainID)
    /// It names no chain, so that any could take it: name one before signing.
    case withoutChain
    /// No key can have made the signature, or its `s` is high.
    case signature
}

/// The parts of a transaction, as errors name them.
package enum TransactionField: String, Equatable, Sendable {
    case transaction, chain, nonce, gasPrice, priorityFee, feeCap, gasLimit, to, value, data
    case accessList, recovery, r, s
}
