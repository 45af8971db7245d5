import ArgumentParser
import Client
import Concurrency
import Foundation

/// The command `stoa arbiter …`.
struct ArbiterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arbiter",
        abstract: "Offer to arbitrate disputes, and show an arbiter's terms.",
        subcommands: [Register.self, Show.self, Resign.self]
    )

    struct Register: LeafCommand {
        static let configuration = command(
            "Offer to decide disputes for a fee, so that sellers can name you.",
            discussion: """
                This replaces your earlier registration in the same currency. It does not affect \
                sales that are already listed.
                """
        )
        static let examples = [
            "arbiter register --fee 0.01",
            "arbiter register --fee 0.01 --until 2027-12-31",
        ]

        /// Long enough for an offer of 300 days and the usual windows after it.
        private static let standardSeconds: UInt64 = 365 * 86_400

        @Option(
            parsing: .unconditional,
            help:
                "Required. The lowest fee for which you take a dispute, such as 0.01 or '10 gwei'."
        )
        var fee: String?
        @Option(help: "The currency of the sales: 'native', a symbol or a token's address.")
        var currency = "native"
        @OptionGroup var chain: ChainOptions
        @Option(
            name: .customLong("for"),
            parsing: .unconditional,
            help: """
                How long you decide disputes, counted from the chain's current time, such as 365d, \
                the default. A sale can name you only if its offer and all the windows after it \
                end by then.
                """
        )
        var duration: DurationText?
        @Option(
            parsing: .unconditional,
            help: "The time until which you decide disputes, in UTC: 2027-01-31."
        )
        var until: TimeText?
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var fees: FeeOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            try Needs.check(
                ["--fee <fee>": fee != nil],
                canAsk: Needs.canAsk(asJSON: options.json, isAgreed: consent.yes)
            )
            guard until == nil || duration == nil else {
                throw ValidationError("Give --for or --until, not both.")
            }
            guard duration?.seconds != 0, until?.seconds != 0 else {
                throw ValidationError(
                    "The offer must last for some time. To stop offering to arbitrate, run 'stoa "
                        + "arbiter resign'."
                )
            }
        }

        /// The fee, for which it asks if it is not given.
        private func lowestFee() async throws -> String {
            if let fee { return fee }
            return try await Needs.answer(
                "The lowest fee for which you take a dispute, such as 0.01: ",
                form: "an amount"
            ) { text in
                _ = try CurrencyUnits.on(chain.meant(text, currency)) {
                    let currency = CurrencyUnits.current.currency(named: currency)
                    return try MoneyText.units(text, of: currency)
                }
                return text
            }
        }

        func run() async throws {
            let period = duration ?? DurationText(seconds: Self.standardSeconds)
            let end = until?.seconds
            try await ArbiterCommand.register(options, consent, fees, "Registered.") { node in
                let fee = try await lowestFee()
                let meant = chain.meant(fee, currency)
                // A node on another machine does not report its chain's time.
                let chains = (try? await node.chains()) ?? []
                let head = chains.first { meant == nil || $0.chain == meant }?.headTime
                return try CurrencyUnits.on(meant) {
                    let currency = CurrencyUnits.current.currency(named: currency)
                    return Arbitration(
                        chain: meant,
                        currency: currency,
                        feeMin: try MoneyText.units(fee, of: currency),
                        until: end ?? period.end(from: head)
                    )
                }
            }
        }
    }

    struct Resign: LeafCommand {
        static let configuration = command(
            "Stop offering to arbitrate. Listed sales keep you as their arbiter."
        )
        static let examples = ["arbiter resign"]

        @Option(help: "The currency of the sales: 'native', a symbol or a token's address.")
        var currency = "native"
        @OptionGroup var chain: ChainOptions
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var fees: FeeOptions
        @OptionGroup var options: CallOptions

        func run() async throws {
            try await ArbiterCommand.register(options, consent, fees, "Resigned.") { _ in
                let meant = chain.meant(currency)
                return CurrencyUnits.on(meant) {
                    let currency = CurrencyUnits.current.currency(named: currency)
                    return Arbitration(chain: meant, currency: currency, feeMin: "0", until: 0)
                }
            }
        }
    }

    private static func register(
        _ options: CallOptions,
        _ consent: ConsentOptions,
        _ fees: FeeOptions,
        _ outcome: String,
        _ wanted: (StoaClient) async throws -> Arbitration
    ) async throws {
        try await options.asAccount { node in
            let node = try fees.applied(to: node)
            let arbitration = try await wanted(node)
            let preview = try await node.preview(arbitration)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let begun = try await node.register(arbitration, feeMax: preview.agreedFee)
            let ended = try await options.output.finish(begun, node)
            try options.output.show(ended) { _ in outcome }
        }
    }

    struct Show: AccountCall {
        static let configuration = command(
            "Show the fee for which an account can be named as arbiter, and until when."
        )
        static let examples = ["arbiter show", "arbiter show carla"]

        @Argument(help: "The account, by name or address. Defaults to your own.")
        var account: String?
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let found = try await node.arbitration(of: account)
            try options.output.show(found) { Self.text($0, at: SystemWallClock().now) }
        }

        /// Formats the terms; a registration whose time has passed is shown as ended.
        static func text(_ terms: [Arbitration], at now: Date) -> String {
            guard !terms.isEmpty else { return "Not registered as an arbiter." }
            return terms.map { terms in
                let fee = CurrencyUnits.on(terms.chain) {
                    MoneyText.paid(terms.feeMin, terms.currency) + ListingText.chain(terms.chain)
                }
                let end = Date(timeIntervalSince1970: Double(terms.until))
                return end > now
                    ? "for \(fee) or more a dispute, in offers that end by \(TimeText.text(end))"
                    : "ended \(TimeText.text(end)): was for \(fee) or more a dispute; no new offer can "
                        + "name the account"
            }.joined(separator: "\n")
        }
    }
}
