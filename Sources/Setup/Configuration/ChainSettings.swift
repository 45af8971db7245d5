package import Ethereum
package import Market

/// The settings of one chain.
package struct ChainSettings: Sendable {
    /// Where its settings are.
    package let group: ChainSettingsGroup
    package let id: ChainID
    package let endpoints: [String]
    /// The limit on calls a second of each endpoint; `nil` for none.
    package let endpointPaces: [Int?]
    /// The headers of requests to each endpoint; they contain keys.
    package let endpointHeaders: [[Endpoint.Header]]
    /// The path of the market's file; empty only for the node's own group without a market.
    package let deployment: String
    package let confirmations: UInt64
    package let poll: Duration
    package let stale: Duration
    /// The limits on the price of gas.
    package let fees: FeePolicy
    /// The pages that show transactions of the chain, if there are any.
    package let explorer: ExplorerLink?

    /// Whether the node follows the chain, which it does if the settings name its market.
    package var isFollowed: Bool { !deployment.isEmpty }
}

/// A group of settings that describe one chain: `chain`, or `chains.<id>`.
package enum ChainSettingsGroup: Hashable, Sendable {
    /// `chain`: the only chain, or the first one.
    case own
    /// `chains.<id>`: one of several; the id is that of the chain.
    case listed(UInt64)

    /// The settings that every chain has, by their names in the group `chain`.
    static let keys: [ConfigurationKey] = ConfigurationKey.all.filter {
        $0.name.hasPrefix("chain.")
    }

    /// Returns the setting of this group that corresponds to one of the group `chain`.
    func key(_ key: ConfigurationKey) -> ConfigurationKey {
        guard case .listed(let id) = self else { return key }
        return ConfigurationKey(
            "chains.\(id)." + key.name.dropFirst("chain.".count),
            key.kind,
            key == .chainID ? "\(id)" : key.standard,
            key.about
        )
    }

    /// The settings of this group.
    ///
    /// The id of a listed chain is in their names.
    var keys: [ConfigurationKey] {
        switch self {
        case .own: Self.keys
        case .listed: Self.keys.filter { $0 != .chainID }.map { key($0) }
        }
    }
}

extension ConfigurationKey {
    /// Whether it names endpoints, whose URLs often contain a secret.
    var isEndpoints: Bool {
        self == .chainEndpoints || name.hasPrefix("chains.") && name.hasSuffix(".rpc")
    }

    /// Whether it gives headers for endpoints, whose values are secrets.
    var isEndpointHeaders: Bool {
        self == .chainEndpointHeaders || name.hasPrefix("chains.") && name.hasSuffix(".rpc.headers")
    }

    /// The setting that names the endpoints which these headers are for; `nil` if it gives none.
    var endpointsOfHeaders: ConfigurationKey? {
        guard isEndpointHeaders else { return nil }
        let endpoints = Self.chainEndpoints
        return ConfigurationKey(
            String(name.dropLast(".headers".count)),
            endpoints.kind,
            endpoints.standard,
            endpoints.about
        )
    }
}

extension ConfigurationReader {
    /// The maximum number of chains of a node: each has its endpoints, its sales in memory and a
    /// topic.
    static var chainsMax: Int { 16 }

    /// Returns the settings of the chains, those of the group `chain` first.
    func chains() throws(ConfigurationError) -> [ChainSettings] {
        let own = try chain(.own)
        var found: [ChainSettings] = own.isFollowed || sources.chains.isEmpty ? [own] : []
        for id in sources.chains {
            let group = ChainSettingsGroup.listed(id)
            let chain = try chain(group)
            guard chain.isFollowed else {
                throw invalid(group.key(.chainDeployment), "the path of a market's file")
            }
            guard !found.contains(where: { $0.id == chain.id }) else {
                throw invalid(.chainID, "another one: 'chains' has this chain too")
            }
            found.append(chain)
        }
        guard found.count <= Self.chainsMax else {
            let surplus = found[Self.chainsMax].group
            throw invalid(
                surplus.key(.chainDeployment),
                "left out with its chain: a node has at most \(Self.chainsMax) chains"
            )
        }
        return found
    }

    private func chain(_ group: ChainSettingsGroup) throws(ConfigurationError) -> ChainSettings {
        let endpointsKey = group.key(.chainEndpoints)
        let endpoints = try endpoints(endpointsKey)
        let deployment = path(group.key(.chainDeployment))
        guard deployment.isEmpty || !endpoints.isEmpty else {
            throw invalid(
                endpointsKey,
                "at least one URL, because \(group.key(.chainDeployment).name) names a market"
            )
        }
        let id =
            switch group {
            case .own: ChainID(UInt64(try number(.chainID)))
            case .listed(let id): ChainID(id)
            }
        return ChainSettings(
            group: group,
            id: id,
            endpoints: endpoints,
            endpointPaces: try paces(
                group.key(.chainEndpointPaces),
                of: endpointsKey,
                endpoints.count
            ),
            endpointHeaders: try headers(group.key(.chainEndpointHeaders), of: endpoints),
            deployment: deployment,
            confirmations: UInt64(try number(group.key(.chainConfirmations))),
            poll: .milliseconds(try number(group.key(.chainPollMilliseconds))),
            stale: .seconds(try number(group.key(.chainStaleSeconds))),
            fees: try fees(of: group, on: id),
            explorer: try explorer(group.key(.chainExplorer))
        )
    }

    private func endpoints(_ key: ConfigurationKey) throws(ConfigurationError) -> [String] {
        let found = try texts(key)
        var places: Set<String> = []
        var kinds: [String: Bool] = [:]
        for text in found {
            let endpoint: Endpoint
            do { endpoint = try Endpoint(url: text) } catch {
                throw invalid(key, "URLs such as wss://rpc.example or https://rpc.example:8545")
            }
            // A chain's client uses one kind of connection for each host.
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
    private func paces(
        _ key: ConfigurationKey,
        of endpoints: ConfigurationKey,
        _ count: Int
    ) throws(ConfigurationError) -> [Int?] {
        let found = try texts(key).map { Int($0) ?? -1 }
        guard found.allSatisfy((0...100_000).contains), found.count == 1 || found.count == count
        else {
            throw invalid(
                key,
                "one number from 0 to 100000, or as many as \(endpoints.name) has endpoints, in their "
                    + "order"
            )
        }
        let paces = found.map { $0 == 0 ? nil : $0 }
        return found.count == count ? paces : Array(repeating: paces[0], count: count)
    }

    /// Returns the headers of each endpoint.
    private func headers(
        _ key: ConfigurationKey,
        of endpoints: [String]
    ) throws(ConfigurationError) -> [[Endpoint.Header]] {
        let parsed = endpoints.compactMap { try? Endpoint(url: $0) }
        guard let headers = EndpointHeaders.read(try texts(key), of: parsed) else {
            throw invalid(key, EndpointHeaders.form + ", and without commas")
        }
        return headers
    }

    private func explorer(_ key: ConfigurationKey) throws(ConfigurationError) -> ExplorerLink? {
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

    private func gwei(_ key: ConfigurationKey) throws(ConfigurationError) -> Amount {
        let gwei = Amount(small: UInt64(try number(key)))
        guard let wei = gwei.multiplied(by: 1_000_000_000) else {
            preconditionFailure("\(key.name) is far below 2²⁵⁶ wei")
        }
        return wei
    }

    /// Returns the chain's standard limits, except those that are set.
    private func fees(
        of group: ChainSettingsGroup,
        on chain: ChainID
    ) throws(ConfigurationError) -> FeePolicy {
        var fees = FeePolicy.standard(for: chain)
        let ceiling = try gwei(group.key(.chainFeeCeilingGwei))
        let tip = try gwei(group.key(.chainTipCeilingGwei))
        if !ceiling.isZero { fees.ceiling = ceiling }
        if !tip.isZero { fees.tipMax = tip }
        let floorKey = group.key(.chainTipFloorGwei)
        guard let floor = FeePolicy.wei(gwei: sources.find(floorKey).text) else {
            throw invalid(floorKey, "gwei with at most nine decimals, such as 0.05 or 25")
        }
        if !floor.isZero { fees.tipMin = floor }
        guard floor <= fees.tipMax else {
            throw invalid(floorKey, "at most \(group.key(.chainTipCeilingGwei).name)")
        }
        return fees
    }
}
