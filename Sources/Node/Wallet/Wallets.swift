package import Client
import Contracts
package import Keys
import Market

/// The balances of accounts on the chain, and the credits that contracts hold ready for them.
package actor Wallets {
    private let chain: MarketChain
    private let runner: OperationRunner

    package init(chain: MarketChain, runner: OperationRunner) {
        (self.chain, self.runner) = (chain, runner)
    }

    /// Returns the balances and credits of an account, as the chain says now.
    package func wallet(of account: Address) async throws -> Wallet {
        var balances: [Money] = []
        for currency in chain.deployment.currencies {
            let balance = try await chain.balance(of: account, in: currency)
            balances.append(Money(balance, currency))
        }
        let credits = try await credits(of: account).map { credit in
            Wallet.Credit(
                contract: credit.contract.address.checksummed,
                money: Money(credit.amount, credit.currency)
            )
        }
        return Wallet(
            account: account.checksummed,
            chain: chain.chain.number,
            balances: balances,
            credits: credits
        )
    }

    /// Pays out every credit of an account to the account itself.
    ///
    /// - Returns: The operation that carries it out.
    /// - Throws: ``Refusal``: `move_not_open` if there is nothing to draw,
    ///   `insufficient_balance` if the fee cannot be paid, or the chain's health.
    package func collect(
        by account: Address,
        key: String,
        feeMax: String? = nil
    ) async throws -> Client.Operation {
        let operationRequest = try OperationRequest(
            .collect,
            by: account,
            key: key,
            request: ["collect"],
            feeMax: feeMax
        )
        if let known = try await runner.known(operationRequest) { return known }
        try chain.saleIndex.requireCurrent()
        let steps = try await draws(of: account).map { $0.step(to: account) }
        let fees = try await chain.agree(steps, to: feeMax, from: account)
        return try await runner.begin(
            operationRequest,
            subject: nil,
            plan: OperationPlan(purpose: "collect", steps: steps, feesMax: fees?.limits),
            fees: fees
        )
    }

    /// Returns the preview of a collection: what it would bring and cost; signs nothing.
    ///
    /// - Throws: ``Refusal`` of the chain's health.
    package func preview(of account: Address) async throws -> ActionPreview {
        try chain.saleIndex.requireCurrent()
        var preview = ActionPreview(
            action: "collect",
            summary: "The market's contracts pay out to your balance what they hold for you."
        )
        try await preview.check { preview in
            let draws = try await draws(of: account)
            for draw in draws { preview.expect(draw.amount, draw.currency, "once it is mined") }
            let steps = draws.map { $0.step(to: account) }
            try await chain.price(steps, from: account, in: &preview)
        }
        return preview
    }

    /// An amount that a contract holds ready for an account.
    private struct Credit {
        let contract: any SaleContract
        let currency: Currency
        let amount: Amount

        /// Returns the transaction that draws it.
        func step(to account: Address) -> Intent.Step {
            Intent.Step(contract.withdraw(currency, to: account))
        }
    }

    private func draws(of account: Address) async throws -> [Credit] {
        let credits = try await credits(of: account)
        guard !credits.isEmpty else {
            throw Refusal(.moveNotOpen, "There is nothing to collect for this account.")
        }
        return credits
    }

    /// Returns every credit that is not zero, on all of the market's contracts.
    private func credits(of account: Address) async throws -> [Credit] {
        var credits: [Credit] = []
        for deployed in chain.deployment.contracts {
            guard let contract = chain.saleIndex.contract(at: deployed.address) else { continue }
            for currency in deployed.currencies {
                let amount = try await chain.credit(of: account, in: currency, at: contract)
                guard !amount.isZero else { continue }
                credits.append(Credit(contract: contract, currency: currency, amount: amount))
            }
        }
        return credits
    }
}
