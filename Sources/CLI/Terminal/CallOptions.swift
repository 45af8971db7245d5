import ArgumentParser
import Client
import Foundation
import Node

/// Which data folder a command is about.
struct FolderOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The data folder; else that in STOA_DATA, else .stoa in your home.",
            valueName: "folder"
        )
    )
    var folder: String?

    /// The flag, else `STOA_DATA`, else `.stoa` in the person's home.
    var path: String {
        let named = ProcessInfo.processInfo.environment["STOA_DATA"] ?? ""
        let path = folder ?? (named.isEmpty ? NSHomeDirectory() + "/.stoa" : named)
        return URL(filePath: path).standardizedFileURL.path
    }

    func validate() throws {
        guard folder != "" else { throw ValidationError("--data names no folder.") }
    }
}

/// Which node a command asks, in whose name, and how it answers.
struct CallOptions: ParsableArguments {
    @OptionGroup var folder: FolderOptions

    @Option(
        name: .customLong("node"),
        help: ArgumentHelp("The node's API, where not that of the data folder.", valueName: "url")
    )
    var node: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The account that asks, where several are signed in.", valueName: "name")
    )
    var account: String?

    @Flag(help: "Answer in JSON, for programs.")
    var json = false

    var output: Output { Output(isJSON: json) }
    var sessions: SessionFolder { SessionFolder(data: folder.path) }

    /// Asks as a signed-in account.
    func asAccount(_ body: (StoaClient) async throws -> Void) async throws {
        guard let entry = try sessions.session(of: account) else {
            throw Failure(
                .notAllowed,
                "Nobody is signed in here. Run 'stoa account sign-in <name>' first."
            )
        }
        try await StoaClient.scoped(try address(), token: try sessionToken(of: entry), body)
    }

    /// A session's token, which goes to the node that gave it and to no other.
    private func sessionToken(of entry: SessionFolder.Entry) throws -> String {
        guard let node, try NodeAddress(text: node).description != entry.node else {
            return entry.session.token
        }
        throw Failure(
            .notAllowed,
            "\(entry.session.account.name) is signed in at \(entry.node), not at \(node). Sign in "
                + "there first."
        )
    }

    /// Asks as a signed-in account, else as the node's operator, else as a stranger.
    func asAnyone(_ body: (StoaClient) async throws -> Void) async throws {
        // The token in the folder is that of the folder's own node.
        let operatorToken =
            node == nil ? try? DataFolder(path: folder.path).operatorToken() : nil
        let token =
            if account == nil, let operatorToken { operatorToken as String? } else {
                try sessions.session(of: account).map { try sessionToken(of: $0) }
            }
        try await StoaClient.scoped(try address(), token: token, body)
    }

    /// Asks as nobody in particular.
    func asStranger(_ body: (StoaClient) async throws -> Void) async throws {
        try await StoaClient.scoped(try address(), body)
    }

    /// The flag, else what the running node wrote into its folder, else its configuration.
    func address() throws -> NodeAddress {
        if let node { return try NodeAddress(text: node) }
        let folder = DataFolder(path: folder.path)
        if let data = FileManager.default.contents(atPath: folder.addressFile) {
            do {
                let running = try WireCoding.decoder().decode(RunningNode.self, from: data)
                return try NodeAddress(text: running.api)
            } catch {
                throw Failure(
                    .failed,
                    "\(folder.addressFile) is not as a node wrote it. Remove it and start the node "
                        + "again."
                )
            }
        }
        let configuration = try Configuration(
            ConfigurationSources(
                flags: [:],
                environment: ProcessInfo.processInfo.environment,
                file: folder.configurationFile
            )
        )
        return NodeAddress(host: configuration.apiHost, port: configuration.apiPort)
    }
}
