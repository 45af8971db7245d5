package import Concurrency
package import Contracts
package import Logging
import Market

extension MarketServices {
    /// Returns the sale index of the configured market; `nil` for a node without a chain.
    ///
    /// - Parameters:
    ///   - configuration: Names the chain and its deployment file.
    ///   - clock: Monotonic time, for everything that follows the chain.
    /// - Returns: An empty index.
    /// - Throws: ``DeploymentError``, which says what to do next.
    package static func saleIndex(
        _ configuration: Configuration,
        clock: any MonotonicClock
    ) throws -> SaleIndex? {
        guard let market = try configuration.deployedMarket() else { return nil }
        return SaleIndex(
            deployment: market,
            confirmations: configuration.chainConfirmations,
            clock: clock,
            explorer: configuration.chainExplorer
        )
    }

    /// Assembles the services as the configuration says.
    ///
    /// - Parameters:
    ///   - configuration: Names the chain's endpoints and pace.
    ///   - saleIndex: See ``saleIndex(_:clock:)``.
    ///   - dependencies: What the services need.
    ///   - transport: Carries requests to the endpoints; must outlive the services.
    ///   - clock: The clock of the sale index.
    ///   - logger: Gets what operators act on.
    ///   - afterStep: Called after each durable step of a transaction.
    /// - Throws: ``ConfigurationError`` if no endpoint is named, ``EndpointError`` if one is not a
    ///   URL of an endpoint.
    package init(
        _ configuration: Configuration,
        saleIndex: SaleIndex,
        dependencies: Dependencies,
        transport: any RPCTransport,
        clock: any MonotonicClock,
        logger: Logger,
        afterStep: @escaping TransactionSender.StepHook
    ) throws {
        guard !configuration.chainEndpoints.isEmpty else {
            throw ConfigurationError.invalid(
                key: "chain.rpc",
                value: "",
                expected: "at least one URL, because chain.deployment names a market",
                origin: "configuration"
            )
        }
        var endpoints = try configuration.chainEndpoints.map { try Endpoint(url: $0) }
        for (index, pace) in configuration.chainEndpointPaces.enumerated() {
            endpoints[index].callsPerSecondMax = pace
        }
        var chain = ChainConfiguration(
            chain: saleIndex.deployment.chain,
            endpoints: endpoints,
            filter: saleIndex.filter
        )
        chain.confirmations = configuration.chainConfirmations
        chain.pollInterval = configuration.chainPoll
        chain.headAgeMax = configuration.chainStale
        self.init(
            saleIndex: saleIndex,
            dependencies: dependencies,
            chain: chain,
            transport: transport,
            sending: SenderConfiguration(configuration),
            clock: clock,
            logger: logger,
            afterStep: afterStep
        )
    }
}

extension SenderConfiguration {
    /// Takes from the configuration how transactions are sent.
    package init(_ configuration: Configuration) {
        self.init()
        confirmations = configuration.chainConfirmations
        pollInterval = configuration.chainPoll
        fees = configuration.chainFees
    }
}
