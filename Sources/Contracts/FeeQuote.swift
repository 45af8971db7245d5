package import Keys
package import Market

/// What the fees of some transactions are at most, before anybody is asked to sign them.
package struct FeeQuote: Equatable, Sendable {
    /// Each transaction's gas, and the most that it costs.
    package let parts: [Part]
    /// All parts' fees together.
    package let total: Amount
    /// Less than this, in wei, cannot pay for them now.
    package let least: Amount

    /// One transaction's part.
    package struct Part: Equatable, Sendable {
        package let gasLimit: UInt64
        package let feeMax: Amount

        package init(gasLimit: UInt64, feeMax: Amount) {
            (self.gasLimit, self.feeMax) = (gasLimit, feeMax)
        }
    }

    package init(parts: [Part], total: Amount, least: Amount) {
        (self.parts, self.total, self.least) = (parts, total, least)
    }

    package var gasLimit: UInt64 { parts.reduce(0) { $0 + $1.gasLimit } }

    /// Divides what all fees together may be among the transactions.
    ///
    /// - Parameter feeMax: In wei.
    /// - Returns: What each may cost at most, in order; `nil` if that cannot pay for them now.
    package func limits(within feeMax: Amount) -> [Amount]? {
        guard feeMax >= least else { return nil }
        guard !total.isZero else { return parts.map { _ in feeMax } }
        return parts.map { Amount($0.feeMax.units * feeMax.units / total.units) ?? feeMax }
    }
}

extension ChainClient {
    /// Asks what the fees of an intent's steps are at most, and whether the chain would run them.
    ///
    /// - Parameters:
    ///   - steps: What would be sent.
    ///   - gasOfLast: The gas of the last step, if it cannot be asked for before the others are
    ///     mined: it draws what they allow. `nil` for steps that do not depend on each other.
    ///   - account: Who would sign.
    ///   - fees: How the price is found.
    ///   - limits: The margin on the gas, and the gas of a step in the middle.
    /// - Returns: The fees; none for no steps.
    /// - Throws: ``PreflightError``, or ``EthereumError`` if the chain cannot be asked.
    package func quote(
        _ steps: [Intent.Step],
        gasOfLast: UInt64?,
        from account: Address,
        fees: FeePolicy,
        limits: ChainLimits = ChainLimits()
    ) async throws -> FeeQuote {
        guard !steps.isEmpty else { return FeeQuote(parts: [], total: .zero, least: .zero) }
        let balance = try await perform(.balance(of: account)).amount
        let values = steps.reduce(Amount.zero) { $0.adding($1.value) ?? .max }
        guard values <= balance else {
            throw PreflightError.insufficientBalance(needed: values, available: balance)
        }
        var gas: [UInt64] = []
        for (index, step) in steps.enumerated() {
            if index > 0, let gasOfLast {
                gas.append(index == steps.count - 1 ? gasOfLast : limits.approvalGasMax)
            } else {
                gas.append(try await self.gas(of: step, from: account, limits: limits))
            }
        }
        let market = try await feeMarket()
        guard let pricing = fees.pricing(market, speed: .normal) else {
            throw PreflightError.feeAboveCeiling(fees.ceiling)
        }
        var total = Amount.zero
        let parts = try gas.map { gasLimit in
            guard let feeMax = pricing.feeCap.multiplied(by: gasLimit),
                let sum = total.adding(feeMax)
            else { throw PreflightError.feeAboveCeiling(fees.ceiling) }
            total = sum
            return FeeQuote.Part(gasLimit: gasLimit, feeMax: feeMax)
        }
        let needed = values.adding(total) ?? .max
        guard needed <= balance else {
            throw PreflightError.insufficientBalance(needed: needed, available: balance)
        }
        let allGas = gas.reduce(0, +)
        let least = market.leastPrice.multiplied(by: allGas) ?? total
        return FeeQuote(parts: parts, total: total, least: min(least, total))
    }
}
