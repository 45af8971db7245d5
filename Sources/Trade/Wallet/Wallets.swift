import Answers
package import Client
import Contracts
import Ethereum
package import Keys
import Market

/// The balances of accounts on one chain, and the credits that contracts hold for them.
package actor Wallets {
    let chain: MarketChain
    let runner: OperationRunner

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
                kind: credit.kind.rawValue,
                money: Money(credit.amount, credit.currency),
                sales: chain.saleIndex
                    .credits(of: account, in: credit.contract.address, credit.currency)
                    .suffix(Self.partsMax)
                    .map { Wallet.Part(sale: $0.sale.description, amount: $0.amount.decimal) }
            )
        }
        return Wallet(
            account: account.checksummed,
            chain: chain.chain.number,
            balances: balances,
            credits: credits,
            locked: locked(of: account),
            currencies: currencies
        )
    }

    /// The sales of one credit that are shown.
    private static let partsMax = 100

    /// The account's payments into sales that have not ended, oldest first.
    private func locked(of account: Address) -> [Wallet.Locked] {
        chain.saleIndex.sales(of: account).sorted { $0.listedAt < $1.listedAt }.flatMap { sale in
            sale.state.locked(for: account).map { currency, amount in
                Wallet.Locked(
                    sale: sale.id.description,
                    kind: sale.kind.rawValue,
                    phase: sale.status.name,
                    money: Money(amount, currency)
                )
            }
        }
    }

    /// The currencies of the market, the native one first.
    package nonisolated var currencies: [CurrencyUnit] {
        chain.deployment.registry.entries.map { CurrencyUnit($0, on: chain.chain) }
    }

    /// Pays out an account's credits: all of them to the account itself, unless told otherwise.
    ///
    /// Its obstacles: `move_not_open` if there is not as much to draw, `bad_amount`, `bad_address`,
    /// `malformed_value`, `insufficient_balance` if the fee cannot be paid, or the chain's health.
    package nonisolated func collect(
        _ wanted: CreditCollection = CreditCollection(),
        by account: Address
    ) -> ProposedOperation {
        ProposedOperation(.collect, wanted, by: account, on: runner) {
            try await self.plan(collecting: wanted, &$0)
        }
    }

    private func plan(
        collecting wanted: CreditCollection,
        _ plan: inout PlannedOperation
    ) async throws {
        try chain.saleIndex.requireCurrent()
        let receiver = try receiver(of: wanted, plan.account)
        let isOwn = receiver == plan.account
        plan.preview = ActionPreview(
            action: "collect",
            chain: chain.chain.number,
            summary: [
                isOwn
                    ? Sentence("wallet.collect")
                    : Sentence("wallet.collectTo", ["receiver": receiver.checksummed])
            ]
        )
        if !isOwn {
            plan.preview.warnings.append(Sentence("wallet.otherAddress"))
        }
        try await plan.check { plan in
            let draws = try await draws(wanted, of: plan.account, to: receiver)
            let when =
                isOwn
                ? Sentence("back.onceMined")
                : Sentence("back.onceMinedTo", ["receiver": receiver.checksummed])
            for draw in draws { plan.preview.expect(draw.amount, draw.currency, when) }
            try await plan.send(draws.map(\.step), on: chain)
        }
    }

    /// An amount that a contract holds for an account.
    private struct Credit {
        let contract: any SaleContract
        let kind: SaleKind
        let currency: Currency
        let amount: Amount
    }

    /// A part of a credit, or all of it, that is drawn.
    private struct Draw {
        let currency: Currency
        let amount: Amount
        /// The transaction that draws it.
        let step: Intent.Step
    }

    /// Returns the address that gets the money: the account's own, or another usable one.
    private nonisolated func receiver(
        of wanted: CreditCollection,
        _ account: Address
    ) throws(Refusal) -> Address {
        guard let text = wanted.to else { return account }
        let receiver = try Address.entered(text, field: "to")
        if receiver != account {
            try chain.deployment.requireReceiver(receiver, of: account)
        }
        return receiver
    }

    /// Returns the withdrawals of a collection, from the contracts in their order.
    private func draws(
        _ wanted: CreditCollection,
        of account: Address,
        to receiver: Address
    ) async throws -> [Draw] {
        let currency = try wanted.wantedCurrency
        let amount = try wanted.wantedAmount
        var rest = amount
        var draws: [Draw] = []
        for credit in try await credits(of: account) {
            guard currency == nil || credit.currency == currency else { continue }
            let drawn = rest.map { min($0, credit.amount) } ?? credit.amount
            guard !drawn.isZero else { continue }
            rest = rest?.subtracting(drawn)
            let call = credit.contract.withdraw(drawn, of: credit.currency, to: receiver)
            draws.append(Draw(currency: credit.currency, amount: drawn, step: Intent.Step(call)))
        }
        guard !draws.isEmpty else {
            throw Refusal(.moveNotOpen, Sentence("refusal.nothingToCollect"))
        }
        if let currency, let amount, let rest, !rest.isZero {
            let held = amount.subtracting(rest) ?? .zero
            throw Refusal(
                .moveNotOpen,
                Sentence(
                    "refusal.lessHeld",
                    [
                        "held": held.value(in: currency, on: chain.chain),
                        "wanted": amount.value(in: currency, on: chain.chain),
                    ],
                    in: chain.deployment.registry
                ),
                field: "amount"
            )
        }
        return draws
    }

    /// Returns every credit that is not zero, on all of the market's contracts.
    private func credits(of account: Address) async throws -> [Credit] {
        var credits: [Credit] = []
        for deployed in chain.deployment.contracts {
            guard let contract = chain.saleIndex.contract(at: deployed.address) else { continue }
            for currency in deployed.currencies {
                let amount = try await chain.credit(of: account, in: currency, at: contract)
                guard !amount.isZero else { continue }
                credits.append(
                    Credit(
                        contract: contract,
                        kind: deployed.kind,
                        currency: currency,
                        amount: amount
                    )
                )
            }
        }
        return credits
    }
}

extension CreditCollection {
    fileprivate var wantedCurrency: Currency? {
        get throws(Refusal) {
            guard let currency, currency != "native" else { return currency.map { _ in .native } }
            return .token(try Address.entered(currency, field: "currency"))
        }
    }

    fileprivate var wantedAmount: Amount? {
        get throws(Refusal) {
            guard let amount else { return nil }
            guard currency != nil else {
                throw Refusal(
                    .malformedValue,
                    Sentence("refusal.amountNeedsCurrency"),
                    field: "currency"
                )
            }
            let found = try Amount.entered(amount, field: "amount")
            guard !found.isZero else {
                throw Refusal(.badAmount, Sentence("refusal.collectMore"), field: "amount")
            }
            return found
        }
    }
}
