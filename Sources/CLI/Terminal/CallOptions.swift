import ArgumentParser
import Client
import Foundation
import Setup
import Texts

/// The option that names a command's data folder.
struct FolderOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "The data folder. Defaults to $STOA_DATA, or ~/.stoa if that is not set.",
            valueName: "folder"
        ),
        completion: .directory
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

/// The options for calls to a node that are made as no account: which node, and the form of the
/// answer.
struct NodeOptions: ParsableArguments {
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
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Flag(help: "Print the answer as JSON, for programs.")
    var json = false

    @Flag(help: "Show amounts with all their digits, as --json does.")
    var allDigits = false
    @OptionGroup var folder: FolderOptions

    /// The same options for calls that name no account.
    var call: CallOptions {
        var call = CallOptions()
        (call.account, call.target) = (nil, self)
        return call
    }
}

/// The options for calls to a node: which node, as which account, and the form of the answer.
struct CallOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The account to act as: its name or address. Defaults to $STOA_ACCOUNT, then to the account "
                + "of 'stoa account use', then to the only one that is signed in.",
            valueName: "account"
        ),
        completion: CompletionValues.accounts
    )
    var account: String?
    @OptionGroup var target: NodeOptions

    var node: String? { target.node }
    var tokenFile: String? { target.tokenFile }
    var json: Bool { target.json }
    var allDigits: Bool { target.allDigits }
    var folder: FolderOptions { target.folder }
    var output: Output { Output(isJSON: json) }
    var sessions: SessionFolder { SessionFolder(data: folder.path) }

    /// Calls the node as a signed-in account.
    func asAccount(_ body: (StoaClient) async throws -> Void) async throws {
        guard let entry = try await session() else { throw nobody }
        try await inSession(entry, body)
    }

    /// Calls the node that issued a session, with its token: no other node may see it.
    ///
    /// - Throws: ``Failure`` if `--node` names another node, or if no node answers at the
    ///   session's address and the folder's node has another; and what `body` throws.
    func inSession(
        _ entry: SessionFolder.Entry,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        let name = entry.session.account.name
        let issuer = try NodeAddress(text: entry.node)
        if let node, try NodeAddress(text: node) != issuer {
            throw Failure(
                .notAllowed,
                "\(name) is signed in at \(entry.node), not at \(node). Sign in there first."
            )
        }
        try requireOwner(of: issuer)
        let acting = acting(as: entry)
        do {
            try await ActingAccount.$current.withValue(acting) {
                try await StoaClient.scoped(issuer, token: entry.session.token) { node in
                    try await withUnits(of: node, body)
                }
            }
        } catch let problem as Problem
            where problem.code == ProblemCode.unknownSale.rawValue && acting?.isNamed == false
        {
            throw Failure(
                .refused,
                "\(ProblemText.words(problem)) You act as \(acting?.text ?? name); --as names another "
                    + "account.",
                problem: problem.code
            )
        } catch ClientError.unreachable(issuer, let reason) {
            // A node at another port than before has ended its sessions.
            guard node == nil, let own = try? address(), own != issuer else {
                throw ClientError.unreachable(issuer, reason: reason)
            }
            throw Failure(
                .notAllowed,
                "\(name) was signed in at \(entry.node), where no node answers now. The node of this "
                    + "data folder is at \(own): sign in there with 'stoa account sign-in \(name)'."
            )
        }
    }

    /// Calls `body` with the currencies of the node's market at hand, see ``CurrencyUnits``.
    private func withUnits(
        of node: StoaClient,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        var units = try await CurrencyUnits.of(node)
        units.areWhole = json || allDigits
        let read = units.areWhole ? units : nil
        try await Sentence.$unitsRead.withValue(read) {
            try await CurrencyUnits.$current.withValue(units) { try await body(node) }
        }
    }

    /// The first step for a user who is not signed in.
    private var nobody: Failure {
        let data = DataFolder(path: folder.path)
        guard node == nil, !data.isInitialised else {
            return Failure(
                .notAllowed,
                "Nobody is signed in here. Run 'stoa account sign-in <name>' first."
            )
        }
        return Failure(
            .notAllowed,
            "There is no node in \(folder.path) yet, and nobody is signed in. Run 'stoa init --market "
                + "<file>', 'stoa node run' and 'stoa account create <name>' first."
        )
    }

    /// Calls the node as its operator, else as a signed-in account, else without a token.
    ///
    /// If `--as` names an account, calls it as that account.
    func asAnyone(
        withSession: Bool = true,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        if account == nil, let token = try operatorToken() {
            return try await asOperator(token, body)
        }
        let entry = withSession ? try await session() : nil
        guard let entry, try account != nil || isIssuer(of: entry) else {
            return try await StoaClient.scoped(try address()) { node in
                try await withUnits(of: node, body)
            }
        }
        try await inSession(entry, body)
    }

    /// Whether the called node issued the session.
    func isIssuer(of entry: SessionFolder.Entry) throws -> Bool {
        try node.map { try NodeAddress(text: $0) == NodeAddress(text: entry.node) } ?? true
    }

    /// Calls the node as the account of ``session()``, if there is one; else as
    /// ``asAnyone(withSession:_:)`` does.
    ///
    /// `body` gets the address of the account, or `nil`.
    func asReader(_ body: (StoaClient, String?) async throws -> Void) async throws {
        let found: SessionFolder.Entry?
        // Reading needs no account: without --as, one that cannot be chosen is none.
        do { found = try await session() } catch let failure as Failure
            where account == nil && failure.code != .failed
        {
            found = nil
        }
        guard let entry = found else {
            return try await asAnyone(withSession: false) { try await body($0, nil) }
        }
        do {
            try await inSession(entry) { try await body($0, entry.session.account.address) }
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
        try await asOperator(try operatorToken(), body)
    }

    private func asOperator(
        _ token: String?,
        _ body: (StoaClient) async throws -> Void
    ) async throws {
        do {
            try await StoaClient.scoped(try address(), token: token) { node in
                try await withUnits(of: node, body)
            }
        } catch let problem as Problem
            where token != nil && problem.code == ProblemCode.signInNeeded.rawValue
        {
            let file = tokenFile ?? DataFolder(path: folder.path).tokenFile
            let asked = try address()
            throw Failure(
                .notAllowed,
                "The node at \(asked) does not accept the token in \(file). Give the 'node.token' "
                    + "from its own data folder with --token-file.",
                problem: problem.code
            )
        }
    }

    /// Checks that a node answers, before a person is asked for a password.
    ///
    /// - Throws: ``ClientError`` if none does.
    func requireNode() async throws {
        do {
            try await StoaClient.scoped(try address()) { _ = try await $0.status() }
        } catch is Problem {
            // It answers, though it does not show its state to everyone.
        }
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
                try NodeAddress(text: node) == own,
                (try? PortOwner.require(own, of: folder.path)) != nil
            else { return nil }
        }
        // The folder may be missing or belong to another user; then there is no token.
        return try? data.operatorToken()
    }

    /// The address from `--node`, else that of the folder's node.
    ///
    /// - Throws: ``Failure`` if another user listens there instead of the folder's node.
    func address() throws -> NodeAddress {
        if let node { return try NodeAddress(text: node) }
        let own = try folderAddress()
        try requireOwner(of: own)
        return own
    }

    /// Refuses the address of a session if it is that of the folder's node and another user listens
    /// there; a folder without a node can be for the node of another user.
    func requireOwner(of issuer: NodeAddress) throws {
        guard node == nil, DataFolder(path: folder.path).isInitialised,
            (try? folderAddress()) == issuer
        else { return }
        try PortOwner.require(issuer, of: folder.path)
    }

    /// The address from the file that the running node wrote into its folder, else from the folder's
    /// configuration.
    private func folderAddress() throws -> NodeAddress {
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
        guard configuration.apiPort != 0 else {
            throw Failure(
                .network,
                "The node of \(folder.path) is not running. Start it with 'stoa node run', or name "
                    + "another one with --node."
            )
        }
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
            (try? PortOwner.require(node, of: path)) != nil,
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

extension ParsableCommand {
    /// Describes a command that has the type's name.
    ///
    /// ArgumentParser would make the same name of it, but slowly, and again at each use.
    static func command(_ abstract: String, discussion: String = "") -> CommandConfiguration {
        CommandConfiguration(
            commandName: String(String(describing: Self.self).inKebabCase.dropFirst()),
            abstract: abstract,
            discussion: discussion
        )
    }
}

extension String {
    /// The same name in kebab case: `shipTo` as `ship-to`.
    var inKebabCase: String {
        let letters = utf8.flatMap { letter in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
                ? [UInt8(ascii: "-"), letter | 0x20] : [letter]
        }
        return String(decoding: letters, as: UTF8.self)
    }
}

/// The options of a list that is returned in pages.
struct PageOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "How many to show, at most 100.") var limit = 20
    @Option(help: "Continue after a previous page: copy the value from its last line.")
    var after: String?
}

extension ArgumentHelp {
    /// A listing, however a person names it.
    static let listing: ArgumentHelp =
        "The listing: its id, the first digits of the id, or words from its title."
    /// A sale, however a person names it.
    static let sale: ArgumentHelp =
        "The sale: its id, the first digits of the id, or words from its listing's title."
    static let conversation: ArgumentHelp = """
        The conversation: its id, the first digits of the id, or the other side's name, which means \
        the newest one to show or to write in.
        """
    static let operation: ArgumentHelp = "The operation: its id, or the first digits of the id."
    static let work: ArgumentHelp =
        "The work: its identifier, the first digits of the identifier, or its name."
    static let account: ArgumentHelp = "The account's name or address."
}
