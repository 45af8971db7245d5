import ArgumentParser
import Client
import Foundation
import Node

/// The command `stoa wallet receive`.
struct WalletReceive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive",
        abstract: "Show the account's address as a QR code that other wallets read.",
        discussion: """
            The code holds a payment request (EIP-681): the chain, the address, and with --amount \
            or --currency what to pay. It is drawn in the terminal, and written to a file with \
            --png or --svg.
            """
    )

    @OptionGroup var options: CallOptions
    @OptionGroup var chain: ChainOptions
    @Option(parsing: .unconditional, help: "The amount to ask for, such as 0.5 or '12.50 TST'.")
    var amount: String?
    @Option(help: "The currency to ask for: 'native', a symbol or a token's address.")
    var currency: String?
    @Option(help: "A file that gets the code as a PNG image.") var png: String?
    @Option(help: "A file that gets the code as an SVG image.") var svg: String?

    /// The answer for programs.
    struct Request: Encodable {
        let account: String
        let chain: UInt64
        let uri: String
    }

    func run() async throws {
        try await options.asAccount { node in
            let wallet = try await node.wallet(chain: chain.meant(amount, currency))
            let request = try CurrencyUnits.on(wallet.chain) {
                try Self.request(amount, currency, to: wallet.account, on: wallet.chain)
            }
            let uri = request.text
            let code = try QRCode(uri)
            if let png { try Self.write(Data(try code.png()), to: png, option: "--png") }
            if let svg { try Self.write(Data(code.svg.utf8), to: svg, option: "--svg") }
            if !options.json {
                Terminal.print(picture: code.lines(hasColours: Screen.output.hasColour))
            }
            let answer = Request(account: wallet.account, chain: wallet.chain, uri: uri)
            try options.output.show(answer) { _ in
                CurrencyUnits.on(wallet.chain) { Self.text(request) }
            }
            for file in [png, svg].compactMap({ $0 }) { options.output.note("written " + file) }
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

    static func text(_ request: PaymentURI) -> String {
        var lines = ["account  \(request.account), on chain \(request.chain)"]
        if let amount = request.amount {
            lines.append("amount   " + MoneyText.text(amount, request.currency))
        } else if request.currency != "native" {
            lines.append("currency " + request.currency)
        }
        lines.append("request  " + request.text)
        return lines.joined(separator: "\n")
    }

    /// - Throws: ``Failure`` that names the file and the option.
    static func write(_ data: Data, to path: String, option: String) throws {
        do {
            try data.write(to: URL(filePath: path))
        } catch {
            throw Failure(
                .configuration,
                "\(path.quoted) cannot be written: \(FileProblem.reason(error)) Name another file "
                    + "with \(option)."
            )
        }
    }
}
