import ArgumentParser
import Client
import Node

/// The command `stoa wallet send`.
struct WalletSend: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send money of the account to another account.",
        discussion: "Nobody can bring it back. MAX sends all that the account has, less the fee."
    )

    @OptionGroup var options: CallOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var chain: ChainOptions
    @Argument(help: "The receiver: a whole address, or the name of a contact or account.")
    var to: String
    @Argument(help: "The amount, such as 0.5, 0.5 ETH, 12.50 TST, MAX or MAX TST.")
    var amount: [String]

    func validate() throws {
        guard (1...2).contains(amount.count) else {
            throw ValidationError(
                "Give one amount, with its currency's symbol or address after it."
            )
        }
    }

    func run() async throws {
        try await options.asAccount { node in
            let node = try fees.applied(to: node)
            let meant = CurrencyUnits.current.chain(
                chain.chain,
                in: amount.joined(separator: " ")
            )
            var wanted = try CurrencyUnits.on(meant) { try Self.transfer(of: amount, to: to) }
            wanted.chain = meant
            let transfer = wanted
            let preview = try await node.preview(transfer)
            try await consent.obtain(for: preview, of: node, asJSON: options.json)
            let agreed = Self.agreed(transfer, in: preview)
            let operation = try await node.send(agreed, feeMax: preview.agreedFee)
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { _ in "Sent." }
        }
    }

    /// Returns what the person has agreed to: the address and the amount that were shown.
    ///
    /// By now the name can mean another account, and `max` another amount.
    static func agreed(_ transfer: Transfer, in preview: ActionPreview) -> Transfer {
        var agreed = transfer
        agreed.to = preview.receiver?.account ?? transfer.to
        let shown = preview.leaves.first { $0.purpose == "amount" }
        agreed.amount = shown?.amount ?? transfer.amount
        return agreed
    }

    /// Reads an amount with its currency: `0.5`, `0.5 ETH`, `12.50 TST`, `20 0x…` or `MAX`.
    ///
    /// - Throws: ``Failure`` for what is no amount.
    static func transfer(of words: [String], to receiver: String) throws -> Transfer {
        let words = words.flatMap { $0.split(separator: " ").map(String.init) }
        let first = words.first ?? ""
        let number = first.prefix { !$0.isLetter }
        let isAll = first.lowercased() == "max"
        let attached = isAll || number.isEmpty ? "" : String(first.dropFirst(number.count))
        let name = words.count > 1 ? words[1] : attached
        guard words.count <= 2, words.count < 2 || attached.isEmpty else {
            throw Failure(.usage, "Give one amount, with its currency after it, as in 12.50 TST.")
        }
        let isNamedNative = name.lowercased() == "native"
        let isNative =
            name.isEmpty || isNamedNative || ["wei", "gwei"].contains(name.lowercased())
        let currency = isNative ? "native" : CurrencyUnits.current.currency(named: name)
        guard isNative || currency != name || name.lowercased().hasPrefix("0x") else {
            if CurrencyUnits.current.elsewhere(called: name) != nil {
                // Says which chain's currency it is.
                _ = try MoneyText.units("0 \(name)", of: "native")
            }
            throw unknownCurrency(name)
        }
        if isAll { return Transfer(to: receiver, amount: "max", currency: currency) }
        // Neither an address nor 'native' is a symbol that can follow a number.
        let isBare = isNamedNative || name.lowercased().hasPrefix("0x")
        let amount = isBare ? String(number) : words.joined(separator: " ")
        return Transfer(
            to: receiver,
            amount: try MoneyText.units(amount, of: currency),
            currency: currency
        )
    }

    static func unknownCurrency(_ name: String) -> Failure {
        Failure(
            .usage,
            "\(name.quoted) is no currency of this market. 'stoa wallet balance' shows them."
        )
    }
}
