package import Market

/// Says what to pay for gas.
///
/// Source: EIP-1559; the percentiles and multiples are ours.
package struct FeePolicy: Equatable, Sendable {
    /// Percentiles of tips to ask `eth_feeHistory` for: slow, normal, fast.
    package static let percentiles = [10, 50, 90]
    package static let historyBlocks: UInt64 = 10
    /// By how much pools want a replacement to pay more, with some to spare, in percent.
    private static let raisePercent: UInt64 = 13

    /// The most to pay for one unit of gas, in wei.
    package var ceiling: Amount
    /// The least tip, in wei; pools refuse less.
    package var tipMin: Amount

    package init(ceiling: Amount, tipMin: Amount = Amount(small: 1_000_000)) {
        (self.ceiling, self.tipMin) = (ceiling, tipMin)
    }

    /// What to pay now, or `nil` where even the base fee is above the ceiling.
    ///
    /// - Parameters:
    ///   - history: The newest blocks; without base fees the chain has one price for all.
    ///   - gasPrice: What the endpoint advises on such a chain.
    ///   - speed: How soon it shall be mined.
    /// - Returns: The price, never above the ceiling.
    package func pricing(
        history: FeeHistory,
        gasPrice: Amount,
        speed: FeeSpeed
    ) -> TransactionPricing? {
        guard let baseFee = history.baseFees.last, !baseFee.isZero else {
            guard gasPrice <= ceiling else { return nil }
            let percent: UInt64 = [100, 110, 130][Int(speed.rawValue)]
            let raised = gasPrice.multiplied(by: percent).map { divided($0, by: 100) } ?? ceiling
            return .legacy(gasPrice: min(raised, ceiling))
        }
        guard baseFee <= ceiling else { return nil }
        let tips = history.tips.compactMap {
            $0.count > speed.rawValue ? $0[Int(speed.rawValue)] : nil
        }
        .filter { !$0.isZero }
        .sorted()
        let tip = max(tips.isEmpty ? tipMin : tips[tips.count / 2], tipMin)
        let tenths: UInt64 = [15, 20, 30][Int(speed.rawValue)]
        let room = baseFee.multiplied(by: tenths).map { divided($0, by: 10) }
        let cap = min(room?.adding(tip) ?? ceiling, ceiling)
        return .dynamic(priorityFee: min(tip, cap), feeCap: cap)
    }

    /// What takes the place of `old` in the pools: today's price or the old one raised, whichever
    /// is more; `nil` above the ceiling.
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
        Amount(amount.units / Amount(small: divisor).units) ?? .max
    }
}
