import ArgumentParser
import Client

/// The command `stoa wallet receive`.
struct WalletReceive: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Show the account's address as a QR code that other wallets read.",
        discussion: """
            The code contains a payment request (EIP-681): the chain, the address, and with --amount \
            or --currency what to pay. It is drawn in the terminal, and written to a file with \
            --png or --svg. An existing file is replaced only with --force.
            """
    )
    static let examples = [
        "wallet receive", "wallet receive --amount 12.50 --currency TST --png request.png",
    ]

    @OptionGroup var chain: ChainOptions
    @Option(parsing: .unconditional, help: "The amount to ask for, such as 0.5 or '12.50 TST'.")
    var amount: String?
    @Option(help: "The currency to ask for: 'native', a symbol or a token's address.")
    var currency: String?
    @OptionGroup var files: CodeFiles
    @OptionGroup var options: CallOptions

    /// The answer for programs.
    struct Request: Encodable {
        let account: String
        let chain: UInt64
        let uri: String
    }

    func run() async throws {
        try files.check()
        try await options.asAccount { node in
            let wallet = try await node.wallet(chain: chain.meant(amount, currency))
            let request = try CurrencyUnits.on(wallet.chain) {
                try Self.request(amount, currency, to: wallet.account, on: wallet.chain)
            }
            let uri = request.text
            let code = try QRCode(uri)
            try files.write(code)
            if !options.json {
                Terminal.print(picture: code.lines(hasColours: Screen.output.hasColour))
            }
            let answer = Request(account: wallet.account, chain: wallet.chain, uri: uri)
            try options.output.show(answer) { answer in
                CurrencyUnits.on(wallet.chain) { Self.text(request, on: answer.chain) }
            }
            files.note(options.output)
        }
    }

    /// Returns the payment request that the options describe.
    ///
    /// - Throws: ``Failure`` for an amount or currency that the market does not have.
    static func request(
        _ amount: String?,
        _ currency: String?,
        to account: String,
        on chain: UInt64
    ) throws -> PaymentURI {
        var request = PaymentURI(account: account, chain: chain)
        if let amount {
            let words = [amount, currency].compactMap { $0 }
            let transfer = try WalletSend.transfer(of: words, to: account)
            guard transfer.amount != "max", transfer.amount != "0" else {
                throw Failure(.usage, "Ask for an amount above 0, such as 0.5.")
            }
            (request.currency, request.amount) = (transfer.currency, transfer.amount)
        } else if let currency {
            let named = CurrencyUnits.current.currency(named: currency)
            guard CurrencyUnits.current.has(named) else {
                throw WalletSend.unknownCurrency(currency)
            }
            request.currency = named
        }
        return request
    }

    static func text(_ request: PaymentURI, on chain: UInt64) -> String {
        var lines = ["account  \(request.account), on chain \(chain)"]
        if let amount = request.amount {
            lines.append("amount   " + MoneyText.exact(amount, request.currency))
        } else if request.currency != "native" {
            lines.append("currency " + request.currency)
        }
        lines.append("request  " + request.text)
        return lines.joined(separator: "\n")
    }
}
