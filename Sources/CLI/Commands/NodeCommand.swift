import ArgumentParser
import Client
import Concurrency
import Foundation
import Logging
import Node
import Setup
import Texts

/// The command `stoa node …`.
struct NodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "node",
        abstract: "Run a node, and show its status.",
        subcommands: [Run.self, Page.self, Status.self]
    )

    struct Run: LeafCommand {
        static let configuration = command(
            "Run the node of a data folder until SIGTERM or SIGINT (Ctrl-C) stops it.",
            discussion: "SIGHUP has no effect: restart the node to reload its settings."
        )
        static let examples = ["node run", "node run --set api.port=8090"]

        @OptionGroup var settings: SettingsOptions

        /// Said by a node in no market: it trades nothing.
        static let noMarket =
            "node is in no market: 'stoa init --market FILE' makes a folder that joins one"

        func run() async throws {
            // A terminal that closes ends no node.
            _ = signal(SIGHUP, SIG_IGN)
            let configuration = try settings.configuration()
            let level = configuration.logLevel
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardOutput(label: label)
                handler.logLevel = level
                return handler
            }
            let folder = DataFolder(path: settings.folder.path)
            let logger = Logger(label: "stoa")
            if let copiedAt = folder.copiedAt {
                logger.warning(
                    "this folder is a copy; the node it was copied from must not run again",
                    metadata: ["copied": "\(TimeText.text(copiedAt))"]
                )
            }
            let node = NodeProcess(folder: folder, configuration: configuration, logger: logger)
            try await node.run { running in
                folder.forgetCopying()
                logger.notice("the page is open", metadata: ["address": "\(running.api)/"])
                guard !configuration.chains.contains(where: \.isFollowed) else { return }
                logger.notice("\(Self.noMarket)")
            }
        }
    }

    struct Page: LeafCommand {
        static let configuration = command(
            "Print a link that opens the node's page as its operator.",
            discussion: "The link works once, and within a minute."
        )
        static let examples = ["node page"]

        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asOperator { node in
                let code = try await node.pageCode()
                // No server and no log sees what stands behind the mark.
                try options.output.show(code) { "\(node.node)/#code=\($0.code)" }
            }
        }
    }

    struct Status: LeafCommand {
        static let configuration = command("Show the node's addresses, peers, records and chain.")
        static let examples = ["node status", "node status --watch"]

        @Flag(help: "Refresh the output every second until interrupted.") var watch = false
        @OptionGroup var options: CallOptions

        func run() async throws {
            try await options.asAnyone { node in
                repeat {
                    try options.output.show(try await node.status(), NodeText.status)
                    if watch { try await SystemMonotonicClock().wait(.seconds(1)) }
                } while watch
            }
        }
    }
}

/// Formats the status of nodes and chains as text.
enum NodeText {
    static func status(_ status: NodeStatus) -> String {
        var lines = [
            "version   " + status.version, "network   " + status.network,
            "peer      " + status.peer,
            "listens   " + status.listenAddresses.joined(separator: " "),
            "peers     \(status.peers)", "records   \(status.records)",
        ]
        let nobody = Sentence("node.noReports").detail
        lines.append("reports   " + (status.reportsTo.map { "to \($0)" } ?? nobody))
        if let warnings = status.clock?.warnings, !warnings.isEmpty {
            lines.append("clock     " + warnings.detail)
        }
        if let warning = status.storeWarning { lines.append("store     \(warning)") }
        lines += status.chains.map { "chain     " + chain($0) }
        return lines.joined(separator: "\n")
    }

    static func chain(_ chain: ChainStatus) -> String {
        let head = chain.head.map { "head \($0)" } ?? "no head yet"
        let time = chain.headTime.map { " of " + TimeText.text($0) } ?? ""
        let detail = chain.detail.map { ": " + $0 } ?? ""
        let first = "\(chain.chain) \(chain.health)\(detail), \(head)\(time)"
        return ([first] + chain.warnings.map(\.detail)).joined(separator: "\n          ")
    }
}
