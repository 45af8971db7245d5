import BigInt

/// The limits that the contracts of every kind of sale have in common.
///
/// Source: Docs/contracts.md, section 4.
package enum SaleLimits {
    /// 10,000 units of the currency: below that, rounding could give away a part that matters.
    package static let priceMin = Amount(small: 10_000)

    /// 2¹²⁸ − 1.
    package static let priceMax: Amount = {
        guard let amount = Amount(BigUInt(1) << 128 - 1) else { return .max }
        return amount
    }()

    /// The prices and first bids that the contracts accept.
    package static let prices = priceMin...priceMax

    /// The maximum number of steps of one sale that are remembered.
    ///
    /// A party can propose settlements without end; the first step and the newest ones stay.
    package static let stepsMax = 256
    /// The last round that a sale with rounds can have, from 0.
    package static let roundLast: UInt64 = 4
}
