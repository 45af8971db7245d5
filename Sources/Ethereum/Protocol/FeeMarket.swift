package import Market

/// The present price of gas, as reported by up to three endpoints.
package struct FeeMarket: Equatable, Sendable {
    /// The reports of the endpoints.
    package let reports: [FeeReport]
    /// The minimum tip, in wei, that each usable endpoint has asked for; zero for one that has not.
    package let leastTips: [Amount]

    package init(reports: [FeeReport], leastTips: [Amount] = []) {
        (self.reports, self.leastTips) = (reports, leastTips.sorted())
    }

    /// The advised gas price on a chain without base fees: the lower of two endpoints' answers, or
    /// the middle one of three.
    package var gasPrice: Amount {
        let prices = reports.compactMap(\.gasPrice).sorted()
        return prices.isEmpty ? .zero : prices[(prices.count - 1) / 2]
    }

    /// Returns the lower tip of two endpoints, or the middle one of three; `nil` if none tells one.
    func tip(for speed: FeeSpeed) -> Amount? {
        let tips = reports.compactMap { $0.tip(for: speed) }.sorted()
        return tips.isEmpty ? nil : tips[(tips.count - 1) / 2]
    }

    /// Returns the minimum tip that pools are known to want.
    ///
    /// A fast transaction must satisfy every endpoint, because it can replace a transaction that
    /// some did not accept; any other must satisfy the less demanding half.
    func leastTip(for speed: FeeSpeed) -> Amount {
        guard let highest = leastTips.last else { return .zero }
        return speed == .fast ? highest : leastTips[(leastTips.count - 1) / 2]
    }

    /// The next block's base fee, from each endpoint; empty on a chain without base fees.
    package var baseFees: [Amount] { reports.compactMap(\.baseFee) }

    /// The minimum price of one unit of gas in the next block.
    package var leastPrice: Amount { baseFees.max() ?? gasPrice }

    /// The compared fees: the base fees, or on a chain without base fees the gas prices.
    private var figures: [Amount] {
        reports.map { (baseFees.isEmpty ? $0.gasPrice : $0.baseFee) ?? .zero }
    }

    /// Whether the endpoints' prices can belong to one chain, even if some blocks apart.
    ///
    /// The base fees of two successive blocks differ by at most an eighth.
    package var isConsistent: Bool {
        guard let low = figures.min(), let high = figures.max() else { return true }
        return Self.areNear(low, high)
    }

    /// Whether neither of two prices is more than twice the other one.
    static func areNear(_ one: Amount, _ other: Amount) -> Bool {
        let (low, high) = (min(one, other), max(one, other))
        return low.multiplied(by: 2).map { high <= $0 } ?? true
    }

    /// The one of three endpoints whose price is left out, because it does not fit the others'.
    package struct Outlier: Equatable, Sendable {
        /// Its index in ``FeeMarket/reports``.
        package let index: Int
        /// Whether its price fits neither of the two others, so that two refute it.
        package let isRefuted: Bool
    }

    /// The outlier of three endpoints; `nil` if there are not three, or if none of them stands
    /// apart.
    package var outlier: Outlier? {
        let fees = figures
        guard fees.count == 3, !isConsistent else { return nil }
        let order = fees.indices.sorted { fees[$0] < fees[$1] }
        let (low, middle, high) = (order[0], order[1], order[2])
        let isLowNear = Self.areNear(fees[low], fees[middle])
        let isHighNear = Self.areNear(fees[middle], fees[high])
        // If the middle one is close to both, neither is refuted: the most expensive is left out,
        // and a low price delays at most.
        if isLowNear { return Outlier(index: high, isRefuted: !isHighNear) }
        return isHighNear ? Outlier(index: low, isRefuted: true) : nil
    }

    /// Returns this market without one endpoint's report.
    package func leaving(_ index: Int) -> FeeMarket {
        var rest = reports
        rest.remove(at: index)
        return FeeMarket(reports: rest, leastTips: leastTips)
    }
}

extension FeeHistory {
    /// The next block's base fee; `nil` if the chain has no base fees.
    package var baseFee: Amount? { baseFees.last.flatMap { $0.isZero ? nil : $0 } }

    /// Returns the median tip of the last blocks for a speed; `nil` if no tips were paid.
    func tip(for speed: FeeSpeed) -> Amount? {
        let paid = tips.compactMap { $0.count > speed.rawValue ? $0[Int(speed.rawValue)] : nil }
            .filter { !$0.isZero }
            .sorted()
        return paid.isEmpty ? nil : paid[paid.count / 2]
    }
}
