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
    /// each account that the end of a sale pays, but at most as many as the estimate has room for.
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
    /// Estimates the gas that a step needs now, and adds the margin, as far as a block has room.
    ///
    /// - Returns: The gas limit, and the endpoint that estimated it.
    /// - Throws: ``PreflightError/refused(_:)`` if the chain would refuse the step,
    ///   ``PreflightError/insufficientBalance(needed:available:)`` because the account has
    ///   less than its value by now, ``PreflightError/gasDiffers``,
    ///   ``PreflightError/refusedByOne(_:_:)``; ``EthereumError``.
    func gas(of step: Intent.Step, from account: Address, limits: ChainLimits) async throws
        -> (limit: UInt64, source: EndpointSession)
    {
        let request = CallRequest(from: account, to: step.to, value: step.value, data: step.data)
        do {
            let (estimate, source) = try await estimate(request, from: step.intrinsicGas)
            let isCall = step.to != nil && !step.data.isEmpty
            let limit = limits.gasLimit(
                estimate: estimate,
                isCall: isCall,
                newPlaceGas: isCall ? await newPlaceGas(from: account) : 0
            )
            return (max(estimate, min(limit, transactionGasMax ?? limit)), source)
        } catch EthereumError.refused(_, let refusal) where !refusal.isEndpointsFault {
            _ = try await balance(of: account, covering: step.value)
            throw PreflightError.refused(refusal.reason)
        }
    }

    /// Estimates a transaction's gas, by two endpoints, or three if two differ by more than a
    /// tenth: then the middle estimate counts.
    ///
    /// Of two, the lower one counts for a call, which is run before it is signed, and the greater
    /// one for a creation, which is not.
    ///
    /// One endpoint's refusal ends nothing if another one estimates it, or has answered shortly
    /// before.
    ///
    /// - Parameters:
    ///   - request: The transaction.
    ///   - least: The gas that is used before anything runs.
    /// - Returns: The estimate, and the endpoint.
    /// - Throws: ``PreflightError/gasDiffers``, ``PreflightError/refusedByOne(_:_:)``;
    ///   ``EthereumError``.
    private func estimate(
        _ request: CallRequest,
        from least: UInt64
    ) async throws -> (gas: UInt64, source: EndpointSession) {
        var asked: Set<EndpointName> = []
        var failure = EthereumError.noEndpoint(chain)
        var refusal: (error: EthereumError, by: EndpointSession)?
        var isBeyondBound = false
        var found: [(gas: UInt64, source: EndpointSession)] = []
        var next: EndpointSession? = try await session()
        while let session = next {
            asked.insert(session.name)
            do {
                let gas = try await estimate(request, from: least, by: session)
                if gas <= transactionGasMax ?? gas {
                    found.append((gas, session))
                } else {
                    isBeyondBound = true
                }
            } catch let error as EthereumError where error.isEndpointsFault {
                failure = error
            } catch let error as EthereumError {
                if found.isEmpty, let refusal { throw refusal.error }
                refusal = (error, session)
            }
            found.sort { $0.gas < $1.gas }
            if found.count == 2, found[1].gas - found[0].gas <= found[0].gas / 10 {
                return found[1]
            }
            next = found.count < 3 ? try await another(than: asked) : nil
        }
        guard !found.isEmpty else {
            if isBeyondBound { throw PreflightError.gasDiffers }
            guard let refusal else { throw failure }
            if case .refused(let name, let words) = refusal.error,
                pool.isExpected(but: refusal.by.index, at: clock.uptime)
            {
                throw PreflightError.refusedByOne(name, words.reason)
            }
            throw refusal.error
        }
        let isCreation = request.to == nil
        return found[isCreation ? found.count / 2 : (found.count - 1) / 2]
    }

    private func estimate(
        _ request: CallRequest,
        from least: UInt64,
        by session: EndpointSession
    ) async throws -> UInt64 {
        if pool.blockGas(of: session.index) == nil { _ = try await session.head() }
        let call = RPCCall.estimateGas(request)
        let answer = try await session.perform(call)
        let most = transactionGasMax(of: session.index) ?? ChainLimits.numberMax
        var detail: String?
        if answer.amount < Amount(small: least) {
            detail =
                "\(answer.amount) gas for a transaction that uses \(least) before anything runs"
        } else if answer.amount > Amount(small: most) {
            detail = "\(answer.amount) gas, and no transaction can have more than \(most)"
        }
        if let detail {
            let name = session.name
            throw fault(session.index, .malformed(name, method: call.method, detail: detail))
        }
        return answer.number ?? most
    }

    /// The most gas that a transaction can have, according to the stricter of two endpoints, or the
    /// middle one of three; `nil` if none of them states it.
    private var transactionGasMax: UInt64? {
        let known = usableEndpoints.compactMap { transactionGasMax(of: $0) }.sorted()
        return known.isEmpty ? nil : known[(known.count - 1) / 2]
    }

    /// Returns the most gas that a transaction can have according to an endpoint: as much as its
    /// newest block, or less if it has refused a transaction for that.
    private func transactionGasMax(of index: Int) -> UInt64? {
        let known = gasBounds[index].flatMap { $0.until > clock.uptime ? $0.most : nil }
        return [pool.blockGas(of: index), known].compactMap(\.self).min()
    }

    /// Returns the price of a new storage slot on this chain, which differs between chains and
    /// changes with their rules.
    ///
    /// Two endpoints are asked, and a third one if they differ by more than a tenth: the lower of
    /// two counts, or the middle one of three. If none answers, the minimum price counts.
    private func newPlaceGas(from account: Address) async -> UInt64 {
        if let storagePrice, storagePrice.until > clock.uptime { return storagePrice.gas }
        var asked: Set<EndpointName> = []
        var found: [UInt64] = []
        var isWhole = true
        // A failure is recorded, and leaves the minimum price.
        while found.count < 3, let session = try? await another(than: asked) {
            asked.insert(session.name)
            do {
                found.append(try await newPlaceGas(from: account, by: session))
            } catch EthereumError.refused {
                // The chain does not let the account create contracts, for example.
                found.append(limits.newPlaceGas)
            } catch {
                isWhole = false
            }
            found.sort()
            if found.count == 2, found[1] - found[0] <= found[0] / 10 { break }
        }
        guard !found.isEmpty else { return limits.newPlaceGas }
        let gas = found[(found.count - 1) / 2]
        // One endpoint's price among several counts only for now.
        if isWhole || found.count > 1 {
            storagePrice = (gas, clock.uptime + limits.newPlaceGasKept)
        }
        return gas
    }

    /// Has an endpoint estimate the creation of two contracts that differ only in this: one sets an
    /// empty slot to 1, the other to 0.
    private func newPlaceGas(
        from account: Address,
        by session: EndpointSession
    ) async throws -> UInt64 {
        // PUSH1 value, PUSH1 0, SSTORE.
        func creation(storing value: UInt8) -> CallRequest {
            CallRequest(from: account, to: nil, data: [0x60, value, 0x60, 0, 0x55])
        }
        let set = try await session.perform(.estimateGas(creation(storing: 1))).number ?? 0
        let idle = try await session.perform(.estimateGas(creation(storing: 0))).number ?? 0
        let gas = set > idle ? set - idle : 0
        return min(max(limits.newPlaceGas, gas), limits.newPlaceGasMax)
    }
}
