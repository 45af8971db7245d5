package import Keys
package import Market

/// What a transaction would need, before anybody is asked to sign it.
package struct Preflight: Equatable, Sendable {
    package let balance: Amount
    package let value: Amount
    /// The estimate with its margin.
    package let gasLimit: UInt64
    package let pricing: TransactionPricing
    /// The most the gas can cost.
    package let feeMax: Amount
    /// Value and fee together, at most.
    package let totalMax: Amount

    package var isAffordable: Bool { totalMax <= balance }
}

/// Why a transaction would not go through.
package enum PreflightError: Error, Equatable, Sendable {
    /// The contract's own answer, in words.
    case refused(String)
    /// The balance does not cover value and fee; both in wei.
    case insufficientBalance(needed: Amount, available: Amount)
    /// The base fee is above the configured ceiling: wait, or raise the ceiling.
    case feeAboveCeiling(Amount)
}

extension PreflightError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let reason): reason
        case .insufficientBalance(let needed, let available):
            "the account has \(available) wei and needs \(needed): add funds"
        case .feeAboveCeiling(let ceiling):
            "the fee is above the ceiling of \(ceiling) wei a gas: wait, or raise "
                + "chain.feeCeilingGwei"
        }
    }
}

extension ChainClient {
    /// Asks what a step would need and whether the chain would run it now.
    ///
    /// - Throws: ``PreflightError``, or ``EthereumError`` where the chain cannot be asked.
    package func preflight(
        _ step: Intent.Step,
        from account: Address,
        speed: FeeSpeed,
        fees: FeePolicy,
        limits: Limits = Limits()
    ) async throws -> Preflight {
        let balance = try await perform(.balance(of: account)).amount
        guard step.value <= balance else {
            throw PreflightError.insufficientBalance(needed: step.value, available: balance)
        }
        let request = CallRequest(from: account, to: step.to, value: step.value, data: step.data)
        let gasLimit = try await gas(for: request, marginPercent: limits.gasMarginPercent)
        let pricing = try await pricing(speed: speed, fees: fees)
        guard let feeMax = pricing.feeCap.multiplied(by: gasLimit),
            let totalMax = feeMax.adding(step.value)
        else { throw PreflightError.feeAboveCeiling(fees.ceiling) }
        return Preflight(
            balance: balance,
            value: step.value,
            gasLimit: gasLimit,
            pricing: pricing,
            feeMax: feeMax,
            totalMax: totalMax
        )
    }

    /// Answers a binding's question at a block.
    ///
    /// - Throws: ``PreflightError/refused(_:)`` with the contract's reason, ``ABIError`` or
    ///   ``EthereumError``.
    package func ask<Answer>(
        _ query: ContractQuery<Answer>,
        from account: Address? = nil,
        at block: BlockTag = .latest
    ) async throws -> Answer {
        let call = query.call
        let request = CallRequest(from: account, to: call.to, value: call.value, data: call.data)
        do {
            return try query.decode(try await perform(.call(request, at: block)).bytes)
        } catch EthereumError.refused(_, let refusal) where refusal.isRevert {
            throw PreflightError.refused(refusal.reason)
        }
    }

    /// Today's price of gas.
    package func pricing(speed: FeeSpeed, fees: FeePolicy) async throws -> TransactionPricing {
        let history = try await feeHistory()
        let isDynamic = history.baseFees.last.map { !$0.isZero } ?? false
        let gasPrice = isDynamic ? .zero : try await perform(.gasPrice).amount
        guard let pricing = fees.pricing(history: history, gasPrice: gasPrice, speed: speed) else {
            throw PreflightError.feeAboveCeiling(fees.ceiling)
        }
        return pricing
    }

    private func feeHistory() async throws -> FeeHistory {
        do {
            return try await perform(
                .feeHistory(blocks: FeePolicy.historyBlocks, percentiles: FeePolicy.percentiles)
            )
        } catch EthereumError.refused(_, let refusal) where refusal.code == -32601 {
            // A chain from before London does not know the method.
            return FeeHistory(baseFees: [], tips: [])
        }
    }

    private func gas(for request: CallRequest, marginPercent: UInt64) async throws -> UInt64 {
        do {
            let estimate = try await perform(.estimateGas(request))
            let margin = estimate.amount.multiplied(by: 100 + marginPercent)
            guard let margin, let number = Quantity(margin).number else {
                throw PreflightError.refused("the gas needed is beyond all bounds")
            }
            return number / 100
        } catch EthereumError.refused(_, let refusal) where !refusal.isEndpointsFault {
            throw PreflightError.refused(refusal.reason)
        }
    }
}

extension RPCRefusal {
    /// The contract's reason in words, or the endpoint's if there is none or it cannot be read.
    package var reason: String {
        guard let revertData, !revertData.isEmpty else { return message }
        let reason = RevertReason(data: revertData)
        if case .unknown = reason, !message.isEmpty { return "\(message) (\(reason))" }
        return "\(reason)"
    }
}
