import Client
import Ethereum
import Foundation
import GossipProtocol
package import Keys
package import Logging
package import Market

/// The settings of a node, read and checked.
package struct Configuration: Sendable {
    package let network: String
    package let listen: [String]
    package let announce: [String]
    package let bootstrap: [String]
    package let signsMessages: Bool
    package let acceptsHomes: Bool
    package let homeLease: Duration
    /// The account that gets the reports of this node's accounts; `nil` if nobody reads them.
    package let reportsAccount: Address?
    /// The network's rules for records that no chain vouches for.
    package let openLaneRules: OpenLaneRules
    package let apiHost: String
    package let apiPort: Int
    package let apiOrigins: [String]
    /// How many accounts other machines can create in an hour without the operator's token.
    package let openAccountsPerHour: Int
    /// The folder of the page's files; empty for those in the program.
    package let pageFolder: String
    package let healthPort: Int
    /// The chain of the settings `chain.…`, followed if its market is named, then those of
    /// `chains`.
    package let chains: [ChainSettings]
    /// Whether moves are made that deadlines open.
    package let deadlines: DeadlineSettings
    package let storeMapBytes: Int
    package let storeOpenBytes: Int
    package let storeChatBytes: Int
    /// Room for files, in bytes.
    package let mediaBytes: Int
    package let sessionIdle: Duration
    package let sessionLife: Duration
    /// How long a page's session moves money after the password; 0 for one act each time.
    package let sessionConfirmed: Duration
    /// How long after its start an operation can still be signed after a sign-in.
    package let signWithin: Duration
    package let keystoreCost: Int
    package let logLevel: Logger.Level
    /// Each setting's text and origin, for `stoa config show`; none of them is a secret.
    package let findings: [(key: ConfigurationKey, finding: ConfigurationSources.Finding)]

    /// Reads every setting.
    ///
    /// - Throws: ``ConfigurationError/invalid(key:value:expected:origin:)`` for the first invalid
    ///   setting.
    package init(_ sources: ConfigurationSources) throws(ConfigurationError) {
        let reader = ConfigurationReader(sources: sources)
        network = try reader.name(.network)
        listen = try reader.addresses(.listen)
        announce = try reader.addresses(.announce)
        bootstrap = try reader.addresses(.bootstrap, ofPeers: true)
        signsMessages =
            try reader.choice(.gossipPolicy, of: ["strict-no-sign", "strict-sign"]) == "strict-sign"
        acceptsHomes = try reader.choice(.homesAccept, of: ["none", "anyone"]) == "anyone"
        homeLease = .seconds(86_400 * (try reader.number(.homesDays)))
        reportsAccount = try reader.account(.reportsAccount)
        openLaneRules = OpenLaneRules(
            triesPerKibibyte: UInt64(try reader.number(.recordsStampTries))
        )
        // An IPv6 address can be written in brackets, as in a URL.
        apiHost = NodeAddress(host: try reader.name(.apiHost), port: 0).host
        apiPort = try reader.number(.apiPort)
        apiOrigins = try reader.origins(.apiOrigins)
        openAccountsPerHour = try reader.number(.apiOpenAccountsPerHour)
        pageFolder = try reader.folder(.pageFolder)
        healthPort = try reader.number(.healthPort)
        chains = try reader.chains()
        deadlines = DeadlineSettings(
            executes: try reader.choice(.deadlinesExecute, of: ["yes", "no"]) == "yes",
            except: try reader.accounts(.deadlinesExcept)
        )
        storeMapBytes = try reader.number(.storeMapGibibytes) << 30
        storeOpenBytes = try reader.number(.storeOpenMebibytes) << 20
        storeChatBytes = try reader.number(.storeChatMebibytes) << 20
        mediaBytes = try reader.number(.mediaMebibytes) << 20
        sessionIdle = .seconds(60 * (try reader.number(.sessionIdleMinutes)))
        sessionLife = .seconds(3_600 * (try reader.number(.sessionHours)))
        sessionConfirmed = .seconds(60 * (try reader.number(.sessionConfirmMinutes)))
        signWithin = .seconds(3_600 * (try reader.number(.sessionSignWithinHours)))
        keystoreCost = try reader.powerOfTwo(.keystoreCost)
        logLevel = try reader.level(.logLevel)
        findings = sources.keys.map { ($0, reader.shown($0)) }
    }

    /// Returns the value behind a setting of 0 that leaves it to the chain, or `nil`.
    package func usual(_ key: ConfigurationKey) -> String? {
        guard findings.contains(where: { $0.key == key && $0.finding.text == "0" }) else {
            return nil
        }
        for chain in chains {
            let (ceiling, tip) = FeePolicy.standardGwei(for: chain.id)
            switch key {
            case chain.group.key(.chainFeeCeilingGwei): return "\(ceiling)"
            case chain.group.key(.chainTipCeilingGwei): return "\(tip)"
            case chain.group.key(.chainTipFloorGwei):
                return FeePolicy.standardTipMinGwei(for: chain.id)
            default: continue
            }
        }
        return nil
    }
}

/// Converts a setting's text to its type, or states the requirement.
struct ConfigurationReader {
    let sources: ConfigurationSources

    func name(_ key: ConfigurationKey) throws(ConfigurationError) -> String {
        let text = sources.find(key).text
        let isName = !text.isEmpty && text.utf8.count <= 64 && text.utf8.allSatisfy { $0 > 32 }
        guard isName else { throw invalid(key, "1 to 64 characters without spaces") }
        return text
    }

    /// Returns a path, empty for none.
    ///
    /// A path in a file is relative to the file's folder, any other to the process's own.
    func path(_ key: ConfigurationKey) -> String {
        let finding = sources.find(key)
        guard !finding.text.isEmpty, finding.origin.hasPrefix("/") else { return finding.text }
        return ConfigurationSources.path(finding.text, in: finding.origin)
    }

    /// Returns the path of a folder that exists, empty for none; as ``path(_:)``.
    func folder(_ key: ConfigurationKey) throws(ConfigurationError) -> String {
        let path = path(key)
        var isFolder: ObjCBool = false
        guard
            unsafe path.isEmpty
                || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                    && isFolder.boolValue
        else {
            throw invalid(key, "the path of a folder")
        }
        return path
    }

    func texts(_ key: ConfigurationKey) throws(ConfigurationError) -> [String] {
        sources.find(key).text.split(separator: ",").map { $0.trimmingWhitespace() }
    }

    func addresses(
        _ key: ConfigurationKey,
        ofPeers: Bool = false
    ) throws(ConfigurationError) -> [String] {
        let found = try texts(key)
        for text in found {
            guard let address = Multiaddr(text: text) else {
                throw invalid(key, "multiaddrs such as /ip4/192.0.2.1/tcp/4001")
            }
            guard !ofPeers || address.peer != nil else {
                throw invalid(key, "addresses that end in /p2p/<peer id>")
            }
        }
        return found
    }

    /// Returns an account's address; `nil` for an empty text.
    func account(_ key: ConfigurationKey) throws(ConfigurationError) -> Address? {
        let text = sources.find(key).text
        guard !text.isEmpty else { return nil }
        guard let address = try? Address(text: text), address != .zero else {
            throw invalid(key, "the address of an account, such as 0x1234… with 40 digits")
        }
        return address
    }

    func accounts(_ key: ConfigurationKey) throws(ConfigurationError) -> Set<Address> {
        var found: Set<Address> = []
        for text in try texts(key) {
            guard let address = try? Address(text: text) else {
                throw invalid(key, "addresses of accounts, such as 0x1234… with 40 digits")
            }
            found.insert(address)
        }
        return found
    }

    func origins(_ key: ConfigurationKey) throws(ConfigurationError) -> [String] {
        let found = try texts(key)
        for text in found {
            let parts = URLComponents(string: text)
            guard ["http", "https"].contains(parts?.scheme?.lowercased()),
                parts?.host?.isEmpty == false, parts?.path.isEmpty == true
            else { throw invalid(key, "origins such as https://shop.example") }
        }
        return found
    }

    func choice(
        _ key: ConfigurationKey,
        of choices: [String]
    ) throws(ConfigurationError) -> String {
        let text = sources.find(key).text
        guard choices.contains(text) else {
            throw invalid(key, choices.joined(separator: " or "))
        }
        return text
    }

    func number(_ key: ConfigurationKey) throws(ConfigurationError) -> Int {
        guard case .number(let range) = key.kind else {
            preconditionFailure("\(key.name) is no number")
        }
        guard let number = Int(sources.find(key).text), range.contains(number) else {
            throw invalid(key, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func powerOfTwo(_ key: ConfigurationKey) throws(ConfigurationError) -> Int {
        let number = try number(key)
        guard number.nonzeroBitCount == 1 else { throw invalid(key, "a power of two") }
        return number
    }

    func level(_ key: ConfigurationKey) throws(ConfigurationError) -> Logger.Level {
        guard let level = Logger.Level(rawValue: sources.find(key).text) else {
            throw invalid(key, Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return level
    }

    /// Returns the part of a setting that may be shown.
    ///
    /// Only the host of an endpoint is shown, because the rest often contains a secret, and only
    /// the names of its headers.
    func shown(_ key: ConfigurationKey) -> ConfigurationSources.Finding {
        let finding = sources.find(key)
        guard key.isEndpoints || key.isEndpointHeaders else { return finding }
        func texts(_ finding: ConfigurationSources.Finding) -> [String] {
            finding.text.split(separator: ",").map { $0.trimmingWhitespace() }
        }
        let endpoints = key.endpointsOfHeaders.map { texts(sources.find($0)) } ?? []
        let parsed = endpoints.compactMap { try? Endpoint(url: $0) }
        let shown = texts(finding).map { text in
            key.isEndpoints ? Endpoint.shown(text) : EndpointHeaders.shown(text, of: parsed)
        }
        return ConfigurationSources.Finding(
            text: shown.joined(separator: ","),
            origin: finding.origin
        )
    }

    func invalid(_ key: ConfigurationKey, _ expected: String) -> ConfigurationError {
        let finding = shown(key)
        return .invalid(
            key: key.name,
            value: finding.text,
            expected: expected,
            origin: finding.origin
        )
    }
}

extension StringProtocol {
    func trimmingWhitespace() -> String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
