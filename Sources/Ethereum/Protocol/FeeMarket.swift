package import Market

/// The present price of gas, as reported by up to three endpoints.
package struct FeeMarket: Equatable, Sendable {
    /// The fees of the newest blocks, from each endpoint; a chain without base fees has none.
    package let histories: [FeeHistory]
    /// The advised gas price on a chain without base fees: the lower of two endpoints' answers, or
    /// the middle one of three.
    package let gasPrice: Amount
    /// The tips, in wei, advised by endpoints whose newest blocks have none.
    package let advisedTips: [Amount]
    /// The minimum tip, in wei, that each usable endpoint has asked for; zero for one that has not.
    package let leastTips: [Amount]

    package init(
        histories: [FeeHistory],
        gasPrice: Amount = .zero,
        advisedTips: [Amount] = [],
        leastTips: [Amount] = []
    ) {
        (self.histories, self.gasPrice) = (histories, gasPrice)
        (self.advisedTips, self.leastTips) = (advisedTips.sorted(), leastTips.sorted())
    }

    /// The advised tip: the lower of two, or the middle one of three; `nil` if there is none.
    var advisedTip: Amount? {
        advisedTips.isEmpty ? nil : advisedTips[(advisedTips.count - 1) / 2]
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
    package var baseFees: [Amount] { histories.compactMap(\.baseFee) }

    /// The minimum price of one unit of gas in the next block.
    package var leastPrice: Amount { baseFees.max() ?? gasPrice }

    /// Whether the endpoints' base fees can belong to one chain, even if some blocks apart.
    ///
    /// The base fees of two successive blocks differ by at most an eighth.
    package var isConsistent: Bool {
        guard let low = baseFees.min(), let high = baseFees.max() else { return true }
        return Self.areNear(low, high)
    }

    private static func areNear(_ low: Amount, _ high: Amount) -> Bool {
        low.multiplied(by: 2).map { high <= $0 } ?? true
    }

    /// The outlier among three endpoints' base fees.
    ///
    /// - Returns: Its index in ``histories``; `nil` if there are not three endpoints, or if none of
    ///   them stands apart.
    package var outlier: Int? {
        let fees = histories.map { $0.baseFee ?? .zero }
        guard fees.count == 3, !isConsistent else { return nil }
        let order = fees.indices.sorted { fees[$0] < fees[$1] }
        let (low, middle, high) = (order[0], order[1], order[2])
        let isLowNear = Self.areNear(fees[low], fees[middle])
        let isHighNear = Self.areNear(fees[middle], fees[high])
        // If the middle one is close to both, neither is refuted: the most expensive is left out.
        if isLowNear { return high }
        return isHighNear ? low : nil
    }

    /// Returns this market without one endpoint's history.
    package func leaving(_ index: Int) -> FeeMarket {
        var rest = histories
        rest.remove(at: index)
        return FeeMarket(
            histories: rest,
            gasPrice: gasPrice,
            advisedTips: advisedTips,
            leastTips: leastTips
        )
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
