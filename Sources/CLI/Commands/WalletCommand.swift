import ArgumentParser
import Client

/// The command `stoa wallet …`.
struct WalletCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wallet",
        abstract: "What the account has on the chain.",
        subcommands: [Balance.self, Collect.self, Acknowledge.self]
    )

    struct Balance: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "balance",
            abstract: "Show the account's address and balances, and what contracts hold ready."
        )

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAccount { node in
                try options.output.show(try await node.wallet(), Self.text)
            }
        }

        static func text(_ wallet: Wallet) -> String {
            let balances = wallet.balances.map { "balance  " + MoneyText.text($0) }
            let credits = wallet.credits.map {
                "credit   \(MoneyText.text($0.money)), held by \($0.contract)"
            }
            let hint =
                credits.isEmpty ? [] : ["Bring the credits to the balance: stoa wallet collect"]
            return (["account  " + wallet.account] + balances + credits + hint).joined(
                separator: "\n"
            )
        }
    }

    struct Collect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "collect",
            abstract: "Move the money that the escrow holds for you to your balance."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions

        func run() async throws {
            try await options.asAccount { node in
                let preview = try await node.previewOfCollecting()
                try await consent.obtain(for: preview, of: node, asJSON: options.json)
                let operation = try await node.collect(feeMax: preview.agreedFee)
                let ended = try await options.output.finish(operation, node)
                try options.output.show(ended) { _ in "Collected." }
            }
        }
    }

    struct Acknowledge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledge",
            abstract: "Resume sending after another program used the account's key."
        )

        @OptionGroup var options: CallOptions
        @OptionGroup var consent: ConsentOptions

        func run() async throws {
            try consent.obtain(
                for: "Sign again?",
                showing: """
                    This is for an account whose key another program has used: a transaction from \
                    there took the number of one that this node sent. The node then signs what \
                    waits again, with a new number and a new fee.
                    """,
                asJSON: options.json
            )
            try await options.asAccount { node in try await node.acknowledgeForeignUse() }
            options.output.note("The node signs again.")
        }
    }
}
