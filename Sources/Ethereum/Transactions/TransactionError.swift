package import Market

/// Why bytes are not a transaction, or why no chain accepts a transaction.
package enum TransactionError: Error, Equatable, Sendable {
    case encoding(RLPError)
    /// The first byte is the type of a transaction that Stoa does not know.
    case unknownType(UInt8)
    case fieldCount(expected: Int, found: Int)
    /// A field has the wrong shape: a list instead of bytes, a wrong length, or a leading zero.
    case malformed(TransactionField)
    /// A field is a number that is too large or not valid there.
    case outOfRange(TransactionField)
    /// The priority fee is above the fee cap: lower it or raise the cap.
    case priorityFeeAboveCap
    /// The gas limit times the price does not fit into 256 bits.
    case feeOverflow
    /// The gas limit is below the intrinsic gas: raise it to at least `needed`.
    case gasLimitTooLow(needed: UInt64)
    /// The transaction is for this other chain.
    case otherChain(ChainID)
    /// The transaction names no chain, so any chain would accept it: name one before signing.
    case withoutChain
    /// No key can have made the signature, or its `s` is high.
    case signature
}

extension TransactionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .encoding: "its bytes are not RLP"
        case .unknownType(let type): "its type is \(type), which this program does not know"
        case .fieldCount(let expected, let found): "it has \(found) fields instead of \(expected)"
        case .malformed(let field): "its field '\(field.rawValue)' has another form"
        case .outOfRange(let field): "its field '\(field.rawValue)' is out of range"
        case .priorityFeeAboveCap: "its tip is above its highest price"
        case .feeOverflow: "its fee is beyond all bounds"
        case .gasLimitTooLow(let needed):
            "its gas limit is below the \(needed) that it uses at least"
        case .otherChain(let chain): "it is for chain \(chain)"
        case .withoutChain: "it names no chain"
        case .signature: "no key can have made its signature"
        }
    }
}

/// The parts of a transaction, as errors name them.
package enum TransactionField: String, Equatable, Sendable {
    case transaction, chain, nonce, gasPrice, priorityFee, feeCap, gasLimit, to, value, data
    case accessList, recovery, r, s
}
