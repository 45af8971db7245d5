package import Answers
import Client
package import Contracts
package import Ethereum
package import Keys
package import Market
import Synchronization

/// Asks the market's chain for the facts that must be known before money moves.
///
/// Turns every error into a ``Refusal`` in words.
package struct MarketChain: Sendable {
    package let saleIndex: SaleIndex
    private let service: ChainService
    let fees: FeePolicy
    /// Returns what an account's operations under way can still take from its balance.
    private(set) var due: @Sendable (Address, Currency) async -> Amount = { _, _ in .zero }
    private let audit = MarketAudit()

    package init(saleIndex: SaleIndex, service: ChainService, fees: FeePolicy) {
        (self.saleIndex, self.service, self.fees) = (saleIndex, service, fees)
    }

    /// Returns the same chain, with the operations of `runner` counted as ``due``.
    func counting(_ runner: OperationRunner) -> MarketChain {
        var counting = self
        counting.due = { [chain] in await runner.due(by: $0, in: $1, on: chain) }
        return counting
    }

    package var client: ChainClient { service.client }

    package var deployment: DeployedMarket { saleIndex.deployment }
    package var chain: ChainID { saleIndex.deployment.chain }

    /// Returns the amount with its currency's name.
    package func text(_ amount: Amount, in currency: Currency = .native) -> String {
        deployment.registry.text(amount, in: currency)
    }

    /// Returns the account's balance.
    package func balance(of account: Address, in currency: Currency) async throws -> Amount {
        try await asking {
            switch currency {
            case .native: try await client.balance(of: account)
            case .token(let token):
                try await client.ask(TokenContract(address: token).balance(of: account))
            }
        }
    }

    /// Returns the amount that a contract holds for the account.
    package func credit(
        of account: Address,
        in currency: Currency,
        at contract: any SaleContract
    ) async throws -> Amount {
        try await asking { try await client.ask(contract.credit(of: account, in: currency)) }
    }

    /// Refuses if the chain's market differs from the deployment file or this program's contracts.
    ///
    /// Call it before anything is paid in. Money that was paid in must come out regardless.
    package func requireOwnContracts() async throws {
        guard !audit.hasPassed else { return }
        let difference = try await asking {
            try await client.difference(from: deployment, saleIndex.kinds.contracts)
        }
        if let difference {
            throw Refusal(
                .wrongMarket,
                Sentence("refusal.marketDiffers", ["difference": difference.description])
            )
        }
        audit.pass()
    }

    /// Compares a sale, as its events show it, with the contract's own answer.
    ///
    /// The answer comes from an endpoint other than the source of the events.
    ///
    /// - Parameters:
    ///   - view: The sale.
    ///   - acceptsOneSource: Whether one endpoint's answer is enough while no second one answers.
    ///     The account's owner has said so, possibly when the operation that is signed now was
    ///     begun.
    /// - Throws: ``Refusal`` if they differ, or if a second endpoint is needed and does not answer.
    package func confirm(_ view: SaleView, acceptsOneSource: Bool = false) async throws {
        try saleIndex.requireCurrent()
        let own = Refusal(.chainStale, Sentence("refusal.saleDiffers"), retryAfter: .seconds(5))
        let reference = view.sale.reference
        guard let block = view.block,
            let contract = saleIndex.contract(at: reference.contract.address)
        else { throw own }
        let agreement = try await asking {
            try await service.agreement(
                on: view.sale,
                of: reference.id,
                in: contract,
                at: block,
                isDisputed: view.isDisputed
            )
        }
        switch agreement {
        case .agreed(let endpoints):
            guard view.fault == nil else { throw own }
            guard endpoints >= view.sources.needed || acceptsOneSource else {
                throw Refusal.oneSource(on: chain)
            }
        case .differs: throw own
        case .pending:
            throw Refusal(.notFinalYet, Sentence("refusal.secondBehind"), retryAfter: .seconds(5))
        case .disputed(let names):
            let values = ["endpoints": names.map(\.description).joined(separator: ", ")]
            throw Refusal(
                .chainStale,
                view.isDisputed
                    ? Sentence("refusal.endpointsDiffer", values)
                    : Sentence("refusal.endpointsContradict", values),
                retryAfter: .seconds(5)
            )
        }
    }

    /// Returns the transactions that let the contract draw the payment of a call, the call last.
    ///
    /// The present allowance is not relied on if an operation under way can use it up. `returned`
    /// is what earlier transactions of the same operation pay out to the account.
    ///
    /// - Throws: ``Refusal`` with `insufficient_balance` if the account does not have the money
    ///   beside what is ``due``.
    package func steps(
        for paid: PaidCall,
        by account: Address,
        returned: Amount = .zero
    ) async throws -> [Intent.Step] {
        let (call, amount, currency) = (paid.call, paid.amount, paid.currency)
        let due = await due(account, currency)
        let balance = try await balance(of: account, in: currency).adding(returned) ?? .max
        let available = balance.subtracting(due) ?? .zero
        guard available >= amount else {
            guard returned.isZero else {
                // The account does not have yet what comes back.
                let own = available.subtracting(returned) ?? .zero
                throw insufficient(amount, available: own, returned: returned, in: currency)
            }
            throw insufficient(amount, available: available, in: currency, besides: due)
        }
        var allowance = Amount.zero
        if case .token(let address) = currency {
            let token = TokenContract(address: address)
            allowance = try await asking {
                try await client.ask(token.allowance(of: call.to, from: account))
            }
        }
        return Spending.steps(
            for: call,
            drawing: amount,
            in: currency,
            allowance: allowance,
            isShared: !due.isZero
        )
    }

    /// Refuses because the account has too little.
    ///
    /// `due` is the amount that its operations under way may still need, which `available`
    /// excludes.
    package func insufficient(
        _ needed: Amount,
        available: Amount,
        in currency: Currency = .native,
        besides due: Amount = .zero
    ) -> Refusal {
        func money(_ amount: Amount) -> String { amount.value(in: currency, on: chain) }
        var values = ["needed": money(needed), "available": money(available)]
        let registry = deployment.registry
        guard due.isZero else {
            values["due"] = money(due)
            let reason = Sentence("refusal.insufficientBeside", values, in: registry)
            return Refusal(.insufficientBalance, reason)
        }
        return Refusal(
            .insufficientBalance,
            Sentence("refusal.insufficient", values, in: registry),
            Sentence(currency == .native ? "refusal.addFundsAndFee" : "refusal.addFunds")
        )
    }

    /// Refuses because the account has too little for new deposits, besides what earlier ones give
    /// back.
    private func insufficient(
        _ needed: Amount,
        available: Amount,
        returned: Amount,
        in currency: Currency
    ) -> Refusal {
        func money(_ amount: Amount) -> String { amount.value(in: currency, on: chain) }
        let values = [
            "needed": money(needed), "available": money(available), "returned": money(returned),
        ]
        return Refusal(
            .insufficientBalance,
            Sentence("refusal.insufficientReturned", values, in: deployment.registry),
            Sentence(currency == .native ? "refusal.addFundsAndFee" : "refusal.addFunds")
        )
    }

    /// Turns errors of the chain into refusals in words.
    package func asking<Answer>(
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch PreflightError.insufficientBalance(let needed, let available) {
            throw insufficient(needed, available: available)
        } catch PreflightError.refused(let reason) {
            throw Refusal(.contractRefused, Sentence("refusal.contractRefuses", ["reason": reason]))
        } catch PreflightError.feesDiffer {
            throw Refusal(.chainStale, Sentence("refusal.gasPricesDiffer"), retryAfter: .seconds(5))
        } catch let error as PreflightError where error.isOfEndpoints {
            throw Refusal(
                .chainStale,
                Sentence("refusal.notSigned", ["reason": error.reason.term]),
                retryAfter: .seconds(5)
            )
        } catch PreflightError.feeAboveCeiling(let ceiling) {
            throw Refusal(
                .feeAboveLimit,
                Sentence(
                    "refusal.gasAboveCeiling",
                    ["ceiling": ceiling.value(in: .native, on: chain)],
                    in: deployment.registry
                )
            )
        } catch let error as PreflightError {
            throw Refusal(.contractRefused, error.reason)
        } catch let error as UnreadableAnswer {
            throw Refusal(.chainAway, error.reason)
        } catch EthereumError.wrongChain(_, let expected, let found) {
            throw Refusal(
                .wrongChain,
                Sentence("refusal.otherChain", ["found": "\(found)", "chain": "\(expected)"])
            )
        } catch let error as EthereumError {
            var code = ProblemCode.chainAway
            if case .replacedChain = error { code = .wrongChain }
            throw Refusal(code, error.reason)
        }
    }
}

/// Whether the market's contracts have passed the check; they never change.
private final class MarketAudit: Sendable {
    private let passed = Mutex(false)

    var hasPassed: Bool { passed.withLock { $0 } }

    func pass() { passed.withLock { $0 = true } }
}

extension Refusal {
    /// Refuses because no second endpoint confirms the first one's answer.
    static func oneSource(on chain: ChainID) -> Refusal {
        Refusal(
            .oneSource,
            Sentence("refusal.noSecond", ["chain": "\(chain)"]),
            field: "acceptsOneSource",
            retryAfter: .seconds(30)
        )
    }
}
