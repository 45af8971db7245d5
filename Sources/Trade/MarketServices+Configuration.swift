package import Concurrency
package import Ethereum
package import Logging
package import Setup

extension MarketServices {
    /// Returns the sale indexes of the configured chains; none for a node without a chain.
    ///
    /// - Parameters:
    ///   - configuration: Names the chains and their deployment files.
    ///   - clock: Monotonic time, for everything that follows the chains.
    /// - Returns: Empty indexes.
    /// - Throws: ``DeploymentError``, which states the next step.
    package static func saleIndexes(
        _ configuration: Configuration,
        clock: any MonotonicClock
    ) throws -> SaleIndexes {
        SaleIndexes(
            try configuration.chains.compactMap { settings in
                try settings.deployedMarket().map { market in
                    SaleIndex(
                        deployment: market,
                        confirmations: settings.confirmations,
                        clock: clock,
                        explorer: settings.explorer
                    )
                }
            }
        )
    }

    /// Assembles the services as the configuration says.
    ///
    /// - Parameters:
    ///   - configuration: Names the chains' endpoints and their pace.
    ///   - saleIndexes: See ``saleIndexes(_:clock:)``; at least one.
    ///   - dependencies: The services' dependencies.
    ///   - transport: Carries requests to the endpoints; must outlive the services.
    ///   - clock: The clock of the sale indexes.
    ///   - logger: Gets what operators act on.
    ///   - afterStep: Called after each durable step of a transaction.
    /// - Throws: ``EndpointError`` if an endpoint is not a URL of one.
    package init(
        _ configuration: Configuration,
        saleIndexes: SaleIndexes,
        dependencies: Dependencies,
        transport: any RPCTransport,
        clock: any MonotonicClock,
        logger: Logger,
        afterStep: @escaping TransactionSender.StepHook
    ) throws {
        let setups = try configuration.chains.compactMap { settings in
            try saleIndexes[settings.id].map { try ChainSetup(settings, $0) }
        }
        self.init(
            setups,
            dependencies: dependencies,
            transport: transport,
            clock: clock,
            logger: logger,
            afterStep: afterStep
        )
    }
}

extension MarketServices.ChainSetup {
    fileprivate init(_ settings: ChainSettings, _ saleIndex: SaleIndex) throws {
        var endpoints = try settings.endpoints.map { try Endpoint(url: $0) }
        for (index, pace) in settings.endpointPaces.enumerated() {
            endpoints[index].callsPerSecondMax = pace
            endpoints[index].headers = settings.endpointHeaders[index]
        }
        var chain = ChainConfiguration(
            chain: settings.id,
            endpoints: endpoints,
            filter: saleIndex.filter
        )
        chain.confirmations = settings.confirmations
        chain.pollInterval = settings.poll
        chain.headAgeMax = settings.stale
        self.init(saleIndex: saleIndex, chain: chain, sending: SenderConfiguration(settings))
    }
}

extension SenderConfiguration {
    /// Takes the way of sending transactions from a chain's settings.
    package init(_ settings: ChainSettings) {
        self.init()
        confirmations = settings.confirmations
        pollInterval = settings.poll
        fees = settings.fees
    }
}
