import Concurrency
package import Keys
package import Market
package import Texts

/// The gas, price and money that a transaction needs, determined before it is signed.
package struct Preflight: Equatable, Sendable {
    package let balance: Amount
    package let value: Amount
    /// The gas estimate with its margin.
    package let gasLimit: UInt64
    package let pricing: TransactionPricing
    /// The highest fee, in wei.
    package let feeMax: Amount
    /// The value and the highest fee together, in wei.
    package let totalMax: Amount

    /// Checks that the balance covers it beside what the account's other transactions can take, in
    /// wei.
    ///
    /// - Throws: ``PreflightError/insufficientBalance(needed:available:)``.
    package func requireAffordable(besides due: Amount) throws(PreflightError) {
        let available = balance.subtracting(due) ?? .zero
        guard totalMax <= available else {
            throw .insufficientBalance(needed: totalMax, available: available)
        }
    }
}

/// Why a transaction would fail or must wait.
package enum PreflightError: Error, Equatable, Sendable {
    /// The contract's reason to refuse it, for people.
    case refused(String)
    /// The balance does not cover value and fee; both in wei.
    case insufficientBalance(needed: Amount, available: Amount)
    /// The base fee is above the configured ceiling: wait, or raise the ceiling.
    case feeAboveCeiling(Amount)
    /// The fee would be above the limit that the account's owner agreed to, in wei.
    case feeAboveLimit(Amount)
    /// Two endpoints report prices of gas that cannot belong to one chain.
    case feesDiffer
    /// Only one endpoint states the price of gas, and another one has answered shortly before.
    case feeOfOne
    /// An endpoint estimates more gas than a transaction can have according to another one.
    case gasDiffers
    /// An endpoint fails to run a call whose gas was estimated, with this reason.
    case notRun(EndpointName, String)
    /// Only one endpoint says that the chain would refuse it, for this reason, and another one has
    /// answered shortly before.
    case refusedByOne(EndpointName, String)
}

extension PreflightError {
    /// Whether the transaction may succeed later without any change.
    var passes: Bool {
        switch self {
        case .feeAboveCeiling, .feeAboveLimit, .feesDiffer, .feeOfOne, .gasDiffers, .notRun,
            .refusedByOne:
            true
        case .refused, .insufficientBalance: false
        }
    }
}

extension PreflightError {
    /// Whether endpoints contradict each other.
    package var isOfEndpoints: Bool {
        switch self {
        case .feesDiffer, .feeOfOne, .gasDiffers, .notRun, .refusedByOne: true
        case .feeAboveCeiling, .feeAboveLimit, .refused, .insufficientBalance: false
        }
    }
}

extension PreflightError: CustomStringConvertible {
    package var description: String { reason.detail }

    /// The error, for people.
    package var reason: Sentence {
        switch self {
        case .refused(let reason): Sentence("progress.refused", ["reason": reason])
        case .insufficientBalance(let needed, let available):
            Sentence("progress.lacksFunds", ["available": "\(available)", "needed": "\(needed)"])
        case .feeAboveCeiling(let ceiling):
            Sentence("progress.feeAboveCeiling", ["ceiling": "\(ceiling)"])
        case .feeAboveLimit(let feeMax):
            Sentence("progress.feeAboveLimit", ["limit": "\(feeMax)"])
        case .feesDiffer: Sentence("progress.gasPricesDiffer")
        case .feeOfOne: Sentence("progress.gasPriceOfOne")
        case .gasDiffers: Sentence("progress.gasDiffers")
        case .notRun(let name, let reason):
            Sentence("progress.notRun", ["endpoint": "\(name)", "reason": reason])
        case .refusedByOne(let name, let reason):
            Sentence("progress.refusedByOne", ["endpoint": "\(name)", "reason": reason])
        }
    }
}

extension ChainClient {
    /// Determines the needs of a step, and checks that the chain would run it now.
    ///
    /// - Parameters:
    ///   - step: The step that would be sent.
    ///   - account: The account that would sign.
    ///   - speed: How soon the transaction should be mined.
    ///   - fees: The policy that sets the gas price.
    ///   - limit: The highest fee allowed, in wei; `nil` for the policy's ceiling only.
    ///   - limits: The margin on the gas.
    /// - Returns: Gas, price and balance.
    /// - Throws: ``PreflightError``, or ``EthereumError`` if the chain cannot be asked.
    package func preflight(
        _ step: Intent.Step,
        from account: Address,
        speed: FeeSpeed,
        fees: FeePolicy,
        feeMax limit: Amount? = nil,
        limits: ChainLimits = ChainLimits()
    ) async throws -> Preflight {
        var balance = try await balance(of: account, covering: step.value)
        let (gasLimit, source) = try await gas(of: step, from: account, limits: limits)
        try await run(step, from: account, gas: gasLimit, beside: source)
        let market = try await feeMarket(isLimited: limit != nil)
        guard let pricing = fees.limited(to: limit, gas: gasLimit).pricing(market, speed: speed)
        else {
            if let limit, market.leastPrice <= fees.ceiling {
                throw PreflightError.feeAboveLimit(limit)
            }
            throw PreflightError.feeAboveCeiling(fees.ceiling)
        }
        guard let feeMax = pricing.feeCap.multiplied(by: gasLimit),
            let totalMax = feeMax.adding(step.value)
        else { throw PreflightError.feeAboveCeiling(fees.ceiling) }
        if totalMax > balance {
            balance = try await largestBalance(of: account, upTo: totalMax)
        }
        return Preflight(
            balance: balance,
            value: step.value,
            gasLimit: gasLimit,
            pricing: pricing,
            feeMax: feeMax,
            totalMax: totalMax
        )
    }

    /// Reads an account's balance, in wei.
    ///
    /// - Throws: ``PreflightError/insufficientBalance(needed:available:)`` if each of two endpoints
    ///   states less than `needed`, ``PreflightError/refusedByOne(_:_:)``; ``EthereumError``.
    func balance(of account: Address, covering needed: Amount) async throws -> Amount {
        let balance = try await largestBalance(of: account, upTo: needed)
        guard needed <= balance else {
            throw PreflightError.insufficientBalance(needed: needed, available: balance)
        }
        return balance
    }

    /// Reads an account's balance, in wei: the larger one of two endpoints, if that of the first is
    /// below `needed`.
    private func largestBalance(of account: Address, upTo needed: Amount) async throws -> Amount {
        let call = RPCCall.balance(of: account)
        let (balance, index) = try await failingOver { index in
            (try await self.ask(index, call).amount, index)
        }
        var asked = Set([name(of: index)])
        while balance < needed, let other = try await another(than: asked) {
            asked.insert(other.name)
            do {
                return max(balance, try await other.perform(call).amount)
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        if balance < needed, pool.isExpected(but: index, at: clock.uptime) {
            let reason = PreflightError.insufficientBalance(needed: needed, available: balance)
            throw PreflightError.refusedByOne(name(of: index), "\(reason)")
        }
        return balance
    }

    /// Runs a step at the head, with the gas that it is given: an estimate does not prove that the
    /// chain would run it.
    ///
    /// Another endpoint than `source`, which estimated the gas, runs it. If that one refuses, a
    /// third one decides. If no other one answers, `source` runs it itself.
    ///
    /// - Throws: ``PreflightError/notRun(_:_:)``, ``EthereumError``.
    private func run(
        _ step: Intent.Step,
        from account: Address,
        gas: UInt64,
        beside source: EndpointSession
    ) async throws {
        guard step.to != nil else { return }
        var request = CallRequest(from: account, to: step.to, value: step.value, data: step.data)
        request.gas = gas
        var asked = Set([source.name])
        var refusal: PreflightError?
        while let runner = try await another(than: asked) {
            asked.insert(runner.name)
            do {
                _ = try await runner.perform(.call(request))
                return
            } catch EthereumError.refused(_, let reason) where !reason.isEndpointsFault {
                if let refusal { throw refusal }
                refusal = .notRun(runner.name, reason.reason)
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        if let refusal { throw refusal }
        do {
            _ = try await source.perform(.call(request))
        } catch EthereumError.refused(_, let reason) where !reason.isEndpointsFault {
            throw PreflightError.notRun(source.name, reason.reason)
        }
    }

    /// Reads the present price of gas: two endpoints must agree if there are two, or two of three.
    ///
    /// - Parameter isLimited: Whether a maximum fee was agreed to, within which one endpoint is
    ///   enough while the others are away.
    /// - Returns: The prices that the endpoints report.
    /// - Throws: ``PreflightError/feesDiffer``, ``PreflightError/feeOfOne``, ``EthereumError``.
    package func feeMarket(isLimited: Bool = false) async throws -> FeeMarket {
        var sessions = [try await session()]
        var asked = Set(sessions.map(\.name))
        var answered: [EndpointSession] = []
        var reports: [FeeReport] = []
        var failure = EthereumError.noEndpoint(chain)
        while let asking = sessions.popLast() {
            do {
                reports.append(try await feeReport(by: asking))
                answered.append(asking)
            } catch let error as EthereumError where error.isEndpointsFault {
                failure = error
            }
            guard answered.count < Self.feeSourcesMax, let next = try await another(than: asked)
            else { continue }
            // Two that agree need not wait for one that takes long.
            let isDecided = answered.count > 1 && FeeMarket(reports: reports).isConsistent
            guard !isDecided || !isSlow(next) else { break }
            asked.insert(next.name)
            sessions.append(next)
        }
        guard let first = answered.first else { throw failure }
        if answered.count == 1, !isLimited, pool.isExpected(but: first.index, at: clock.uptime) {
            throw PreflightError.feeOfOne
        }
        let market = FeeMarket(reports: reports, leastTips: leastTips)
        if let alone = market.outlier {
            if alone.isRefuted {
                mistrust(answered[alone.index], because: "another price of gas than two others")
            }
            return market.leaving(alone.index)
        }
        guard market.isConsistent else { throw PreflightError.feesDiffer }
        return market
    }

    /// The maximum number of endpoints that are asked for the price of gas.
    private static let feeSourcesMax = 3

    /// Reads an endpoint's prices; if only its newest block arrives, the base fee there.
    private func feeReport(by session: EndpointSession) async throws -> FeeReport {
        let head = try await session.head().baseFee
        do {
            return try await feeReport(by: session, head: head)
        } catch let error as EthereumError where error.isEndpointsFault && head?.isZero == false {
            return FeeReport(head: head)
        }
    }

    private func feeReport(
        by session: EndpointSession,
        head: Amount?
    ) async throws -> FeeReport {
        let history = try await feeHistory(by: session)
        let known = FeeReport(head: head, history: history)
        let hasTip = known.history.tip(for: .normal) != nil
        guard known.baseFee == nil || !hasTip else { return known }
        let tip = known.baseFee == nil ? nil : try await advice(.advisedTip, by: session)
        // On a chain without base fees, it is the only price that the endpoint states.
        let price =
            if known.baseFee == nil {
                try await session.perform(.gasPrice).amount as Amount?
            } else if tip == nil {
                try await advice(.gasPrice, by: session)
            } else {
                Amount?.none
            }
        return FeeReport(head: head, history: history, gasPrice: price, advisedTip: tip)
    }

    private func feeHistory(by session: EndpointSession) async throws -> FeeHistory {
        do {
            return try await session.perform(
                .feeHistory(blocks: FeePolicy.historyBlocks, percentiles: FeePolicy.percentiles)
            )
        } catch EthereumError.refused {
            // A chain without the London upgrade lacks the method, and so do some endpoints.
            return .none
        }
    }

    /// Returns a price that an endpoint advises, in wei; `nil` if it does not know the method.
    private func advice(
        _ call: RPCCall<Quantity>,
        by session: EndpointSession
    ) async throws -> Amount? {
        do {
            return try await session.perform(call).amount
        } catch EthereumError.refused {
            return nil
        }
    }
}

extension RPCRefusal {
    /// The contract's reason in words, or the endpoint's message if there is no readable reason.
    package var reason: String {
        guard let revertData, !revertData.isEmpty else { return message }
        let reason = RevertReason(data: revertData)
        if case .unknown = reason, !message.isEmpty { return "\(message) (\(reason))" }
        return "\(reason)"
    }
}
