package import Client
import Contracts
package import Keys
import Market

/// What accounts own on the chain, and the credits that contracts hold ready for them.
package actor Wallets {
    private let chain: MarketChain
    private let errands: Errands

    package init(chain: MarketChain, errands: Errands) {
        (self.chain, self.errands) = (chain, errands)
    }

    /// Balances and credits of an account, as the chain says now.
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

    /// Draws every credit of an account to the account itself.
    ///
    /// - Returns: The operation that carries it out.
    /// - Throws: ``Refusal``: `move_not_open` where there is nothing to draw,
    ///   `insufficient_balance` where the fee cannot be paid, or the chain's health.
    package func collect(by account: Address, key: String) async throws -> Client.Operation {
        let act = try Act(.collect, by: account, key: key, request: ["collect"])
        if let known = try await errands.known(act) { return known }
        try chain.shelf.requireCurrent()
        let steps = try await credits(of: account).map { currency, _ in
            Intent.Step(chain.escrow.withdraw(currency, to: account))
        }
        guard !steps.isEmpty else {
            throw Refusal(.moveNotOpen, "No contract holds anything ready for this account.")
        }
        let estimate = try await chain.estimate(steps, from: account)
        return try await errands.begin(
            act,
            subject: nil,
            errand: Errand(purpose: "collect", steps: steps),
            estimate: estimate
        )
    }

    /// Every credit that is not zero.
    private func credits(of account: Address) async throws -> [(Currency, Amount)] {
        var credits: [(Currency, Amount)] = []
        for currency in chain.deployment.currencies {
            let credit = try await chain.credit(of: account, in: currency)
            if !credit.isZero { credits.append((currency, credit)) }
        }
        return credits
    }
}
