import ArgumentParser
import Client

/// The command `stoa wallet …`.
struct WalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet",
        abstract: "Show, send and collect the account's money on the chain.",
        subcommands: [
            Balance.self, WalletSend.self, WalletReceive.self, WalletHistory.self,
            Collect.self, Acknowledge.self,
        ]
    )

    struct Balance: AccountCall {
        static let configuration = command(
            """
            Show the account's address, its balances, its credits in contracts, and its money \
            in running sales.
            """
        )
        static let examples = ["wallet balance", "wallet balance --as anna"]

        @Option(parsing: .unconditional, help: "Only this chain, by its id.")
        var chain: UInt64?
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let chains = chain.map { [$0] } ?? CurrencyUnits.current.chains
            guard chains.count > 1 else {
                let wallet = try await node.wallet(chain: chains.first)
                return try options.output.show(wallet, Self.text)
            }
            try options.output.show(try await wallets(on: chains, of: node)) { wallets in
                wallets.map(Self.text).joined(separator: "\n\n")
            }
        }

        /// Returns the wallets on all chains that can be asked; the others are named beside them.
        private func wallets(on chains: [UInt64], of node: StoaClient) async throws -> [Wallet] {
            var (wallets, failures): ([Wallet], [any Error]) = ([], [])
            for chain in chains {
                do { wallets.append(try await node.wallet(chain: chain)) } catch {
                    failures.append(error)
                    options.output.note("chain \(chain): \(ExitReport(error).message)")
                }
            }
            if wallets.isEmpty, let first = failures.first { throw first }
            return wallets
        }

        static func text(_ wallet: Wallet) -> String {
            CurrencyUnits.on(wallet.chain) {
                let balances = wallet.balances.map { "balance  " + MoneyText.gained($0) }
                let credits = wallet.credits.flatMap { credit in
                    [
                        "credit   \(MoneyText.gained(credit.money)), held by the \(credit.kind) contract "
                            + credit.contract
                    ]
                        + credit.sales.map { part in
                            "         \(MoneyText.gained(part.amount, credit.money.currency)) of it by "
                                + "sale \(IDText.short(part.sale))"
                        }
                }
                let locked = wallet.locked.map {
                    "locked   \(MoneyText.paid($0.money)), in the \($0.kind) sale "
                        + "\(IDText.short($0.sale)) "
                        + "(\($0.status.detail))"
                }
                let hint =
                    credits.isEmpty ? [] : ["Move the credits to the balance: stoa wallet collect"]
                let account = "account  " + wallet.account + ListingText.chain(wallet.chain)
                return ([account] + balances + locked + credits + hint).joined(separator: "\n")
            }
        }
    }

    struct Collect: AccountCall {
        static let configuration = command(
            "Move the money that contracts hold for you to your balance."
        )
        static let examples = [
            "wallet collect", "wallet collect --currency native --amount 0.5",
            "wallet collect --to 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        ]

        @Option(help: "Only credits in this currency: 'native', a symbol or a token's address.")
        var currency: String?
        @OptionGroup var chain: ChainOptions
        @Option(parsing: .unconditional, help: "Only this amount, such as 0.5. Needs --currency.")
        var amount: String?
        @Option(help: "Another address to receive the money. Defaults to your account's.")
        var to: String?
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var fees: FeeOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard amount == nil || currency != nil else {
                throw ValidationError("--amount needs --currency, such as --currency native.")
            }
        }

        func call(_ node: StoaClient) async throws {
            let node = try fees.applied(to: node)
            let meant = chain.meant(amount, currency)
            let wanted = try CurrencyUnits.on(meant) {
                let currency = currency.map { CurrencyUnits.current.currency(named: $0) }
                return CreditCollection(
                    currency: currency,
                    amount: try amount.map {
                        try MoneyText.units($0, of: currency ?? "native")
                    },
                    to: to,
                    chain: meant
                )
            }
            let preview = try await node.preview(wanted)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let operation = try await node.collect(wanted, feeMax: preview.agreedFee)
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { _ in "Collected." }
            await options.sayNext(after: ended, node)
        }
    }

    struct Acknowledge: LeafCommand {
        static let configuration = command(
            "Resume sending transactions after another program used the account's key."
        )
        static let examples = ["wallet acknowledge"]

        @OptionGroup var consent: ConsentOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            try consent.obtain(
                for: "Resume sending?",
                showing: """
                    Use this if another program has used the account's key, so that its \
                    transaction took the number (nonce) of one that this node sent. The node then \
                    signs the waiting transactions again, with new numbers and new fees. If a \
                    transaction of that program still waits with the next number, this node takes \
                    its place, and only one of the two is ever mined.
                    """,
                asJSON: options.json
            )
            try await options.asAccount { node in try await node.acknowledgeForeignUse() }
            options.output.note("The node sends transactions again.")
        }
    }
}
