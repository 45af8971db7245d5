package import Market

/// How a transaction pays for gas, which also determines its type.
///
/// Prices are in wei for one unit of gas.
package enum TransactionPricing: Hashable, Sendable {
    /// One price, in a transaction without a type; for chains without a base fee.
    case legacy(gasPrice: Amount)
    /// One price and an access list.
    ///
    /// Source: EIP-2930.
    case accessList(gasPrice: Amount, [AccessListEntry])
    /// At most `feeCap` in all, of which at most `priorityFee` goes to the block's producer.
    ///
    /// Source: EIP-1559.
    case dynamic(priorityFee: Amount, feeCap: Amount, [AccessListEntry] = [])

    /// The highest price of one unit of gas.
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

    /// The type, which is the first byte of the encoding; `nil` for a legacy transaction.
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
