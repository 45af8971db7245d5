package import Market

/// Determines the price to pay for gas.
///
/// Source: EIP-1559; the percentiles and multiples are ours.
package struct FeePolicy: Equatable, Sendable {
    /// The percentiles of tips to request from `eth_feeHistory`: slow, normal, fast.
    package static let percentiles = [10, 50, 90]
    package static let historyBlocks: UInt64 = 10
    /// How much more a replacement pays, in percent: what pools require, and some margin.
    private static let raisePercent: UInt64 = 13

    /// The highest price of one unit of gas, in wei.
    package var ceiling: Amount
    /// The minimum tip, in wei, that is paid even if pools want less.
    package var tipMin: Amount
    /// The highest tip, in wei, unless the base fee is higher.
    ///
    /// A tip is at most this or the base fee, whichever is more. So an endpoint that invents high
    /// tips can at most double the price of gas.
    package var tipMax: Amount

    package init(
        ceiling: Amount,
        tipMin: Amount = Amount(small: 1_000_000),
        tipMax: Amount = Amount(small: 2 * Self.gwei)
    ) {
        (self.ceiling, self.tipMin, self.tipMax) = (ceiling, tipMin, tipMax)
    }

    package static let gwei: UInt64 = 1_000_000_000

    /// Reads gwei with at most nine decimals, such as `0.05`, and returns wei; `nil` for anything
    /// else.
    package static func wei(gwei text: String) -> Amount? {
        guard let match = text.wholeMatch(of: /([0-9]{1,9})(?:\.([0-9]{1,9}))?/) else { return nil }
        let part = String(match.output.2 ?? "")
        let zeros = String(repeating: "0", count: 9 - part.count)
        return UInt64("\(match.output.1)\(part)\(zeros)").map { Amount(small: $0) }
    }

    /// Returns the usual limits for a chain.
    ///
    /// The ceiling is a multiple of the price on a busy day. Polygon's pools refuse tips below 25
    /// gwei.
    package static func standard(for chain: ChainID) -> FeePolicy {
        let (ceilingGwei, tipGwei) = standardGwei(for: chain)
        return FeePolicy(
            ceiling: Amount(small: ceilingGwei * gwei),
            tipMin: standardTipMin(for: chain),
            tipMax: Amount(small: tipGwei * gwei)
        )
    }

    /// Returns the minimum tip that a chain's pools accept, in wei.
    package static func standardTipMin(for chain: ChainID) -> Amount {
        Amount(small: chain.number == 137 ? 25 * gwei : 1_000_000)
    }

    /// Returns the minimum tip that a chain's pools accept, in gwei, as people write it.
    package static func standardTipMinGwei(for chain: ChainID) -> String {
        chain.number == 137 ? "25" : "0.001"
    }

    /// Returns the usual ceiling and the usual highest tip of a chain, in gwei.
    package static func standardGwei(for chain: ChainID) -> (ceiling: UInt64, tip: UInt64) {
        switch chain.number {
        case 1: (200, 2)
        case 10, 8_453, 42_161, 59_144, 534_352: (10, 1)
        case 56: (20, 3)
        case 137: (2_000, 50)
        default: (1_000, 2)
        }
    }

    /// Returns this policy for a transaction whose fee may be at most `feeMax`, in wei.
    package func limited(to feeMax: Amount?, gas: UInt64) -> FeePolicy {
        guard let feeMax, gas > 0 else { return self }
        var limited = self
        limited.ceiling = min(ceiling, divided(feeMax, by: gas))
        return limited
    }

    /// Determines the price to pay now, or `nil` if even the base fee is above the ceiling.
    ///
    /// The tip is the lower of two endpoints' tips, or the middle one of three, but at least what
    /// pools are known to want; see ``tipMax``. On a chain without base fees, the price is at least
    /// the least tip: an endpoint that names none would leave a transaction that nobody mines.
    ///
    /// - Parameters:
    ///   - market: The prices that the endpoints report.
    ///   - speed: How soon the transaction should be mined.
    /// - Returns: The price, never above the ceiling.
    package func pricing(_ market: FeeMarket, speed: FeeSpeed) -> TransactionPricing? {
        let wanted = market.leastTip(for: speed)
        guard let low = market.baseFees.min(), let high = market.baseFees.max() else {
            guard max(market.gasPrice, tipMin) <= ceiling else { return nil }
            let percent: UInt64 = [100, 110, 130][Int(speed.rawValue)]
            let raised = market.gasPrice.multiplied(by: percent).map { divided($0, by: 100) }
            let least = max(tipMin, min(wanted, max(market.gasPrice, tipMax)))
            return .legacy(gasPrice: min(max(raised ?? ceiling, least), ceiling))
        }
        guard high <= ceiling else { return nil }
        let usual = market.tip(for: speed) ?? tipMin
        let tip = min(max(usual, tipMin, wanted), max(low, tipMax))
        let tenths: UInt64 = [15, 20, 30][Int(speed.rawValue)]
        let room = high.multiplied(by: tenths).map { divided($0, by: 10) }
        let cap = min(room?.adding(tip) ?? ceiling, ceiling)
        return .dynamic(priorityFee: min(tip, cap), feeCap: cap)
    }

    /// Returns the price of a transaction that replaces one with the price `old`: the present price
    /// or the old one raised, whichever is higher; `nil` if that is above the ceiling.
    package func replacement(
        of old: TransactionPricing,
        by new: TransactionPricing
    ) -> TransactionPricing? {
        switch (old, new) {
        case (.dynamic(let oldTip, let oldCap, _), .dynamic(let newTip, let newCap, _)):
            let tip = max(raised(oldTip), newTip)
            let cap = max(raised(oldCap), newCap, tip)
            return cap <= ceiling ? .dynamic(priorityFee: tip, feeCap: cap) : nil
        default:
            let price = max(raised(old.feeCap), new.feeCap)
            return price <= ceiling ? .legacy(gasPrice: price) : nil
        }
    }

    private func raised(_ amount: Amount) -> Amount {
        guard let product = amount.multiplied(by: 100 + Self.raisePercent) else { return .max }
        return divided(product, by: 100).adding(Amount(small: 1)) ?? .max
    }

    private func divided(_ amount: Amount, by divisor: UInt64) -> Amount {
        amount.quotientAndRemainder(dividingBy: divisor).0
    }
}
