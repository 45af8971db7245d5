import Concurrency
import Ethereum
import Keys
import Logging
import Market
import Support

/// Follows endpoints that each have a chain of their own, by a clock that the test moves.
struct ForkedFollower {
    static let contract = testKey(7).address
    private static let chain = ChainID(4_242)

    /// One chain for each endpoint.
    private struct Chains: RPCTransport {
        let all: [EndpointName: ChainTransport]

        func post(
            _ body: [UInt8],
            to endpoint: Endpoint,
            bytesMax: Int,
            timeout: Duration
        ) async throws -> [UInt8] {
            guard let chain = all[endpoint.name] else {
                throw RPCTransportError.unreachable(reason: "unknown")
            }
            return try await chain.post(
                body,
                to: endpoint,
                bytesMax: bytesMax,
                timeout: timeout
            )
        }

        func subscribe(
            _ body: [UInt8],
            to endpoint: Endpoint,
            timeout: Duration
        ) async throws -> (answer: [UInt8], heads: HeadSubscription)? {
            nil
        }
    }

    let clock: SteppedClock
    let listener = ListenerLog()
    let chains: [ChainTransport]
    let service: ChainService
    let client: ChainClient
    private let store = MemoryChainStore()

    /// - Parameters:
    ///   - chains: The chain of each endpoint; the first endpoint is preferred.
    ///   - clock: Monotonic time.
    ///   - changes: Alter what some endpoints answer, by their numbers.
    ///   - logger: Where the service logs.
    /// - Throws: ``EndpointError`` if a name is no endpoint.
    init(
        _ chains: [FakeChain],
        clock: SteppedClock = SteppedClock(),
        changes: [Int: AlteringTransport.Change] = [:],
        logger: Logger = quiet
    ) throws {
        self.clock = clock
        let endpoints = try chains.indices.map { try Endpoint(url: "http://number\($0).example") }
        self.chains = chains.map { ChainTransport($0, chainNumber: Self.chain.number) }
        let all = Dictionary(uniqueKeysWithValues: zip(endpoints.map(\.name), self.chains))
        var configuration = ChainConfiguration(
            chain: Self.chain,
            endpoints: endpoints,
            filter: LogFilter(addresses: [Self.contract], firstBlock: 0)
        )
        configuration.pollInterval = .seconds(1)
        (configuration.headAgeMax, configuration.headLagSecondsMax) = (nil, nil)
        let transport = changes.reduce(Chains(all: all) as any RPCTransport) { inner, change in
            let name = endpoints[change.key].name
            return AlteringTransport(inner: inner, altered: name, change: change.value)
        }
        client = ChainClient(
            chain: Self.chain,
            endpoints: endpoints,
            transport: transport,
            clock: clock,
            logger: quiet
        )
        service = ChainService(
            configuration: configuration,
            client: client,
            store: store,
            listener: listener,
            clock: clock,
            logger: logger
        )
    }

    /// A chain whose blocks have so many events.
    static func blocks(_ counts: [Int]) -> FakeChain {
        var blocks = FakeChain(contract: contract)
        for count in counts { blocks.mine(events: count) }
        return blocks
    }

    func set(_ chain: FakeChain, at endpoints: [Int]) {
        for index in endpoints { chains[index].change { $0 = chain } }
    }

    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { [service] in try await service.run() }
            try await body()
            group.cancelAll()
        }
    }

    /// Lets some seconds pass.
    func pass(_ seconds: Int) async throws { _ = try await pass(seconds) { false } }

    /// Lets some seconds pass, until a second endpoint has confirmed the newest block of a chain.
    ///
    /// - Returns: Whether it has.
    func pass(_ seconds: Int, untilConfirmed chain: FakeChain) async throws -> Bool {
        try await pass(seconds) { try await confirmed == chain.head.id }
    }

    /// The block up to which a second endpoint has confirmed the events.
    var confirmed: BlockID? {
        get async throws { try await store.sources(of: Self.chain)?.confirmed }
    }

    private func pass(
        _ seconds: Int,
        until condition: () async throws -> Bool
    ) async throws -> Bool {
        for _ in 0..<seconds {
            await clock.untilDue(within: .seconds(1))
            clock.advance(.seconds(1))
            await clock.untilAwaited()
            if try await condition() { return true }
        }
        return false
    }

    /// Whether all other endpoints ever counted as away.
    var wasAlone: Bool {
        listener.updates.contains { update in
            if case .sources(let sources) = update { sources.state == .away } else { false }
        }
    }
}
