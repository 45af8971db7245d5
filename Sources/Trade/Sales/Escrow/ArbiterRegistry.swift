import Answers
package import Client
import Contracts
import Ethereum
package import Keys
import Market

/// The terms on which accounts are arbiters, as the market's contract keeps them.
///
/// Only an account that has registered can be named in a sale, so none is named without consent.
///
/// Source: Docs/contracts.md, section 9.
package struct ArbiterRegistry: Sendable {
    private let chain: MarketChain
    private let runner: OperationRunner

    package init(chain: MarketChain, runner: OperationRunner) {
        (self.chain, self.runner) = (chain, runner)
    }

    /// Returns the terms of an account, one for each currency in which it has registered.
    ///
    /// - Throws: ``Refusal``: `bad_address`, or the chain's.
    package func terms(of account: String) async throws -> [Arbitration] {
        let arbiter = try Address.entered(account, field: "account")
        let (deployed, contract) = try contract()
        var found: [Arbitration] = []
        for currency in deployed.currencies {
            let terms = try await chain.asking {
                try await chain.client.ask(contract.arbiterTerms(of: arbiter, in: currency))
            }
            guard terms.until.seconds > 0 else { continue }
            found.append(
                Arbitration(
                    chain: chain.chain.number,
                    currency: currency.name,
                    feeMin: terms.feeMin.decimal,
                    until: terms.until.seconds
                )
            )
        }
        return found
    }

    /// Registers an account, or changes its terms.
    ///
    /// Its obstacles: `bad_terms`, `bad_amount`, `bad_address`, `insufficient_balance`,
    /// `contract_refused`, `fee_above_limit`, `wrong_market`, or the chain's health.
    package func register(_ wanted: Arbitration, by account: Address) -> ProposedOperation {
        ProposedOperation(.arbitrate, wanted, by: account, on: runner) {
            try await plan(wanted, &$0)
        }
    }

    private func plan(_ wanted: Arbitration, _ plan: inout PlannedOperation) async throws {
        let terms = try checked(wanted)
        plan.preview = ActionPreview(action: "arbitrate", chain: chain.chain.number, summary: [])
        describe(terms, in: &plan.preview)
        try await plan.check { plan in
            try await plan.send(try await steps(for: terms, by: plan.account), on: chain)
        }
    }

    /// The registration, as the contract takes it.
    private struct Terms {
        let currency: Currency
        let feeMin: Amount
        /// Zero to be an arbiter no longer.
        let until: ChainTime

        var isEnd: Bool { until.seconds == 0 }
    }

    private func describe(_ terms: Terms, in preview: inout ActionPreview) {
        guard !terms.isEnd else {
            preview.summary = [Sentence("escrow.arbiterNoLonger")]
            preview.explanation = [Sentence("escrow.arbiterListed")]
            return
        }
        preview.summary = [
            Sentence(
                "escrow.youArbitrate",
                ["fee": terms.feeMin.value(in: terms.currency, on: chain.chain)],
                in: chain.deployment.registry
            )
        ]
        preview.deadline = Client.Sale.Deadline(
            at: terms.until.date,
            consequence: [Sentence("escrow.arbiterEnds")]
        )
        preview.explanation = [
            Sentence("escrow.arbiterRegistered"), Sentence("escrow.arbiterListed"),
            Sentence("escrow.arbiterFee"),
        ]
    }

    /// Returns the contract in which new sales begin.
    private func contract() throws(Refusal) -> (DeployedMarket.Contract, EscrowContract) {
        guard let deployed = chain.deployment.contract(for: .escrow) else {
            throw Refusal(.wrongMarket, Sentence("refusal.noArbiterMarket"))
        }
        return (deployed, EscrowContract(address: deployed.address))
    }

    /// How far ahead a registration can end; the contract has no bound.
    private static let aheadMax = Duration.days(3_650)

    private func checked(_ wanted: Arbitration) throws -> Terms {
        try chain.saleIndex.requireCurrent()
        guard let time = chain.saleIndex.time else {
            throw Refusal(.chainAway, Sentence("refusal.noBlock"))
        }
        let deployed = try contract().0
        let feeMin = try Amount.entered(wanted.feeMin, field: "feeMin")
        let until = ChainTime(seconds: wanted.until)
        let last = time.advanced(by: Self.aheadMax)
        guard wanted.until == 0 || (until > time && until <= last) else {
            throw Refusal(.badTerms, Sentence("refusal.arbiterUntil"), field: "until")
        }
        guard wanted.currency != "native" else {
            return Terms(currency: .native, feeMin: feeMin, until: until)
        }
        let token = try Address.entered(wanted.currency, field: "currency")
        guard deployed.tokens.contains(token) else {
            throw Refusal(
                .badTerms,
                Sentence("refusal.tokenNotAccepted", ["token": "\(token)"]),
                field: "currency"
            )
        }
        return Terms(currency: .token(token), feeMin: feeMin, until: until)
    }

    private func steps(for terms: Terms, by account: Address) async throws -> [Intent.Step] {
        try await chain.requireOwnContracts()
        let contract = try contract().1
        if terms.isEnd {
            let present = try await chain.asking {
                try await chain.client.ask(contract.arbiterTerms(of: account, in: terms.currency))
            }
            guard present.until > chain.saleIndex.time ?? ChainTime(seconds: 0) else {
                throw Refusal(.moveNotOpen, Sentence("refusal.notArbiter"), field: "until")
            }
        }
        let call = contract.arbitrate(in: terms.currency, feeMin: terms.feeMin, until: terms.until)
        return [Intent.Step(call)]
    }
}
