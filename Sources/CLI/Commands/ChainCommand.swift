import ArgumentParser
import Client
import Cluster
import Foundation
import Logging
import Trade

/// The command `stoa chain …`.
struct ChainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chain",
        abstract: "Show the node's chains, and deploy the market's contracts.",
        subcommands: [Status.self, Deploy.self, Descriptors.self]
    )

    struct Status: LeafCommand {
        static let configuration = command(
            "Show the node's chains: state, currency and the addresses of the contracts."
        )
        static let examples = ["chain status"]

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAnyone { node in
                try options.output.show(try await node.chains()) { chains in
                    chains.isEmpty
                        ? "This node has no chain."
                        : chains.map(Self.text).joined(separator: "\n")
                }
            }
        }

        /// Formats a chain, with the addresses of its contracts in one column.
        static func text(_ chain: ChainStatus) -> String {
            let contracts = [("item", chain.item)] + chain.contracts.map { ($0.kind, $0.address) }
            let width = (contracts.map { DisplayWidth.of($0.0) }.max() ?? 0) + 2
            let lines = contracts.map { "  " + DisplayWidth.pad($0, to: width) + $1 }
            return ([NodeText.chain(chain)] + about(chain) + lines).joined(separator: "\n")
        }

        /// Formats the chain's currency, how fees are stated in it, and its explorer.
        private static func about(_ chain: ChainStatus) -> [String] {
            let symbol = chain.native.map { "currency \($0.symbol ?? "native")" }
            let fees = chain.fees.map { "fees \($0)" }
            let final = chain.confirmations.map { "final after \($0) blocks" }
            let line = [symbol, fees, final].compactMap(\.self).joined(separator: ", ")
            let explorer = chain.explorer.map { "  explorer " + $0 }
            return (line.isEmpty ? [] : ["  " + line]) + [explorer].compactMap(\.self)
        }
    }

    struct Deploy: LeafCommand {
        static let configuration = command(
            "Deploy the market's contracts. Run it again to continue after a failure."
        )
        static let examples = [
            "chain deploy --rpc http://127.0.0.1:8545 --chain-id 31337 --key-file payer.key"
        ]

        @Option(
            help: "Required. URL of a chain endpoint. Can be repeated; the preferred one first."
        )
        var rpc: [String]
        @Option(
            parsing: .unconditional,
            help: "Required. The chain's id. It must be the one that the endpoint reports."
        )
        var chainId: UInt64
        @Option(
            help: """
                A file (mode 0600) with headers that carry the endpoints' API keys, one per line, \
                such as 'rpc.example x-api-key: 1234'; a single endpoint needs no host.
                """,
            completion: .file()
        )
        var rpcHeadersFile: String?
        @Option(
            help:
                "Required. A file (mode 0600) with the private key that pays the fees, in hexadecimal.",
            completion: .file()
        )
        var keyFile: String
        @Option(help: "The deployment file to write, for the setting chain.deployment.")
        var output = "deployment.json"
        @Option(
            parsing: .unconditional,
            help: "The platform's share of each sale, such as 2%; at most 5%."
        )
        var platformFee = ShareText(basisPoints: 200)
        @Option(
            parsing: .unconditional,
            help: "The maker's share of each resale, such as 2%; at most 10%."
        )
        var makerFee = ShareText(basisPoints: 200)
        @Option(
            name: .customLong("token"),
            help: """
                The address of an ERC-20 token that sales can use besides the chain's own currency. \
                Can be repeated.
                """
        )
        var tokens: [String] = []
        @Option(parsing: .unconditional, help: "Blocks until a step is confirmed, 1 to 64.")
        var confirmations: UInt64 = 3
        @Option(
            parsing: .unconditional,
            help: "The minimum tip in gwei, such as 0.05; 0 is the chain's usual one."
        )
        var tipFloorGwei = "0"
        @Flag(
            help: """
                Continue although another program has used the key. A step whose nonce is used \
                gets a new nonce; a step whose nonce belongs to a pending transaction replaces \
                that transaction.
                """
        )
        var keyUsedElsewhere = false
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var form: OutputOptions

        func validate() throws {
            guard ChainDeploy.tip(gwei: tipFloorGwei) != nil else {
                throw ValidationError(
                    "--tip-floor-gwei is gwei with at most nine decimals, such as 0.05 or 25."
                )
            }
        }

        func run() async throws {
            var deploy = ChainDeploy(
                chain: chainId,
                endpoints: rpc,
                keyFile: keyFile,
                output: URL(filePath: output).standardizedFileURL.path
            )
            deploy.platformBasisPoints = platformFee.basisPoints
            deploy.makerBasisPoints = makerFee.basisPoints
            deploy.confirmations = confirmations
            deploy.tokens = tokens
            if let rpcHeadersFile {
                deploy.endpointHeaders = try SecretFile(rpcHeadersFile).text()
                    .split(whereSeparator: \.isNewline)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                    .filter { !$0.isEmpty }
            }
            if let tip = ChainDeploy.tip(gwei: tipFloorGwei) { deploy.tipMin = tip }
            deploy.acknowledgesForeignUse = keyUsedElsewhere
            let written = try await deploy.run(
                logger: Logger(label: "stoa.deploy"),
                agree: { preview in
                    try consent.obtain(
                        for: "Deploy the market?",
                        showing: preview,
                        asJSON: form.json
                    )
                }
            )
            let made = Deployed(
                file: deploy.output,
                contracts: Dictionary(
                    written.contractNames.map { ($0.name, $0.address) },
                    uniquingKeysWith: { one, _ in one }
                )
            )
            try form.output.show(made) { _ in
                let width = (written.contractNames.map { DisplayWidth.of($0.0) }.max() ?? 0) + 2
                let lines = written.contractNames.map { DisplayWidth.pad($0, to: width) + $1 }
                return (lines + ["written " + output]).joined(separator: "\n")
            }
        }

        /// The answer for programs.
        private struct Deployed: Encodable {
            /// The deployment file.
            let file: String
            /// The addresses of the contracts by their names.
            let contracts: [String: String]
        }
    }

    struct Descriptors: LeafCommand {
        static let configuration = command(
            """
            Write the ERC-7730 files with which hardware wallets describe calls in words.
            """
        )
        static let examples = ["chain descriptors --deployment market/deployment.json"]

        @Option(
            help: "The market's deployment file, as 'stoa chain deploy' wrote it.",
            completion: .file()
        )
        var deployment = "deployment.json"
        @Option(help: "The folder for the files. It is created if it does not exist.")
        var output = "descriptors"

        func run() async throws {
            let folder = URL(filePath: output).standardizedFileURL.path
            let path = URL(filePath: deployment).standardizedFileURL.path
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw ValidationError("'\(deployment)' cannot be read: name the market's file.")
            }
            for name in try WalletDescriptors(deployment: path, folder: folder).write() {
                Terminal.print("written " + output + "/" + name)
            }
        }
    }
}
