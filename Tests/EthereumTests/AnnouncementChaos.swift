import Ethereum
import Keys
import Market
import Support
import Testing

/// A chain in memory whose endpoint announces blocks wrongly, in an order that follows from a seed.
struct AnnouncementChaos {
    private static let contract = testKey(7).address
    private static let number: UInt64 = 31_337

    private let seed: UInt64
    private let transport: ChainTransport
    private let clock = SteppedClock()
    private let store = MemoryChainStore()
    private let listener = ListenerLog()

    init(seed: UInt64) {
        self.seed = seed
        var chain = FakeChain(contract: Self.contract)
        for count in [1, 0, 2] { chain.mine(events: count) }
        transport = ChainTransport(chain, chainNumber: Self.number)
    }

    func run() async throws {
        let endpoints = [
            try Endpoint(url: "ws://first.example"), try Endpoint(url: "http://second.example"),
        ]
        let configuration = ChainConfiguration.patient(
            chain: Self.number,
            endpoints: endpoints,
            contract: Self.contract
        )
        let client = ChainClient(
            chain: configuration.chain,
            endpoints: endpoints,
            transport: transport,
            limits: configuration.limits,
            clock: clock,
            logger: quiet
        )
        let service = ChainService(
            configuration: configuration,
            client: client,
            store: store,
            listener: listener,
            clock: clock,
            logger: quiet
        )
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await service.until { $0.health == .following }
            await clock.untilDue(within: .seconds(600))
            try await play(service)
            group.cancelAll()
        }
    }

    private func play(_ service: ChainService) async throws {
        var random = SeededRandom(seed: seed)
        var old: [NotifiedHead] = []
        for _ in 0..<60 {
            let count = transport.change(&random)
            let head = try block(transport.head, mayHaveEvents: count > 0)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: break
            case 1: await announce([head, head])
            case 2: await announce([head] + (old.randomElement(using: &random).map { [$0] } ?? []))
            case 3: await announce([try invented(&random), head])
            default: await announce([head])
            }
            old.append(head)
        }
        let last = try block(transport.head, mayHaveEvents: true)
        await announce([last])
        try await withThrowingTaskGroup { group in
            // What is still waiting for its turn gets it.
            group.addTask {
                while !Task.isCancelled {
                    await clock.untilDue(within: .seconds(600))
                    clock.advance(.milliseconds(100))
                }
            }
            try await service.until {
                $0.applied == transport.head.id && $0.health == .following
            }
            group.cancelAll()
        }
        let real = transport.events
        #expect(try store.events(of: ChainID(Self.number)).map(\.log) == real, "seed \(seed)")
        #expect(listener.events.map(\.log) == real, "seed \(seed)")
    }

    /// Announces blocks one after the other, each once the one before is handled.
    private func announce(_ heads: [NotifiedHead]) async {
        for head in heads {
            transport.announce(head)
            await clock.untilDue(within: .milliseconds(100))
            clock.advance(.milliseconds(100))
            await clock.untilDue(within: .seconds(600))
        }
    }

    private func block(_ header: BlockHeader, mayHaveEvents: Bool) throws -> NotifiedHead {
        let bytes = [UInt8](repeating: mayHaveEvents ? 0xFF : 0, count: 256)
        let bloom: LogBloom = try #require(LogBloom(bytes))
        return .block(AnnouncedBlock(header: header, bloom: bloom))
    }

    /// A block that the chain does not have, and which follows none.
    private func invented(_ random: inout SeededRandom) throws -> NotifiedHead {
        let head = transport.head
        let header = BlockHeader(
            id: BlockID(
                number: head.number + UInt64.random(in: 0...3, using: &random),
                hash: Bytes32(words: random.next(), 9, 9, 9)
            ),
            parent: Bytes32(words: random.next(), 9, 9, 9),
            timestamp: head.timestamp + 12
        )
        return try block(header, mayHaveEvents: false)
    }
}

extension ChainTransport {
    fileprivate var events: [ContractEvent] {
        var events: [ContractEvent] = []
        change { events = $0.allEvents }
        return events
    }

    /// Mines a block, or reorganises the chain; returns how many events the newest block has.
    fileprivate func change(_ random: inout SeededRandom) -> Int {
        let depth = Int.random(in: 0..<8, using: &random) == 0 ? Int(random.next() % 3) + 1 : 0
        let count = max(0, Int(random.next() % 4) - 1)
        let first = Int(random.next() % 2)
        change { chain in
            chain.drop(depth)
            if depth > 0 { for _ in 0..<depth { chain.mine(events: first) } }
            chain.mine(events: count)
        }
        return count
    }
}

extension ChainConfiguration {
    /// Settings with which nothing is late, however much time a test lets pass.
    static func patient(
        chain: UInt64,
        endpoints: [Endpoint],
        contract: Address
    ) -> ChainConfiguration {
        var configuration = ChainConfiguration(
            chain: ChainID(chain),
            endpoints: endpoints,
            filter: LogFilter(addresses: [contract], firstBlock: 0)
        )
        configuration.pollInterval = .seconds(1)
        configuration.headAgeMax = nil
        configuration.headLagSecondsMax = nil
        configuration.limits.comparisonTimeMax = .seconds(3_600)
        configuration.limits.voteTimeMax = .seconds(3_600)
        configuration.limits.confirmWaitMax = .seconds(3_600)
        return configuration
    }
}
