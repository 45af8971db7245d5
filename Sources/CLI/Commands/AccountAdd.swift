import ArgumentParser
import Client

extension AccountCommand {
    struct Add: LeafCommand {
        static let configuration = command(
            "Add an account whose key stays in a wallet outside the node, and sign in.",
            discussion: """
                Your wallet signs a statement that names this node; then the node asks it for each \
                signature ('stoa signature list'). The password protects what the node keeps for \
                the account. Such an account has no messages on this node.

                The command shows the statement and reads the signature from standard input. \
                Programs ask for the statement with --statement, and give --signature and \
                --valid-until.
                """
        )
        static let examples = [
            "account add anna --address 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        ]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: "The account's name on this node.") var name: String
        @Option(help: "Required. The account's address in your wallet.") var address: String
        @Flag(help: "Only show the statement that the wallet signs.") var statement = false
        @Option(help: "The wallet's signature of the statement: 0x and 130 digits.")
        var signature: String?
        @Option(help: "The statement's own time of expiry, in seconds since 1970.")
        var validUntil: UInt64?
        @OptionGroup var target: NodeOptions
        private var options: CallOptions { target.call }

        func validate() throws {
            guard (signature == nil) == (validUntil == nil) else {
                throw ValidationError("--signature and --valid-until go together.")
            }
            guard signature == nil || !statement else {
                throw ValidationError("Give --statement or --signature, not both.")
            }
        }

        func run() async throws {
            if statement {
                return try await options.asOperator { node in
                    try options.output.show(try await asked(node)) { $0.typedData }
                }
            }
            let password = try secret.read(isNew: true)
            try await options.asOperator { node in
                let (signature, validUntil) = try await signed(node)
                let creation = ExternalAccountCreation(
                    name: name,
                    address: address,
                    password: password,
                    validUntil: validUntil,
                    signature: signature
                )
                let account = try await node.addAccount(creation)
                try options.output.show(account) { "Account \($0.name): \($0.address)" }
                try await options.signIn(name, password, node)
            }
        }

        private func asked(_ node: StoaClient) async throws -> ExternalAccountStatement {
            try await node.statement(for: ExternalAccountRequest(name: name, address: address))
        }

        /// Returns the signature of the options, or shows the statement and reads it.
        private func signed(_ node: StoaClient) async throws -> (String, UInt64) {
            if let signature, let validUntil { return (signature, validUntil) }
            let statement = try await asked(node)
            options.output.note(statement.summary)
            options.output.note("Sign this typed data with your wallet (eth_signTypedData_v4):")
            options.output.note(statement.typedData)
            options.output.note("Then enter the signature:")
            guard let line = try StandardInput.line("The signature"), !line.isEmpty else {
                throw Failure(
                    .usage,
                    "Standard input contains no signature. Use --statement first, and then "
                        + "--signature and --valid-until."
                )
            }
            return (line, statement.validUntil)
        }
    }
}
