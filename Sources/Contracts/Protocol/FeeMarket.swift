package import Market

/// Today's price of gas, as up to three endpoints say.
package struct FeeMarket: Equatable, Sendable {
    /// The newest blocks, of each endpoint; without base fees the chain has one price for all.
    package let histories: [FeeHistory]
    /// What is advised on a chain without base fees; the lower of two endpoints' answers, the middle one of
    /// three.
    package let gasPrice: Amount

    package init(histories: [FeeHistory], gasPrice: Amount = .zero) {
        (self.histories, self.gasPrice) = (histories, gasPrice)
    }

    /// The next block's base fee, of each endpoint; none on a chain without.
    package var baseFees: [Amount] { histories.compactMap(\.baseFee) }

    /// What one unit of gas costs at least in the next block.
    package var leastPrice: Amount { baseFees.max() ?? gasPrice }

    /// Whether the endpoints' base fees are those of the same chain, be it some blocks apart.
    ///
    /// A block's base fee differs from the one before by an eighth at most.
    package var isConsistent: Bool {
        guard let low = baseFees.min(), let high = baseFees.max() else { return true }
        return Self.areNear(low, high)
    }

    private static func areNear(_ low: Amount, _ high: Amount) -> Bool {
        low.multiplied(by: 2).map { high <= $0 } ?? true
    }

    /// Which of three endpoints stands alone: the two others' base fees are of one chain, and its
    /// own is not.
    ///
    /// - Returns: Its place among the histories; `nil` if there are not three, or none stands alone.
    package var outlier: Int? {
        let told = histories.map { $0.baseFee ?? .zero }
        guard told.count == 3, !isConsistent else { return nil }
        let order = told.indices.sorted { told[$0] < told[$1] }
        let (low, middle, high) = (order[0], order[1], order[2])
        let isLowNear = Self.areNear(told[low], told[middle])
        let isHighNear = Self.areNear(told[middle], told[high])
        // Near to both of them, the middle one says nothing against either: the dear one is left.
        if isLowNear { return high }
        return isHighNear ? low : nil
    }

    /// The same without one endpoint's history.
    package func leaving(_ index: Int) -> FeeMarket {
        var rest = histories
        rest.remove(at: index)
        return FeeMarket(histories: rest, gasPrice: gasPrice)
    }
}

extension FeeHistory {
    /// The next block's; `nil` if the chain has none.
    package var baseFee: Amount? { baseFees.last.flatMap { $0.isZero ? nil : $0 } }

    /// The tip in the middle of the last blocks' for a speed; `nil` if none was paid.
    func tip(for speed: FeeSpeed) -> Amount? {
        let paid = tips.compactMap { $0.count > speed.rawValue ? $0[Int(speed.rawValue)] : nil }
            .filter { !$0.isZero }
            .sorted()
        return paid.isEmpty ? nil : paid[paid.count / 2]
    }
}
