import ArgumentParser
import Client
import Setup

/// The command `stoa wallet send`.
struct WalletSend: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send money from the account to another account.",
        discussion: """
            A transfer cannot be undone. MAX sends everything the account has, less the fee. A \
            payment request, as 'stoa wallet receive' shows it, gives the receiver, the chain and \
            the amount.
            """
    )
    static let examples = [
        "wallet send bob 0.5 ETH", "wallet send bob 12.50 TST --dry-run",
        "wallet send 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed MAX --speed slow",
        "wallet send 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1?value=5e17'",
    ]

    @OptionGroup var chain: ChainOptions
    @Argument(
        help: """
            The receiver: a full address, the name of a contact or account, or a payment request in \
            quotes ('ethereum:0x…'). With --yes, a name that you gave with 'stoa contact name', or \
            of an account of the node.
            """
    )
    var to: String
    @Argument(
        help: """
            The amount, such as 0.5, 0.5 ETH, 12.50 TST, MAX or MAX TST. Leave it out if a payment \
            request names it.
            """
    )
    var amount: [String] = []
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        guard amount.count <= 2, !amount.isEmpty || PaymentURI.isRequest(to) else {
            throw ValidationError("Give one amount, followed by its currency's symbol or address.")
        }
    }

    func call(_ node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        let transfer = try Self.transfer(to: to, amount, on: chain.chain)
        let preview = try await node.preview(transfer)
        try consent.requireNamed(preview, typed: transfer.to)
        try await consent.obtain(for: preview, of: node, asJSON: options.json)
        let agreed = Self.agreed(transfer, in: preview)
        let operation = try await node.send(agreed, feeMax: preview.agreedFee)
        let ended = try await options.output.finish(operation, node)
        try options.output.show(ended) { _ in "Sent." }
    }

    /// Returns the terms that the arguments describe.
    ///
    /// - Parameters:
    ///   - to: The receiver, or a payment request.
    ///   - amount: The words of the amount; none if the request has one.
    ///   - chain: The chain that the person has named.
    /// - Returns: The transfer to ask for.
    /// - Throws: ``Failure``, also for a request on another chain than the node's or the named one.
    static func transfer(to: String, _ amount: [String], on chain: UInt64?) throws -> Transfer {
        guard PaymentURI.isRequest(to) else {
            let meant = CurrencyUnits.current.chain(chain, in: amount.joined(separator: " "))
            var wanted = try CurrencyUnits.on(meant) { try transfer(of: amount, to: to) }
            wanted.chain = meant
            return wanted
        }
        let request = try PaymentURI(text: to)
        let known = CurrencyUnits.current.chains
        if let own = request.chain,
            chain != nil && chain != own || !known.isEmpty && !known.contains(own)
        {
            let here = (chain.map { [$0] } ?? known).map(String.init).joined(separator: ", ")
            throw Failure(
                .refused,
                "The request is for chain \(own), not for chain \(here). Nothing is sent: money on "
                    + "another chain does not reach the receiver."
            )
        }
        let meant = request.chain ?? chain ?? (known.count == 1 ? known.first : nil)
        return try CurrencyUnits.on(meant) {
            guard request.currency == "native" || CurrencyUnits.current.has(request.currency) else {
                throw unknownCurrency(request.currency)
            }
            var wanted = Transfer(to: request.account, amount: "", currency: request.currency)
            (wanted.amount, wanted.chain) = (try units(of: amount, asked: request), meant)
            return wanted
        }
    }

    /// Returns the amount of a request, or the amount in the words if the request has none.
    private static func units(of words: [String], asked request: PaymentURI) throws -> String {
        guard !words.isEmpty else {
            guard let amount = request.amount else {
                throw Failure(.usage, "The request names no amount. Give one, such as 0.5.")
            }
            return amount
        }
        let isToken = request.currency != "native"
        let isBare =
            words.count == 1
            && (words[0].lowercased() == "max" || words[0].allSatisfy { !$0.isLetter })
        let said = try transfer(
            of: isToken && isBare ? words + [request.currency] : words,
            to: request.account
        )
        let isMeant = said.currency.lowercased() == request.currency.lowercased()
        guard isMeant, request.amount == nil || request.amount == said.amount else {
            throw Failure(
                .usage,
                "The request asks for "
                    + (request.amount.map { MoneyText.exact($0, request.currency) }
                        ?? "another currency")
                    + ". Leave the amount out, or give the receiver's address instead of the request."
            )
        }
        return said.amount
    }

    /// Returns the address and the amount that were shown and that the person agreed to.
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
    /// - Throws: ``Failure`` if the text is not an amount.
    static func transfer(of words: [String], to receiver: String) throws -> Transfer {
        let words = words.flatMap { $0.split(separator: " ").map(String.init) }
        let first = words.first ?? ""
        let number = first.prefix { !$0.isLetter }
        let isAll = first.lowercased() == "max"
        let attached = isAll || number.isEmpty ? "" : String(first.dropFirst(number.count))
        let name = words.count > 1 ? words[1] : attached
        guard words.count <= 2, words.count < 2 || attached.isEmpty else {
            throw Failure(.usage, "Give one amount, followed by its currency, as in 12.50 TST.")
        }
        let isNamedNative = name.lowercased() == "native"
        let isNative =
            name.isEmpty || isNamedNative || ["wei", "gwei"].contains(name.lowercased())
        let currency = isNative ? "native" : CurrencyUnits.current.currency(named: name)
        guard isNative || currency != name || name.lowercased().hasPrefix("0x") else {
            if CurrencyUnits.current.elsewhere(called: name) != nil {
                // States which chain's currency it is.
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
            "\(name.quoted) is not a currency of this market. 'stoa wallet balance' lists its "
                + "currencies."
        )
    }
}
