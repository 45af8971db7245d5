import Concurrency
import Keys
import Market

extension ChainLimits {
    /// Returns the gas limit of a transaction from the chain's current estimate.
    ///
    /// Unused gas is not paid. The margin has two parts: a share of the estimate, and for a call
    /// the price of the storage slots that may have lost their value since the estimate. A waiting
    /// transaction of this account or of any other can use up a credit or an allowance before the
    /// call is mined; setting it again then costs as much as a new slot. There is one such slot for
    /// each account that the end of a sale pays, but no more than the estimate has room for.
    ///
    /// Source: Docs/operations.md, section 5.4.
    ///
    /// - Parameters:
    ///   - estimate: The gas that the chain estimates.
    ///   - isCall: Whether a contract is called.
    ///   - newPlaceGas: The extra gas that a new storage slot costs compared with a change.
    /// - Returns: The limit to sign, in gas.
    package func gasLimit(estimate: UInt64, isCall: Bool, newPlaceGas: UInt64) -> UInt64 {
        let margined = estimate + estimate * gasMarginPercent / 100
        guard isCall else { return margined }
        let room = estimate > callGasMin ? (estimate - callGasMin) / changedPlaceGas : 0
        return margined + min(emptiedPlacesMax, room) * newPlaceGas
    }
}

extension ChainClient {
    /// Estimates the gas that a step needs now, and adds the margin.
    ///
    /// - Throws: ``PreflightError/refused(_:)`` if the chain would refuse the step;
    ///   ``EthereumError``.
    func gas(of step: Intent.Step, from account: Address, limits: ChainLimits) async throws
        -> UInt64
    {
        let request = CallRequest(from: account, to: step.to, value: step.value, data: step.data)
        do {
            let answer = try await perform(.estimateGas(request))
            guard let estimate = answer.number, estimate <= ChainLimits.numberMax else {
                throw PreflightError.refused("the gas estimate is out of bounds")
            }
            let isCall = step.to != nil && !step.data.isEmpty
            return limits.gasLimit(
                estimate: estimate,
                isCall: isCall,
                newPlaceGas: isCall ? await newPlaceGas(from: account) : 0
            )
        } catch EthereumError.refused(_, let refusal) where !refusal.isEndpointsFault {
            throw PreflightError.refused(refusal.reason)
        }
    }

    /// Returns the price of a new storage slot on this chain, which differs between chains and
    /// changes with their rules.
    ///
    /// The chain is asked to estimate the creation of two contracts that differ only in this: one
    /// sets an empty slot to 1, the other to 0. If it does not answer, the minimum price counts.
    private func newPlaceGas(from account: Address) async -> UInt64 {
        if let storagePrice, storagePrice.until > clock.uptime { return storagePrice.gas }
        // PUSH1 value, PUSH1 0, SSTORE.
        func creation(storing value: UInt8) -> CallRequest {
            CallRequest(from: account, to: nil, data: [0x60, value, 0x60, 0, 0x55])
        }
        var gas = limits.newPlaceGas
        do {
            let session = try await session()
            let set = try await session.perform(.estimateGas(creation(storing: 1))).number
            let idle = try await session.perform(.estimateGas(creation(storing: 0))).number
            if let set, let idle, set > idle {
                gas = min(max(gas, set - idle), limits.newPlaceGasMax)
            }
        } catch EthereumError.refused {
            // The chain does not let the account create contracts, for example.
        } catch {
            return gas
        }
        storagePrice = (gas, clock.uptime + limits.newPlaceGasKept)
        return gas
    }
}
