import BigInt
package import Keys
package import Market

/// The highest fees of some transactions, quoted before they are signed.
package struct FeeQuote: Equatable, Sendable {
    /// The gas and the highest fee of each transaction.
    package let parts: [Part]
    /// The sum of the highest fees, in wei.
    package let total: Amount
    /// The minimum fee, in wei, at which the transactions can be mined now.
    package let least: Amount

    /// The fee of one transaction.
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

    /// Divides an agreed limit of all fees among the transactions.
    ///
    /// - Parameter feeMax: The limit, in wei.
    /// - Returns: The highest fee of each transaction, in order; `nil` if the limit is below
    ///   ``least``.
    package func limits(within feeMax: Amount) -> [Amount]? {
        guard feeMax >= least else { return nil }
        // Where gas is free today, it is divided by the gas.
        guard !total.isZero else {
            let gas = max(1, gasLimit)
            return parts.map {
                Amount(feeMax.units * BigUInt($0.gasLimit) / BigUInt(gas)) ?? feeMax
            }
        }
        return parts.map { Amount($0.feeMax.units * feeMax.units / total.units) ?? feeMax }
    }
}

/// A question for the highest fees of an intent's steps.
package struct FeeQuestion: Sendable {
    /// The steps that would be sent.
    package let steps: [Intent.Step]
    /// The account that would sign.
    package let account: Address
    /// The policy that sets the gas price.
    package let fees: FeePolicy
    /// How soon the transactions should be mined.
    package var speed = FeeSpeed.normal
    /// The gas of the last step, and of each that calls the same function, if it cannot be
    /// estimated before the others are mined because it spends what they approve; `nil` for steps
    /// that are independent.
    package var gasOfLast: UInt64?
    /// The highest fee of all steps, in wei, if the owner set one: the balance need not cover more.
    package var agreed: Amount?
    /// The payments of the first steps to the account before the last one pays, in wei.
    package var returned = Amount.zero

    package init(_ steps: [Intent.Step], from account: Address, fees: FeePolicy) {
        (self.steps, self.account, self.fees) = (steps, account, fees)
    }

    /// The amount that the account has to have besides the fees, in wei.
    package var value: Amount { steps.value.subtracting(returned) ?? .zero }
}

extension ChainClient {
    /// Quotes the highest fees of an intent's steps, and checks that the chain would run them.
    ///
    /// - Returns: The fees; empty if there are no steps.
    /// - Throws: ``PreflightError``, or ``EthereumError`` if the chain cannot be asked.
    package func quote(_ question: FeeQuestion) async throws -> FeeQuote {
        let (steps, account, fees) = (question.steps, question.account, question.fees)
        guard !steps.isEmpty else { return FeeQuote(parts: [], total: .zero, least: .zero) }
        let values = question.value
        let balance = try await balance(of: account, covering: values)
        var gas: [UInt64] = []
        for (index, step) in steps.enumerated() {
            if index > 0, let gasOfLast = question.gasOfLast {
                gas.append(step.isSameCall(as: steps.last) ? gasOfLast : limits.approvalGasMax)
            } else {
                gas.append(try await self.gas(of: step, from: account, limits: limits).limit)
            }
        }
        let market = try await feeMarket(isLimited: question.agreed != nil)
        guard let pricing = fees.pricing(market, speed: question.speed) else {
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
        let needed = values.adding(min(total, question.agreed ?? total)) ?? .max
        if needed > balance { _ = try await self.balance(of: account, covering: needed) }
        let allGas = gas.reduce(0, +)
        let least = market.leastPrice.multiplied(by: allGas) ?? total
        return FeeQuote(parts: parts, total: total, least: min(least, total))
    }
}

extension [Intent.Step] {
    /// The sum of their payments, in wei.
    package var value: Amount { reduce(.zero) { $0.adding($1.value) ?? .max } }
}

extension Intent.Step {
    /// Whether it calls the same function of the same contract as another step.
    fileprivate func isSameCall(as other: Intent.Step?) -> Bool {
        guard let other else { return false }
        return to == other.to && data.prefix(4) == other.data.prefix(4)
    }
}
