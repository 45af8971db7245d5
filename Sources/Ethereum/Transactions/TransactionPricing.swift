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

    /// The maximum that the block's producer gets per unit of gas; the whole price if there is no
    /// tip.
    package var tip: Amount {
        guard case .dynamic(let priorityFee, _, _) = self else { return feeCap }
        return priorityFee
    }

    /// Whether it offers a higher tip than another price, or an eighth more in all.
    func isHigher(than other: TransactionPricing) -> Bool {
        tip > other.tip || other.isMuchLower(than: self)
    }

    /// Whether its whole price is at least an eighth lower than another one.
    func isMuchLower(than other: TransactionPricing) -> Bool {
        guard let eighths = feeCap.multiplied(by: 8), let most = other.feeCap.multiplied(by: 7)
        else { return false }
        return eighths <= most
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
