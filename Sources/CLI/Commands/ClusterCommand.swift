import ArgumentParser
import Client
import Cluster
import Foundation
import Logging

/// The command `stoa cluster …`.
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Run a whole market on this machine: a chain and several nodes.",
        subcommands: [ClusterUp.self, Status.self, Down.self, Start.self, Stop.self, Fund.self]
    )

    struct Status: LeafCommand {
        static let configuration = command("Show the status of all nodes.")
        static let examples = ["cluster status"]

        @OptionGroup var options: ClusterOptions
        @OptionGroup var form: OutputOptions

        func run() async throws {
            let report = await (try options.cluster()).report()
            try form.output.show(report, ClusterText.report)
        }
    }

    struct Down: LeafCommand {
        static let configuration = command("Stop the nodes and the chain. Their data is kept.")
        static let examples = ["cluster down"]

        @OptionGroup var options: ClusterOptions
        @OptionGroup var form: OutputOptions

        func run() async throws {
            try await options.cluster().down()
            try form.output.show(["isUp": false]) { _ in "The cluster is down." }
        }
    }

    struct Start: LeafCommand {
        static let configuration = command("Start one stopped node.")
        static let examples = ["cluster start 2"]

        @Argument(help: "The node's number, from 1.") var node: Int
        @OptionGroup var options: ClusterOptions
        @OptionGroup var form: OutputOptions

        func run() async throws {
            try await options.cluster().start(node)
            try form.output.show(["isUp": true]) { _ in "Node \(node) is up." }
        }
    }

    struct Stop: LeafCommand {
        static let configuration = command("Stop one node.")
        static let examples = ["cluster stop 2"]

        @Argument(help: "The node's number, from 1.") var node: Int
        @OptionGroup var options: ClusterOptions
        @OptionGroup var form: OutputOptions

        func run() async throws {
            let ran = try await options.cluster().stop(node)
            try form.output.show(["wasUp": ran]) { _ in
                ran ? "Node \(node) is stopped." : "Node \(node) was not running."
            }
        }
    }

    struct Fund: LeafCommand {
        static let configuration = command("Send an account play money from the development chain.")
        static let examples = ["cluster fund anna --ether 10"]

        @Argument(
            help: "The account: its address, or its name on your node or on a node of the cluster."
        )
        var account: String
        @Option(
            parsing: .unconditional,
            help: "The amount of ETH, 1 to 1000000. Defaults to 10 if --tokens is not given."
        )
        var ether: UInt64?
        @Option(
            parsing: .unconditional,
            help: "The number of units of the test token, 1 to 1000000."
        )
        var tokens: UInt64?
        @OptionGroup var options: ClusterOptions
        @OptionGroup var form: OutputOptions
        @OptionGroup var data: FolderOptions

        func run() async throws {
            let own = await data.address(ofAccount: account)
            let cluster = try options.cluster()
            var funded: [Funded] = []
            if let ether = ether ?? (tokens == nil ? 10 : nil) {
                let address = try await cluster.fund(own ?? account, ether: ether)
                funded.append(Funded(account: address, amount: ether, unit: "ETH"))
            }
            if let tokens {
                let address = try await cluster.fund(own ?? account, tokens: tokens)
                funded.append(Funded(account: address, amount: tokens, unit: "TST"))
            }
            try form.output.show(funded) { $0.map(text).joined(separator: "\n") }
        }

        /// Play money that an account has received.
        private struct Funded: Encodable {
            let account: String
            let amount: UInt64
            let unit: String
        }

        private func text(_ funded: Funded) -> String {
            let name = funded.account == account ? "" : " (\(account))"
            return "\(funded.account)\(name) received \(funded.amount) \(funded.unit)."
        }
    }
}

/// The command `stoa cluster up`.
struct ClusterUp: LeafCommand {
    static let configuration = CommandConfiguration(
        commandName: "up",
        abstract: "Start a chain, deploy the contracts and start nodes that find each other."
    )
    static let examples = ["cluster up --nodes 2"]

    @Option(
        parsing: .unconditional,
        help: """
            The number of nodes, 1 to 32. Defaults to the cluster's current number, or 3 for a new \
            cluster.
            """
    )
    var nodes: Int?
    @Option(help: "The command that starts a development chain; --port and --state are added.")
    var chainCommand: String?
    @Option(help: "URL of an endpoint of a running chain, to use instead of a new one.")
    var rpc: String?
    @Option(parsing: .unconditional, help: "The running chain's id.")
    var chainId: UInt64 = 31_337
    @Option(
        help: "A file (mode 0600) with the private key that pays for deploying the contracts.",
        completion: .file()
    )
    var keyFile: String?
    @Flag(help: "Deploy a market that also accepts a token of play money, Test Dollar (TST).")
    var testToken = false
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var options: ClusterOptions
    @OptionGroup var form: OutputOptions

    func validate() throws {
        if rpc != nil, testToken {
            throw ValidationError(
                "--test-token is for a chain that the cluster starts; leave it out with --rpc."
            )
        }
        if rpc != nil, chainCommand != nil {
            throw ValidationError("Give --rpc or --chain-command, not both.")
        }
        if rpc != nil, keyFile == nil {
            throw ValidationError("--rpc needs --key-file, the key that pays for the contracts.")
        }
    }

    func run() async throws {
        var cluster = try await Cluster(
            folder: options.path,
            nodes: nodes,
            executable: ClusterOptions.executable,
            chain: source,
            logger: options.logger
        )
        cluster.hasTestToken = testToken
        let output = form.output
        try await cluster.up(
            agree: { preview in
                try consent.obtain(for: "Deploy the market?", showing: preview, asJSON: form.json)
            },
            tell: { output.note($0) }
        )
        try form.output.show(await cluster.report(), ClusterText.report)
    }

    private var source: Cluster.ChainSource? {
        if let rpc, let keyFile { return .endpoint(rpc, chain: chainId, keyFile: keyFile) }
        if let chainCommand {
            return .command(chainCommand.split(separator: " ").map(String.init))
        }
        let folder = URL(filePath: "").standardizedFileURL.path
        let python = folder + "/.venv/bin/python"
        let script = folder + "/Scripts/devchain/main.py"
        // The current folder can be anyone's: programs that others may have put there are not run.
        let isThere = [python, script].allSatisfy { OwnPath.isTrusted($0, from: folder) }
        return isThere ? .command([python, script, "--block-time", "1"]) : nil
    }
}

/// The option that names a cluster's folder.
struct ClusterOptions: ParsableArguments {
    @Option(help: "The cluster's folder.", completion: .directory)
    var folder = ".cluster"

    var path: String { URL(filePath: folder).standardizedFileURL.path }

    /// Logs warnings and errors to standard error.
    var logger: Logger {
        var logger = Logger(label: "stoa.cluster") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        return logger
    }

    /// The path of this program, which the cluster runs for its nodes.
    static var executable: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    }

    func cluster() throws -> Cluster {
        try Cluster(folder: path, executable: Self.executable, logger: logger)
    }
}

/// Formats the status of a cluster as text.
enum ClusterText {
    static func report(_ report: ClusterReport) -> String {
        var table = TextTable("node", "api", "peers", "records", "chain head", "peer id", "data")
        for member in report.members {
            guard let status = member.status else {
                let state = member.process == nil ? "stopped" : "silent"
                table.add("\(member.number)", member.api, "", "", "", state, member.data)
                continue
            }
            let heads = status.chains.map { chain in
                let head = chain.head.map(String.init) ?? "none"
                return chain.health == "ready" ? head : "\(head) (\(chain.health))"
            }
            table.add(
                "\(member.number)",
                member.api,
                "\(status.peers)",
                "\(status.records)",
                heads.joined(separator: " "),
                status.peer,
                member.data
            )
        }
        let chain = report.isChainUp ? "up" : "down"
        return "chain \(report.chain) is \(chain) at \(report.endpoint)\n" + table.text(orElse: "")
    }
}
