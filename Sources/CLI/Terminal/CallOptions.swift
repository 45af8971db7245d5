import ArgumentParser
import Client
import Foundation
import Node

/// The option that names a command's data folder.
struct FolderOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The data folder. Defaults to $STOA_DATA, or ~/.stoa if that is not set.",
            valueName: "folder"
        )
    )
    var folder: String?

    /// The flag, else `STOA_DATA`, else `.stoa` in the person's home.
    var path: String {
        let environment = ProcessInfo.processInfo.environment
        func setting(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        // Like a shell's `~`, this is HOME; the system's table of users is asked only without it.
        let home = setting("HOME") ?? NSHomeDirectory()
        let path = folder ?? setting("STOA_DATA") ?? home + "/.stoa"
        return URL(filePath: path).standardizedFileURL.path
    }

    func validate() throws {
        guard folder != "" else { throw ValidationError("--data is empty. Name a folder.") }
    }
}

/// The options for calls to a node: which node, as which account, and the form of the answer.
struct CallOptions: ParsableArguments {
    @OptionGroup var folder: FolderOptions

    @Option(
        name: .customLong("node"),
        help: ArgumentHelp(
            "The node to use, as http://host:port. Defaults to the node of the data folder.",
            valueName: "url"
        )
    )
    var node: String?

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "A file (mode 0600) with the node's operator token. Defaults to the data folder's.",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The account to act as, if several are signed in: its name or address.",
            valueName: "account"
        )
    )
    var account: String?

    @Flag(help: "Print the answer as JSON, for programs.")
    var json = false

    var output: Output { Output(isJSON: json) }
    var sessions: SessionFolder { SessionFolder(data: folder.path) }

    /// Calls the node as a signed-in account.
    func asAccount(_ body: (StoaClient) async throws -> Void) async throws {
        guard let entry = try sessions.session(of: account) else {
            throw Failure(
                .notAllowed,
                "Nobody is signed in here. Run 'stoa account sign-in <name>' first."
            )
        }
        try await StoaClient.scoped(try address(), token: try sessionToken(of: entry)) { node in
            try await Self.withUnits(of: node, body)
        }
    }

    /// Calls `body` with the currencies of the node's market at hand, see ``CurrencyUnits``.
    private static func withUnits(
        of node: StoaClient,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        try await CurrencyUnits.$current.withValue(await .of(node)) { try await body(node) }
    }

    /// Returns a session's token, unless `--node` names another node than the one that issued it.
    ///
    /// - Throws: ``Failure`` if it does: no node may see the token of another.
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

    /// Calls the node as its operator, else as a signed-in account, else without a token.
    ///
    /// If `--as` names an account, calls it as that account.
    func asAnyone(
        withSession: Bool = true,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        let token =
            if account == nil, let operatorToken = try operatorToken() {
                operatorToken as String?
            } else if !withSession {
                nil as String?
            } else {
                try sessions.session(of: account).map { try sessionToken(of: $0) }
            }
        try await StoaClient.scoped(try address(), token: token) { node in
            try await Self.withUnits(of: node, body)
        }
    }

    /// Calls the node as the signed-in account if there is one only, or `--as` names it; else as
    /// ``asAnyone(withSession:_:)`` does.
    ///
    /// `body` gets the address of the account, or `nil`.
    func asReader(_ body: (StoaClient, String?) async throws -> Void) async throws {
        if account == nil, try sessions.count != 1 {
            return try await asAnyone { try await body($0, nil) }
        }
        guard let entry = try sessions.session(of: account) else {
            return try await asAnyone { try await body($0, nil) }
        }
        do {
            let token = try sessionToken(of: entry)
            try await StoaClient.scoped(try address(), token: token) { node in
                try await Self.withUnits(of: node) {
                    try await body($0, entry.session.account.address)
                }
            }
        } catch let problem as Problem
            where account == nil && problem.code == ProblemCode.signInNeeded.rawValue
        {
            // The session has ended. On the node's own machine reading needs no session.
            try await asAnyone(withSession: false) { try await body($0, nil) }
        } catch let failure as Failure where account == nil && failure.code == .notAllowed {
            // The session is with another node.
            try await asAnyone(withSession: false) { try await body($0, nil) }
        }
    }

    /// Calls the node as its operator if the token can be read, else without a token.
    func asOperator(_ body: (StoaClient) async throws -> Void) async throws {
        try await StoaClient.scoped(try address(), token: try operatorToken(), body)
    }

    /// The operator's token: from `--token-file`, else from the data folder.
    ///
    /// The data folder's token is sent to the node of that folder only; `nil` for another node.
    private func operatorToken() throws -> String? {
        if let tokenFile { return try SecretFile(tokenFile).firstLine() }
        let data = DataFolder(path: folder.path)
        if let node {
            let running = try? RunningNode(of: data)
            guard let own = running.flatMap({ try? NodeAddress(text: $0.api) }),
                try NodeAddress(text: node) == own
            else { return nil }
        }
        // The folder may be missing or belong to another user; then there is no token.
        return try? data.operatorToken()
    }

    /// The address from `--node`, else from the file that the running node wrote into its folder,
    /// else from the folder's configuration.
    func address() throws -> NodeAddress {
        if let node { return try NodeAddress(text: node) }
        let folder = DataFolder(path: folder.path)
        do {
            if let running = try RunningNode(of: folder) {
                return try NodeAddress(text: running.api)
            }
        } catch {
            throw Failure(
                .failed,
                "\(folder.addressFile) is damaged. Remove it and start the node again."
            )
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

extension FolderOptions {
    /// Returns the address of an account of the folder's node; `nil` if the node has no account of
    /// that name, or does not run.
    func address(ofAccount name: String) async -> String? {
        let data = DataFolder(path: path)
        guard let running = try? RunningNode(of: data), let token = try? data.operatorToken(),
            let node = try? NodeAddress(text: running.api),
            let accounts = try? await StoaClient.scoped(
                node,
                token: token,
                { node in
                    try await node.accounts()
                }
            )
        else { return nil }
        return accounts.first { $0.name.lowercased() == name.lowercased() }?.address
    }
}

extension RunningNode {
    /// Reads the file that a running node writes into its folder; `nil` if there is none.
    fileprivate init?(of folder: DataFolder) throws {
        guard let data = FileManager.default.contents(atPath: folder.addressFile) else {
            return nil
        }
        self = try WireCoding.decoder().decode(RunningNode.self, from: data)
    }
}
