import ArgumentParser
import Client
import Foundation
import Node

/// Which data folder a command is about.
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
        help: ArgumentHelp(
            "Address of the node to ask, if it is not the one of the data folder.",
            valueName: "url"
        )
    )
    var node: String?

    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "The operator's token of that node, in a file for its owner alone (mode 0600).",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Which account to act as, if several are signed in.", valueName: "name")
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

    /// Asks as the node's operator, else as a signed-in account, else as nobody.
    ///
    /// Where an account is named, as that account.
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
        try await StoaClient.scoped(try address(), token: token, body)
    }

    /// Asks as the account that is signed in, if it is clear which; else as the operator.
    ///
    /// `body` is told the account's address.
    func asReader(_ body: (StoaClient, String?) async throws -> Void) async throws {
        if account == nil, try sessions.count != 1 {
            return try await asAnyone { try await body($0, nil) }
        }
        guard let entry = try sessions.session(of: account) else {
            return try await asAnyone { try await body($0, nil) }
        }
        do {
            let token = try sessionToken(of: entry)
            try await StoaClient.scoped(try address(), token: token) {
                try await body($0, entry.session.account.address)
            }
        } catch let problem as Problem
            where account == nil && problem.code == ProblemCode.signInNeeded.rawValue
        {
            // The session is over; reading needs none on the node's own machine.
            try await asAnyone(withSession: false) { try await body($0, nil) }
        } catch let failure as Failure where account == nil && failure.code == .notAllowed {
            // The session is with another node.
            try await asAnyone(withSession: false) { try await body($0, nil) }
        }
    }

    /// Asks as the node's operator, where its token can be read, else as nobody.
    func asOperator(_ body: (StoaClient) async throws -> Void) async throws {
        try await StoaClient.scoped(try address(), token: try operatorToken(), body)
    }

    /// The token of the node that is asked: that of the file named, else the folder's, which is
    /// told to no node but the folder's own.
    private func operatorToken() throws -> String? {
        if let tokenFile { return try SecretFile(tokenFile).firstLine() }
        let data = DataFolder(path: folder.path)
        if let node {
            let running = try? RunningNode(of: data)
            guard let own = running.flatMap({ try? NodeAddress(text: $0.api) }),
                try NodeAddress(text: node) == own
            else { return nil }
        }
        // A folder of somebody else, or none: then as who has no token.
        return try? data.operatorToken()
    }

    /// The flag, else what the running node wrote into its folder, else its configuration.
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
                "\(folder.addressFile) is not as a node wrote it. Remove it and start the node "
                    + "again."
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
    /// The address of an account of the folder's node; `nil` if none of that name is there, or no
    /// node runs.
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
    /// What the running node wrote into its folder; `nil` if none runs there.
    fileprivate init?(of folder: DataFolder) throws {
        guard let data = FileManager.default.contents(atPath: folder.addressFile) else {
            return nil
        }
        self = try WireCoding.decoder().decode(RunningNode.self, from: data)
    }
}
