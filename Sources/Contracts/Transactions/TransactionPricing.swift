package import Market

/// How a transaction pays for gas, which also decides its kind.
///
/// Prices are wei for one unit of gas.
package enum TransactionPricing: Hashable, Sendable {
    /// One price, as before typed transactions; for chains without a base fee.
    case legacy(gasPrice: Amount)
    /// One price and an access list.
    ///
    /// Source: EIP-2930.
    case accessList(gasPrice: Amount, [AccessListEntry])
    /// At most `feeCap` in all, of which at most `priorityFee` goes to who makes the block.
    ///
    /// Source: EIP-1559.
    case dynamic(priorityFee: Amount, feeCap: Amount, [AccessListEntry] = [])

    /// The most that one unit of gas can cost.
    package var feeCap: Amount {
        switch self {
        case .legacy(let gasPrice), .accessList(let gasPrice, _): gasPrice
        case .dynamic(_, let feeCap, _): feeCap
        }
    }

    package var accessList: [AccessListEntry] {
        switch self {
        case .legacy: []
        case .accessList(_, let entries), .dynamic(_, _, let entries): entries
        }
    }

    /// The first byte of the encoding, which a legacy transaction does without.
    ///
    /// Source: EIP-2718.
    package var typeByte: UInt8? {
        switch self {
        case .legacy: nil
        case .accessList: 1
        case .dynamic: 2
        }
    }
}
