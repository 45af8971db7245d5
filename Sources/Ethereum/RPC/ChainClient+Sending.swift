import Concurrency
import Market

/// Sending signed transactions, and what pools want for them.
extension ChainClient {
    /// The endpoints that are usable now, by index.
    var usableEndpoints: [Int] { pool.candidates(at: clock.uptime) }

    /// Sends a signed transaction to one endpoint.
    ///
    /// - Parameters:
    ///   - attempt: The transaction.
    ///   - index: The endpoint.
    /// - Returns: The endpoint's answer, or that there was none.
    /// - Throws: Only `CancellationError`.
    func send(_ attempt: SignedAttempt, to index: Int) async throws -> SendQueue.SendAnswer {
        let tip = attempt.pricing.tip
        do {
            _ = try await ask(index, .send(attempt.raw))
            if let known = tipsNeeded[index], known.tip > tip { tipsNeeded[index] = nil }
            if let known = gasBounds[index], let gas = attempt.gasLimit, known.most < gas {
                gasBounds[index] = nil
            }
            return .taken
        } catch EthereumError.refused(_, let refusal) {
            let answer = refusal.sendAnswer
            switch answer {
            case .mispriced(.raise, _): noteTip(tip, refusedBy: index, refusal)
            case .mispriced(.lessGas, _):
                await noteGas(attempt.gasLimit ?? .max, refusedBy: index, refusal)
            default: break
            }
            return answer
        } catch is EthereumError {
            return .unreachable
        }
    }

    private func noteTip(_ tip: Amount, refusedBy index: Int, _ refusal: RPCRefusal) {
        let more = tip.multiplied(by: limits.tipRaiseFactor) ?? .max
        let needed = refusal.tipNeeded ?? max(more, Amount(small: 1))
        tipsNeeded[index] = (needed, clock.uptime + limits.tipNeededKept)
    }

    /// Notes the most gas that an endpoint takes: what its refusal names, else what its newest
    /// block has, else the bound of chains that have one.
    private func noteGas(_ gas: UInt64, refusedBy index: Int, _ refusal: RPCRefusal) async {
        // A failure is recorded already.
        _ = try? await head(of: index)
        let own = [limits.transactionGasMax, pool.blockGas(of: index)].compactMap(\.self)
        guard let most = refusal.gasNamed(below: gas) ?? own.filter({ $0 < gas }).max() else {
            return
        }
        gasBounds[index] = (most, clock.uptime + limits.transactionGasMaxKept)
    }

    /// The minimum tip that each usable endpoint is known to want, in wei; zero if nothing is
    /// known.
    var leastTips: [Amount] {
        let now = clock.uptime
        return pool.candidates(at: now).map { index in
            guard let known = tipsNeeded[index], known.until > now else { return .zero }
            return known.tip
        }
    }
}

extension SendQueue.SendAnswer {
    /// Returns what endpoints' answers to the same transaction amount to.
    ///
    /// A used nonce needs the word of two: one alone could hide what the others want for it.
    package static func best(of answers: [Self]) -> Self {
        if !answers.contains(.taken), answers.count(where: { $0 == .nonceUsed }) > 1 {
            return .nonceUsed
        }
        return answers.min { $0.rank < $1.rank } ?? .unreachable
    }

    private var rank: Int {
        switch self {
        case .taken: 0
        case .mispriced: 1
        case .refused: 2
        case .nonceUsed: 3
        case .unreachable: 4
        }
    }
}
