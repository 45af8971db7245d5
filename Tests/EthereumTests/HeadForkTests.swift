import Ethereum
import Keys
import Market
import Support
import Testing

/// Reorganisations of the newest blocks, which one endpoint sees before the other.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HeadForkTests {
    /// Two endpoints, each with a chain of its own.
    private struct TwoChains: RPCTransport {
        let first: ChainTransport
        let second: ChainTransport

        func post(
            _ body: [UInt8],
            to endpoint: Endpoint,
            bytesMax: Int,
            timeout: Duration
        ) async throws -> [UInt8] {
            let transport = endpoint.name.description.contains("first") ? first : second
            return try await transport.post(
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

    private static let chain = ChainID(4_242)

    @Test func `an endpoint that sees a new head first is not mistrusted`() async throws {
        let contract = testKey(7).address
        var blocks = FakeChain(contract: contract)
        for count in [1, 0, 2, 1, 0, 1] { blocks.mine(events: count) }
        // The newest two blocks, which both endpoints have at first, are replaced.
        var forked = blocks
        forked.drop(2)
        for count in [2, 0, 1] { forked.mine(events: count) }
        let after = forked
        let number = Self.chain.number
        let chains = TwoChains(
            first: ChainTransport(blocks, chainNumber: number),
            second: ChainTransport(blocks, chainNumber: number)
        )
        var configuration = ChainConfiguration(
            chain: Self.chain,
            endpoints: [
                try Endpoint(url: "http://first.example"),
                try Endpoint(url: "http://second.example"),
            ],
            filter: LogFilter(addresses: [contract], firstBlock: 0)
        )
        configuration.pollInterval = .seconds(1)
        configuration.confirmations = 3
        configuration.headAgeMax = nil
        configuration.headLagSecondsMax = nil
        let (clock, store) = (SteppedClock(), MemoryChainStore())
        let client = ChainClient(
            chain: Self.chain,
            endpoints: configuration.endpoints,
            transport: chains,
            clock: clock,
            logger: quiet
        )
        let service = ChainService(
            configuration: configuration,
            client: client,
            store: store,
            listener: ListenerLog(),
            clock: clock,
            logger: quiet
        )
        // Until both endpoints have confirmed the first one's head, or for so long.
        func pass(_ seconds: Int, until isWanted: Bool) async throws {
            for _ in 0..<seconds {
                await clock.untilDue(within: .seconds(1))
                clock.advance(.seconds(1))
                await clock.untilAwaited()
                let confirmed = try await store.sources(of: Self.chain)?.confirmed
                if isWanted, confirmed == chains.first.head.id { return }
            }
            #expect(!isWanted)
        }
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await pass(60, until: true)
            chains.first.change { $0 = after }
            try await pass(5, until: false)
            #expect(await client.reports.allSatisfy { $0.status == .good })
            chains.second.change { $0 = after }
            try await pass(60, until: true)
            #expect(await client.reports.allSatisfy { $0.status == .good })
            group.cancelAll()
        }
        #expect(try store.events(of: Self.chain).map(\.log) == after.allEvents)
    }
}
