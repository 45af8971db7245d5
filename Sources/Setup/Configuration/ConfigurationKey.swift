/// A setting, with its default.
///
/// `Scripts/generate-tables` writes the table of settings from these. Source: Docs/operations.md,
/// section 2.
package struct ConfigurationKey: Hashable, Sendable {
    /// The form of a setting's text.
    package enum Kind: Hashable, Sendable {
        case text
        case texts
        case number(ClosedRange<Int>)
    }

    /// Its name in `stoa.yaml`, with parts joined by dots.
    ///
    /// In the environment, the name is `STOA_` and the parts in capitals, joined by underscores.
    package let name: String
    package let kind: Kind
    /// The default; elements of a list are joined by commas.
    package let standard: String
    package let about: String

    init(_ name: String, _ kind: Kind, _ standard: String, _ about: String) {
        (self.name, self.kind, self.standard, self.about) = (name, kind, standard, about)
    }
}

extension ConfigurationKey {
    /// Its name in the environment, such as `STOA_CHAIN_POLL_MILLISECONDS`.
    package var environmentName: String {
        let parts = name.split(separator: ".").map { part in
            part.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        }
        return (["STOA"] + parts).joined(separator: "_")
    }

    static let network = ConfigurationKey(
        "network",
        .text,
        "stoa",
        "Keeps networks apart; records of another are refused."
    )
    package static let listen = ConfigurationKey(
        "listen",
        .texts,
        "/ip4/0.0.0.0/tcp/4001",
        "Where peers reach this node (multiaddrs)."
    )
    package static let announce = ConfigurationKey(
        "announce",
        .texts,
        "",
        "The addresses that this node announces, if they differ from listen."
    )
    package static let bootstrap = ConfigurationKey(
        "bootstrap",
        .texts,
        "",
        "Peers to dial first (multiaddrs with /p2p/<peer id>)."
    )
    static let gossipPolicy = ConfigurationKey(
        "gossip.policy",
        .text,
        "strict-no-sign",
        "strict-no-sign, or strict-sign for networks with other implementations."
    )
    static let homesAccept = ConfigurationKey(
        "homes.accept",
        .text,
        "none",
        "Who may make this node a home for mail: none or anyone."
    )
    static let homesDays = ConfigurationKey(
        "homes.days",
        .number(1...365),
        "90",
        "How long a home's lease lasts, in days."
    )
    static let reportsAccount = ConfigurationKey(
        "reports.account",
        .text,
        "",
        "The address of the account that gets the reports of this node's accounts; empty for none."
    )
    static let recordsStampTries = ConfigurationKey(
        "records.stampTries",
        .number(1...1_073_741_824),
        "131072",
        "The work of a stamp, in tries for each KiB; the same on all nodes of a network."
    )
    static let apiHost = ConfigurationKey(
        "api.host",
        .text,
        "127.0.0.1",
        "The address the API listens on."
    )
    package static let apiPort = ConfigurationKey(
        "api.port",
        .number(0...65_535),
        "8080",
        "The API's port; 0 takes a free one."
    )
    static let apiOrigins = ConfigurationKey(
        "api.origins",
        .texts,
        "",
        "Web origins and hosts besides this machine's own that may call the API."
    )
    static let apiOpenAccountsPerHour = ConfigurationKey(
        "api.openAccountsPerHour",
        .number(0...1_000),
        "0",
        "New accounts an hour from other machines without the operator's token; 0 allows none."
    )
    static let pageFolder = ConfigurationKey(
        "page.folder",
        .text,
        "",
        "A folder with the page's files, served instead of those in the program; empty for none."
    )
    package static let healthPort = ConfigurationKey(
        "health.port",
        .number(0...65_535),
        "9090",
        "The port of /livez, /readyz and /metrics; 0 takes a free one."
    )
    static let chainID = ConfigurationKey(
        "chain.id",
        .number(1...Int.max),
        "1",
        "The chain's id, checked against the endpoint's."
    )
    static let chainEndpoints = ConfigurationKey(
        "chain.rpc",
        .texts,
        "",
        "The chain's endpoints (ws, wss, http or https), the preferred first."
    )
    static let chainEndpointPaces = ConfigurationKey(
        "chain.rpcPerSecond",
        .texts,
        "0",
        "Maximum calls a second: one number for all of chain.rpc, or one for each; 0: no limit."
    )
    static let chainEndpointHeaders = ConfigurationKey(
        "chain.rpc.headers",
        .texts,
        "",
        "Headers with keys for chain.rpc, each as 'HOST NAME: VALUE'; one endpoint needs no HOST."
    )
    static let chainDeployment = ConfigurationKey(
        "chain.deployment",
        .text,
        "",
        "The file that 'stoa chain deploy' wrote: the market's contracts."
    )
    static let chainConfirmations = ConfigurationKey(
        "chain.confirmations",
        .number(1...64),
        "3",
        "How many blocks make an event final."
    )
    static let chainPollMilliseconds = ConfigurationKey(
        "chain.pollMilliseconds",
        .number(50...60_000),
        "1000",
        "How often the node asks for the head."
    )
    static let chainStaleSeconds = ConfigurationKey(
        "chain.staleSeconds",
        .number(2...86_400),
        "120",
        "The time without a new block after which the chain counts as stale."
    )
    static let chainFeeCeilingGwei = ConfigurationKey(
        "chain.feeCeilingGwei",
        .number(0...1_000_000_000),
        "0",
        "Maximum price of a unit of gas; above it, transactions wait. 0: the chain's usual limit."
    )
    static let chainTipCeilingGwei = ConfigurationKey(
        "chain.tipCeilingGwei",
        .number(0...1_000_000_000),
        "0",
        "Maximum tip, unless the base fee is more. 0: the chain's usual limit."
    )
    static let chainTipFloorGwei = ConfigurationKey(
        "chain.tipFloorGwei",
        .text,
        "0",
        "Minimum tip, such as 0.05, if pools refuse less. 0: the chain's usual one."
    )
    static let chainExplorer = ConfigurationKey(
        "chain.explorer",
        .text,
        "",
        "The page of a transaction: a URL with {transaction} instead of its hash."
    )
    static let deadlinesExecute = ConfigurationKey(
        "deadlines.execute",
        .text,
        "yes",
        "Whether to make the moves that deadlines open for unlocked accounts, or those that have left them to the node: yes or no."
    )
    static let deadlinesExcept = ConfigurationKey(
        "deadlines.except",
        .texts,
        "",
        "Addresses of accounts for which no such move is made."
    )
    static let storeMapGibibytes = ConfigurationKey(
        "store.mapGibibytes",
        .number(1...4_096),
        "64",
        "Maximum size of the store; reserved as address space, not as disk."
    )
    static let storeOpenMebibytes = ConfigurationKey(
        "store.openMebibytes",
        .number(1...1_048_576),
        "256",
        "Room for records that nothing on a chain vouches for."
    )
    static let storeChatMebibytes = ConfigurationKey(
        "store.chatMebibytes",
        .number(1...1_048_576),
        "8192",
        "Room for one account's conversations; at most an eighth of the store."
    )
    static let mediaMebibytes = ConfigurationKey(
        "media.mebibytes",
        .number(64...16_777_216),
        "2048",
        "Room for files: those that accounts of this node added, and copies of others'."
    )
    static let sessionIdleMinutes = ConfigurationKey(
        "session.idleMinutes",
        .number(1...10_080),
        "60",
        "When an unused session ends and its account is locked."
    )
    static let sessionHours = ConfigurationKey(
        "session.hours",
        .number(1...720),
        "24",
        "When a session ends in any case."
    )
    static let sessionConfirmMinutes = ConfigurationKey(
        "session.confirmMinutes",
        .number(0...1_440),
        "10",
        "How long the page moves money after a password; 0 asks for it each time."
    )
    static let sessionSignWithinHours = ConfigurationKey(
        "session.signWithinHours",
        .number(1...8_760),
        "24",
        "Transactions that have waited longer for a sign-in are no longer signed."
    )
    static let keystoreCost = ConfigurationKey(
        "keystore.scryptCost",
        .number(2...4_194_304),
        "262144",
        "scrypt's N for new keystores, a power of two; lower is weaker."
    )
    static let logLevel = ConfigurationKey(
        "log.level",
        .text,
        "info",
        "trace, debug, info, notice, warning, error or critical."
    )

    /// Every setting.
    package static let all: [ConfigurationKey] = [
        network, listen, announce, bootstrap, gossipPolicy, homesAccept, homesDays,
        reportsAccount,
        recordsStampTries, apiHost, apiPort, apiOrigins, apiOpenAccountsPerHour, pageFolder,
        healthPort,
        chainID, chainEndpoints, chainEndpointPaces, chainEndpointHeaders, chainDeployment,
        chainConfirmations, chainPollMilliseconds, chainStaleSeconds, chainFeeCeilingGwei,
        chainTipCeilingGwei, chainTipFloorGwei, chainExplorer, deadlinesExecute, deadlinesExcept,
        storeMapGibibytes, storeOpenMebibytes, storeChatMebibytes, mediaMebibytes,
        sessionIdleMinutes, sessionHours, sessionConfirmMinutes, sessionSignWithinHours,
        keystoreCost, logLevel,
    ]
}
