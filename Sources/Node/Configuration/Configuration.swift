package import Contracts
import Foundation
import Gossip
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
    package let healthPort: Int
    package let chainID: UInt64
    package let chainEndpoints: [String]
    /// The limit on calls a second of each endpoint; `nil` for none.
    package let chainEndpointPaces: [Int?]
    /// The path of the deployment file, or empty for a node without a chain.
    package let chainDeployment: String
    package let chainConfirmations: UInt64
    package let chainPoll: Duration
    package let chainStale: Duration
    /// The limits on the price of gas.
    package let chainFees: FeePolicy
    /// The pages that show transactions of the chain, if there are any.
    package let chainExplorer: ExplorerLink?
    /// Whether moves are made that deadlines open.
    package let deadlines: DeadlineSettings
    package let storeMapBytes: Int
    package let storeOpenBytes: Int
    /// Room for files, in bytes.
    package let mediaBytes: Int
    package let sessionIdle: Duration
    package let sessionLife: Duration
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
        let reader = Reader(sources: sources)
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
        apiHost = try reader.name(.apiHost)
        apiPort = try reader.number(.apiPort)
        apiOrigins = try reader.origins(.apiOrigins)
        openAccountsPerHour = try reader.number(.apiOpenAccountsPerHour)
        healthPort = try reader.number(.healthPort)
        chainID = UInt64(try reader.number(.chainID))
        chainEndpoints = try reader.endpoints(.chainEndpoints)
        chainEndpointPaces = try reader.paces(.chainEndpointPaces, of: chainEndpoints.count)
        chainDeployment = reader.path(.chainDeployment)
        if !chainDeployment.isEmpty, chainEndpoints.isEmpty {
            throw reader.invalid(
                .chainEndpoints,
                "at least one URL, because chain.deployment names a market"
            )
        }
        chainConfirmations = UInt64(try reader.number(.chainConfirmations))
        chainPoll = .milliseconds(try reader.number(.chainPollMilliseconds))
        chainStale = .seconds(try reader.number(.chainStaleSeconds))
        chainFees = try reader.fees(on: ChainID(chainID))
        chainExplorer = try reader.explorer(.chainExplorer)
        deadlines = DeadlineSettings(
            executes: try reader.choice(.deadlinesExecute, of: ["yes", "no"]) == "yes",
            except: try reader.accounts(.deadlinesExcept)
        )
        storeMapBytes = try reader.number(.storeMapGibibytes) << 30
        storeOpenBytes = try reader.number(.storeOpenMebibytes) << 20
        mediaBytes = try reader.number(.mediaMebibytes) << 20
        sessionIdle = .seconds(60 * (try reader.number(.sessionIdleMinutes)))
        sessionLife = .seconds(3_600 * (try reader.number(.sessionHours)))
        signWithin = .seconds(3_600 * (try reader.number(.sessionSignWithinHours)))
        keystoreCost = try reader.powerOfTwo(.keystoreCost)
        logLevel = try reader.level(.logLevel)
        findings = ConfigurationKey.all.map { ($0, reader.shown($0)) }
    }

    /// Returns the value that a setting of 0 stands for, if it leaves it to the chain, or `nil`.
    package func usual(_ key: ConfigurationKey) -> String? {
        guard findings.contains(where: { $0.key == key && $0.finding.text == "0" }) else {
            return nil
        }
        let (ceiling, tip) = FeePolicy.standardGwei(for: ChainID(chainID))
        return switch key {
        case .chainFeeCeilingGwei: "\(ceiling)"
        case .chainTipCeilingGwei: "\(tip)"
        default: nil
        }
    }
}

/// Converts a setting's text to its type, or says what it must be.
private struct Reader {
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

    func texts(_ key: ConfigurationKey) throws(ConfigurationError) -> [String] {
        sources.find(key).text.split(separator: ",").map { $0.trimmingWhitespace() }
    }

    func endpoints(_ key: ConfigurationKey) throws(ConfigurationError) -> [String] {
        let found = try texts(key)
        var places: Set<String> = []
        var kinds: [String: Bool] = [:]
        for text in found {
            let endpoint: Endpoint
            do { endpoint = try Endpoint(url: text) } catch {
                throw invalid(key, "URLs such as wss://rpc.example or https://rpc.example:8545")
            }
            // A chain's client has one port for each of the two.
            guard
                kinds.updateValue(endpoint.isWebSocket, forKey: endpoint.host)
                    ?? endpoint.isWebSocket == endpoint.isWebSocket
            else {
                throw invalid(
                    key,
                    "each host by WebSocket (ws, wss) or by HTTP (http, https), not both, because "
                        + "they count as one source and cannot confirm each other"
                )
            }
            guard places.insert(endpoint.place).inserted else {
                throw invalid(
                    key,
                    "each host and port once, because endpoints of one host count as one "
                        + "source and cannot confirm each other"
                )
            }
        }
        return found
    }

    /// Returns the limit on calls a second of each of `count` endpoints.
    func paces(_ key: ConfigurationKey, of count: Int) throws(ConfigurationError) -> [Int?] {
        let found = try texts(key).map { Int($0) ?? -1 }
        guard found.allSatisfy((0...100_000).contains), found.count == 1 || found.count == count
        else {
            throw invalid(
                key,
                "one number from 0 to 100000, or as many as chain.rpc has endpoints, in their order"
            )
        }
        let paces = found.map { $0 == 0 ? nil : $0 }
        return found.count == count ? paces : Array(repeating: paces[0], count: count)
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

    func explorer(_ key: ConfigurationKey) throws(ConfigurationError) -> ExplorerLink? {
        let text = sources.find(key).text
        guard !text.isEmpty else { return nil }
        guard let link = ExplorerLink(template: text) else {
            throw invalid(
                key,
                "a URL with {transaction} once in its path, such as "
                    + "https://etherscan.io/tx/{transaction}"
            )
        }
        return link
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

    func gwei(_ key: ConfigurationKey) throws(ConfigurationError) -> Amount {
        let gwei = Amount(small: UInt64(try number(key)))
        guard let wei = gwei.multiplied(by: 1_000_000_000) else {
            preconditionFailure("\(key.name) is far below 2²⁵⁶ wei")
        }
        return wei
    }

    /// Returns the chain's standard limits, except those that are set.
    func fees(on chain: ChainID) throws(ConfigurationError) -> FeePolicy {
        var fees = FeePolicy.standard(for: chain)
        let (ceiling, tip) = (try gwei(.chainFeeCeilingGwei), try gwei(.chainTipCeilingGwei))
        if !ceiling.isZero { fees.ceiling = ceiling }
        if !tip.isZero { fees.tipMax = tip }
        return fees
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

    /// Returns what may be shown of a setting.
    ///
    /// Of an endpoint, only the host is shown, because the rest often holds a secret.
    func shown(_ key: ConfigurationKey) -> ConfigurationSources.Finding {
        let finding = sources.find(key)
        guard key == .chainEndpoints else { return finding }
        let endpoints = finding.text.split(separator: ",").map {
            Endpoint.shown($0.trimmingWhitespace())
        }
        return ConfigurationSources.Finding(
            text: endpoints.joined(separator: ","),
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
    fileprivate func trimmingWhitespace() -> String {
        String(
            drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        )
    }
}
