import Ethereum
import Keys
import Logging
import Market
import Support
import Synchronization
import Testing

/// Follows a chain whose endpoint announces new blocks.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AnnouncedHeadTests {
    private static let contract = testKey(7).address
    private static let number: UInt64 = 31_337

    private let transport: ChainTransport
    private let clock = SteppedClock()
    private let store = MemoryChainStore()
    private let listener = ListenerLog()
    private let socket: Endpoint
    private let second: Endpoint

    init() throws {
        var chain = FakeChain(contract: Self.contract)
        for count in [1, 0, 2] { chain.mine(events: count) }
        transport = ChainTransport(chain, chainNumber: Self.number)
        socket = try Endpoint(url: "ws://first.example")
        second = try Endpoint(url: "http://second.example")
    }

    /// Follows the chain; `body` starts once all is applied and the follower waits.
    private func run(
        _ endpoints: [Endpoint],
        through other: (any RPCTransport)? = nil,
        logger: Logger = quiet,
        _ body: (ChainService, ChainClient) async throws -> Void
    ) async throws {
        let configuration = ChainConfiguration.patient(
            chain: Self.number,
            endpoints: endpoints,
            contract: Self.contract
        )
        let client = ChainClient(
            chain: configuration.chain,
            endpoints: endpoints,
            transport: other ?? transport,
            limits: configuration.limits,
            clock: clock,
            logger: logger
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
            try await body(service, client)
            group.cancelAll()
        }
    }

    /// A filter of no logs, or of logs of any contract.
    private func bloom(isEmpty: Bool) throws -> LogBloom {
        try #require(LogBloom([UInt8](repeating: isEmpty ? 0 : 0xFF, count: 256)))
    }

    private func announce(isEmpty: Bool = true) throws {
        let block = AnnouncedBlock(header: transport.head, bloom: try bloom(isEmpty: isEmpty))
        transport.announce(.block(block))
    }

    /// Lets time pass, and the follower do what is due then.
    private func pass(_ duration: Duration) async {
        await clock.untilDue(within: .seconds(600))
        clock.advance(duration)
        await clock.untilDue(within: .seconds(600))
    }

    /// Waits until the follower waits for a moment, and lets that come.
    private func step(_ duration: Duration = .milliseconds(100)) async {
        await clock.untilDue(within: duration)
        clock.advance(duration)
        await clock.untilDue(within: .seconds(600))
    }

    /// The requests since `start`, without those for the newest block.
    private func questions(since start: Int) -> [String] {
        transport.requests.dropFirst(start).filter { !$0.body.contains("latest") }.map(\.method)
    }

    @Test(arguments: [1, 2])
    func `an idle chain costs less than one request a minute besides its head`(count: Int)
        async throws
    {
        try await run(Array([socket, second].prefix(count))) { service, client in
            let start = transport.requests.count
            for _ in 0..<50 {
                transport.change { $0.mine(events: 0) }
                try announce()
                try await service.until { $0.applied == transport.head.id }
                await step()
                await pass(.milliseconds(11_900))
            }
            #expect(clock.uptime >= .seconds(600))
            let asked = questions(since: start)
            #expect(asked.count < 10, "\(asked)")
            // The heads that were asked for all the same.
            let heads = transport.requests.count - start - asked.count
            #expect(heads <= 2 * 4 * count, "\(heads)")
            #expect(await service.status.health == .following)
            #expect(await client.reports.allSatisfy { $0.status == .good })
        }
        #expect(try store.events(of: ChainID(Self.number)).count == 3)
    }

    @Test func `polls the head at each interval if there are no announcements`() async throws {
        try await run([second]) { _, _ in
            let start = transport.requests.count
            for _ in 0..<60 { await step(.seconds(1)) }
            #expect(transport.requests.count - start == 60)
        }
    }

    @Test func `reads a gap in the announced blocks and misses no event in it`() async throws {
        try await run([socket, second]) { service, _ in
            transport.change { chain in
                chain.mine(events: 2)
                chain.mine(events: 0)
            }
            try announce()
            await step()
            try await service.until { $0.applied == transport.head.id }
            #expect(try store.events(of: ChainID(Self.number)).count == 5)
        }
    }

    @Test func `reads a block at once if it may contain one of the market's events`() async throws {
        try await run([socket, second]) { service, _ in
            transport.change { $0.mine(events: 1) }
            try announce(isEmpty: false)
            await step()
            try await service.until { $0.applied == transport.head.id }
            #expect(try store.events(of: ChainID(Self.number)).count == 4)
            let confirmed = try await store.sources(of: ChainID(Self.number))?.confirmed
            #expect(confirmed == transport.head.id)
        }
    }

    @Test func `reads the logs of a block whose header does not prove them`() async throws {
        try await run([socket]) { service, _ in
            let start = transport.requests.count
            transport.change { $0.mine(events: 0) }
            transport.announce(.block(AnnouncedBlock(header: transport.head, bloom: nil)))
            await step()
            try await service.until { $0.applied == transport.head.id }
            #expect(questions(since: start).contains("eth_getLogs"))
        }
    }

    @Test func `reads announced blocks of another fork and rolls back the old ones`() async throws {
        try await run([socket, second]) { service, _ in
            transport.change { chain in
                chain.drop(2)
                for _ in 0..<3 { chain.mine(events: 1) }
            }
            try announce()
            await step()
            try await service.until { $0.applied == transport.head.id }
            #expect(try store.events(of: ChainID(Self.number)).count == 4)
            #expect(try store.events(of: ChainID(Self.number)) == listener.events)
        }
    }

    /// - From endpoints: an announced block that is invented or unreadable → the endpoint is asked
    ///   as usual; nothing is applied
    @Test func `an invented announcement only triggers a request to the endpoint`() async throws {
        try await run([socket, second]) { service, client in
            let head = transport.head
            for (number, parent) in [
                (head.number + 1, Bytes32(repeating: 9)), (head.number + 1_000, head.id.hash),
                (head.number, head.parent),
            ] {
                let header = BlockHeader(
                    id: BlockID(number: number, hash: Bytes32(repeating: 8)),
                    parent: parent,
                    timestamp: head.timestamp + 12
                )
                let bloom = try bloom(isEmpty: true)
                transport.announce(.block(AnnouncedBlock(header: header, bloom: bloom)))
                await step()
                #expect(await service.status.applied == head.id)
            }
            transport.announce(.unreadable("an announced block that is not a header"))
            await step()
            guard case .failing(.malformed(socket.name, _, _)) = await client.reports[0].status
            else {
                Issue.record("\(await client.reports[0])")
                return
            }
            #expect(await service.status.applied == head.id)
            #expect(try store.events(of: ChainID(Self.number)).count == 3)
        }
    }

    /// - From endpoints: a flood of announced blocks that are not there → the head is asked for at
    ///   the poll interval
    @Test func `a flood of forged heads costs hardly more than polling`() async throws {
        try await run([socket, second]) { service, client in
            let (head, start) = (transport.head, transport.requests.count)
            let empty = try bloom(isEmpty: true)
            for number in 1...600 as ClosedRange<UInt64> {
                let header = BlockHeader(
                    id: BlockID(
                        number: head.number + (number % 3) * 1_000_000,
                        hash: Bytes32(words: 9, 9, 9, number)
                    ),
                    parent: Bytes32(words: 9, 9, 9, number - 1),
                    timestamp: head.timestamp + 12
                )
                transport.announce(.block(AnnouncedBlock(header: header, bloom: empty)))
                await step()
            }
            #expect(transport.requests.count - start < 250)
            transport.change { $0.mine(events: 1) }
            try announce(isEmpty: false)
            while await service.status.applied != transport.head.id {
                await pass(.milliseconds(100))
            }
            #expect(await client.reports.allSatisfy { $0.status == .good })
        }
    }

    /// - From endpoints: another hash of each block in each answer → the endpoint is mistrusted and
    ///   asked less and less often; the log says it once an hour
    @Test(arguments: [true, false])
    func `hardly asks an endpoint whose blocks differ in every answer`(
        isAnnouncing: Bool
    ) async throws {
        transport.change { chain in for _ in 0..<60 { chain.mine(events: 0) } }
        let endpoint = isAnnouncing ? socket : second
        let isLying = Mutex(false)
        let (answers, calls) = (Counted(), Counted())
        let changing = AlteringTransport(inner: transport, altered: endpoint.name) {
            request,
            answer in
            for _ in request.matches(of: /"method"/) { _ = calls.next() }
            guard isLying.withLock({ $0 }) else { return answer }
            let digits = String(0x1000_0000 + answers.next(), radix: 16)
            return answer.replacing(/0x[0-9a-f]{8}(?=[0-9a-f]{56}")/, with: "0x" + digits)
        }
        let log = LogLines()
        try await run([endpoint], through: changing, logger: log.logger) { service, _ in
            let start = calls.count
            isLying.withLock { $0 = true }
            transport.change { $0.mine(events: 1) }
            for _ in 0..<600 {
                if isAnnouncing { try announce() }
                await step(.seconds(1))
            }
            #expect(calls.count - start < 3_000)
            #expect(log.all.count { $0.contains("changes from answer to answer") } == 1)
            isLying.withLock { $0 = false }
            for _ in 0..<300 { await pass(.seconds(1)) }
            #expect(await service.status.applied == transport.head.id)
            #expect(try store.events(of: ChainID(Self.number)) == listener.events)
        }
        #expect(try store.events(of: ChainID(Self.number)).count == 4)
    }

    @Test func `polls while announcements are missing, and stops when they return`() async throws {
        try await run([socket, second]) { service, client in
            transport.hangUp()
            transport.change { $0.mine(events: 1) }
            for _ in 0..<2 { await step(.seconds(1)) }
            #expect(await service.status.applied == transport.head.id)
            #expect(try store.events(of: ChainID(Self.number)).count == 4)
            let subscribed = transport.requests.filter { $0.method == "eth_subscribe" }
            #expect(subscribed.count == 2)
            transport.change { $0.mine(events: 0) }
            try announce()
            try await service.until { $0.applied == transport.head.id }
            #expect(await client.reports[0].status == .good)
        }
    }
}

/// Follows a development chain by its announcements alone.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AnnouncedDevChainTests {
    @Test(arguments: ["london", "shanghai", "cancun", "prague"])
    func `applies announced blocks and reads only those with events`(
        fork: String
    ) async throws {
        try await DevChain.scoped(["--fork", fork]) { dev, _ in
            let beacon = try await Beacon.deployed(on: dev)
            try await EndpointTransport.scoped { transport in
                let reads = Mutex(0)
                let counting = AlteringTransport(inner: transport, altered: dev.socket.name) {
                    request,
                    answer in
                    if request.contains("eth_getLogs") { reads.withLock { $0 += 1 } }
                    return answer
                }
                let harness = ChainHarness(dev: dev, transport: counting, filter: beacon.filter) {
                    $0.endpoints = [dev.socket]
                    $0.pollInterval = .seconds(3_600)
                }
                try await harness.run { service in
                    try await service.until { $0.health == .following }
                    let before = reads.withLock { $0 }
                    for number in 2...6 as ClosedRange<UInt64> {
                        try await dev.control("evm_mine")
                        try await service.until { $0.applied?.number == number }
                    }
                    #expect(reads.withLock { $0 } == before)
                    try await beacon.emit()
                    try await service.until { $0.applied?.number == 7 }
                    #expect(reads.withLock { $0 } == before + 1)
                    try await dev.control("evm_reorg", "[2, true]")
                    try await service.until { $0.applied?.number == 8 }
                }
                #expect(try harness.store.events(of: harness.chain).count == 1)
                #expect(try harness.store.events(of: harness.chain) == harness.listener.events)
            }
        }
    }

    @Test func `follows a chain over a WebSocket that breaks`() async throws {
        try await DevChain.scoped { dev, _ in
            let beacon = try await Beacon.deployed(on: dev)
            try await EndpointTransport.scoped { transport in
                let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter) {
                    $0.endpoints = [dev.socket]
                }
                try await harness.run { service in
                    try await service.until { $0.health == .following }
                    for fault in ["cut", "garbage", "http_status", "wrong_id", "error"] {
                        let methods = #"["eth_getBlockByNumber","eth_getLogs","eth_subscribe"]"#
                        try await dev.control(
                            "dev_fault",
                            #"["\#(fault)", {"times": 2, "methods": \#(methods)}]"#
                        )
                        try await beacon.emit()
                        let head = try await dev.control("eth_blockNumber")
                        try await service.until { status in
                            let number = status.applied.map { String($0.number, radix: 16) } ?? ""
                            return status.health == .following && head.contains("\"0x\(number)\"")
                        }
                    }
                }
                #expect(try harness.store.events(of: harness.chain).count == 5)
            }
        }
    }
}
