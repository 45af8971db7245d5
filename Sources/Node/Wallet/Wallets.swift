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
        let credits = try await credits(of: account).map { currency, amount in
            Wallet.Credit(
                contract: chain.deployment.escrow.checksummed,
                money: Money(amount, currency)
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
        let steps = try await draws(of: account).map(\.step)
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
            summary: "The escrow pays out to your balance what it holds for you."
        )
        try await preview.check { preview in
            let draws = try await draws(of: account)
            for draw in draws { preview.expect(draw.amount, draw.currency, "once it is mined") }
            try await chain.price(draws.map(\.step), from: account, in: &preview)
        }
        return preview
    }

    /// A credit, and the transaction that draws it.
    private struct Draw {
        let currency: Currency
        let amount: Amount
        let step: Intent.Step
    }

    private func draws(of account: Address) async throws -> [Draw] {
        let draws = try await credits(of: account).map { currency, amount in
            let step = Intent.Step(chain.escrow.withdraw(currency, to: account))
            return Draw(currency: currency, amount: amount, step: step)
        }
        guard !draws.isEmpty else {
            throw Refusal(.moveNotOpen, "There is nothing to collect for this account.")
        }
        return draws
    }

    /// Returns every credit that is not zero.
    private func credits(of account: Address) async throws -> [(Currency, Amount)] {
        var credits: [(Currency, Amount)] = []
        for currency in chain.deployment.currencies {
            let credit = try await chain.credit(of: account, in: currency)
            if !credit.isZero { credits.append((currency, credit)) }
        }
        return credits
    }
}
