import ArgumentParser
import Client

/// The command `stoa signature …`.
struct SignatureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signature",
        abstract: "Show the requests that your wallet must sign, and answer them.",
        discussion: """
            For accounts that were added with 'stoa account add': their keys are in a wallet outside \
            the node.
            """,
        subcommands: [List.self, Show.self, Give.self]
    )

    struct List: AccountCall {
        static let configuration = command(
            "Show the operations that wait for a signature from your wallet."
        )
        static let examples = ["signature list"]

        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            try options.output.show(try await node.signatureRequests(), SignatureText.list)
        }
    }

    struct Show: AccountCall {
        static let configuration = command(
            "Show what your wallet is asked to sign for an operation, and what it means."
        )
        static let examples = ["signature show 5d21ee07"]

        @Argument(help: .operation) var operation: String
        @OptionGroup var options: CallOptions

        func call(_ node: StoaClient) async throws {
            let request = try await node.signatureRequest(operation: operation)
            try options.output.show(request, SignatureText.full)
        }
    }

    struct Give: LeafCommand {
        static let configuration = command(
            "Submit what your wallet signed. The node accepts only what it asked for."
        )
        static let examples = [
            "signature give 5d21ee07 --hash "
                + "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
        ]

        @Argument(help: .operation) var operation: String
        @Option(help: "The signature that your wallet made: 0x and 130 digits.")
        var signature: String?
        @Option(help: "The signed transaction, if your wallet shows it.") var transaction: String?
        @Option(help: "The hash of the transaction, if your wallet has sent it.") var hash: String?
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard [signature, transaction, hash].count(where: { $0 != nil }) == 1 else {
                throw ValidationError("Give one of --signature, --transaction and --hash.")
            }
        }

        func run() async throws {
            let answer = SignatureAnswer(signature: signature, transaction: transaction, hash: hash)
            try await options.asAccount { node in
                let taken = try await node.give(answer, operation: operation)
                try options.output.show(taken) { taken in
                    "Accepted. Follow it with 'stoa operation wait \(IDText.short(taken.id))'."
                }
            }
        }
    }
}

/// Formats a signature request for a wallet as text.
enum SignatureText {
    static func list(_ requests: [SignatureRequest]) -> String {
        var table = TextTable("kind", "sign", "meaning", "operation")
        for request in requests {
            table.add(
                request.kind.rawValue,
                request.transaction == nil ? "record" : "transaction",
                request.words.first?.detail ?? "",
                IDText.cell(request.operation)
            )
        }
        return table.text(orElse: "Nothing waits for your wallet.")
    }

    static func full(_ request: SignatureRequest) -> String {
        var lines = ["operation  " + request.operation] + request.words.map { "  \($0)" }
        if let typedData = request.typedData {
            lines += ["Sign this typed data (eth_signTypedData_v4):", typedData]
        }
        if let transaction = request.transaction {
            lines += ["Sign or send this transaction:"] + fields(of: transaction)
        }
        return lines.joined(separator: "\n")
    }

    private static func fields(of transaction: UnsignedTransaction) -> [String] {
        let isFixed = transaction.nonce == transaction.nonceMax
        let nonces = isFixed ? "" : " (your wallet may use up to \(transaction.nonceMax))"
        let fields: [(String, String?)] = [
            ("chain", "\(transaction.chain)"), ("from", transaction.from),
            ("to", transaction.to), ("value", transaction.value + " wei"),
            ("nonce", "\(transaction.nonce)\(nonces)"), ("gas", "\(transaction.gas)"),
            ("max fee", transaction.maxFeePerGas.map { $0 + " wei for a unit of gas" }),
            ("tip", transaction.maxPriorityFeePerGas.map { $0 + " wei for a unit of gas" }),
            ("gas price", transaction.gasPrice.map { $0 + " wei" }),
            ("fee limit", transaction.feeMax + " wei"), ("data", transaction.data),
            ("unsigned", transaction.unsigned),
        ]
        return fields.compactMap { name, text in
            text.map { "  " + DisplayWidth.pad(name, to: 9) + "  " + $0 }
        }
    }
}
