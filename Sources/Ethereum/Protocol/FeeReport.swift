package import Market

/// One endpoint's report of the present price of gas.
package struct FeeReport: Equatable, Sendable {
    /// The next block's base fee, in wei; `nil` on a chain without base fees.
    package let baseFee: Amount?
    /// The fees of its newest blocks; empty if it states none, or none that fit its newest block.
    package let history: FeeHistory
    /// The whole price that it advises, in wei; `nil` if it was not asked or does not advise one.
    package let gasPrice: Amount?
    /// The tip that it advises, in wei; `nil` if it was not asked or does not advise one.
    package let advisedTip: Amount?

    /// - Parameters:
    ///   - head: The base fee that the endpoint's newest block states; `nil` if it states none.
    ///   - history: The fees of its newest blocks, as it tells them.
    ///   - gasPrice: The whole price that it advises.
    ///   - advisedTip: The tip that it advises.
    package init(
        head: Amount?,
        history: FeeHistory = .none,
        gasPrice: Amount? = nil,
        advisedTip: Amount? = nil
    ) {
        let told = history.baseFee
        // The header counts: a history may only be a few blocks ahead of it.
        let isFitting = head.map { FeeMarket.areNear($0, told ?? .zero) } ?? true
        self.history = isFitting ? history : .none
        baseFee = isFitting ? told : head.flatMap { $0.isZero ? nil : $0 }
        (self.gasPrice, self.advisedTip) = (gasPrice, advisedTip)
    }

    /// Returns the tip for a speed: what was paid in its newest blocks, else what it advises, else
    /// what its advised price leaves above the base fee.
    func tip(for speed: FeeSpeed) -> Amount? {
        if let tip = history.tip(for: speed) ?? advisedTip { return tip }
        return baseFee.flatMap { gasPrice?.subtracting($0) }
    }
}
