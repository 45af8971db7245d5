import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

/// Follows a chain over two or three endpoints, one of which contradicts the others or stalls.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ThirdEndpointTests {
    private static let nothing = #"{"jsonrpc":"2.0","id":0,"result":null}"#

    private let names = ["http://first.test", "http://second.test"]

    /// The chain at two other names before its own, or at one; one of them is altered.
    private func harness(
        _ dev: DevChain,
        _ transport: any RPCTransport,
        altered index: Int,
        others count: Int = 2,
        filter: LogFilter = LogFilter(addresses: [], firstBlock: 0),
        configure: (inout ChainConfiguration) -> Void = { _ in },
        _ change: @escaping AlteringTransport.Change
    ) throws -> ChainHarness {
        let others = try names.prefix(count).map { try Endpoint(url: $0) }
        return ChainHarness(
            dev: dev,
            transport: AlteringTransport(
                inner: SameTransport(inner: transport, real: dev.endpoint),
                altered: others[index].name,
                change: change
            ),
            filter: filter,
            before: others
        ) {
            $0.confirmations = 2
            $0.pollsPerSurvey = 5
            configure(&$0)
        }
    }

    private func sources(_ harness: ChainHarness) -> SourceStatus? {
        harness.listener.updates.reversed().lazy.compactMap {
            if case .sources(let sources) = $0 { sources } else { nil }
        }.first
    }

    private func isBlockAsked(_ request: String) -> Bool {
        request.contains("eth_getBlockByNumber") && !request.contains("latest")
    }

    private func isMistrusted(_ index: Int, _ harness: ChainHarness) async -> Bool {
        let report = await harness.client.reports[index]
        if case .failing(.contradiction) = report.status { return true }
        return false
    }

    @Test func `reports without delay which of three endpoints gives no blocks`()
        async throws
    {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let harness = try harness(dev, transport, altered: 1, filter: beacon.filter) {
                isBlockAsked($0) ? Self.nothing : $1
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 2 }
                // The second one is asked for blocks below its head as long as there are newer ones.
                while await !isMistrusted(1, harness) {
                    try await beacon.emit()
                    try await beacon.emit()
                    try await beacon.emit()
                    let height = try harness.store.events(of: harness.chain).count
                    try await service.until { _ in sources(harness)?.confirmed ?? 0 > height }
                }
                #expect(sources(harness)?.state == .confirming)
            }
        }
    }

    @Test func `counts an endpoint that gives no blocks as away`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = try harness(
                dev,
                transport,
                altered: 0,
                others: 1,
                filter: beacon.filter,
                configure: {
                    $0.endpoints.reverse()
                    $0.limits.logRangeBlocksFirst = 1
                }
            ) {
                isBlockAsked($0) ? Self.nothing : $1
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.state == .away }
                #expect(await service.status.health == .following)
                #expect(sources(harness)?.confirms(3) != true)
            }
        }
    }

    @Test func `leaves a preferred endpoint that is alone on its fork`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = try harness(
                dev,
                transport,
                altered: 0,
                configure: { $0.limits.forkPatience = .zero }
            ) {
                $0.contains("eth_getBlockBy") ? Self.forked($1) : $1
            }
            let client = honest(harness, dev, transport)
            let honest = try #require(try await client.perform(RPCCall.block(.number(4))))
            try await harness.run { service in
                try await service.until {
                    $0.applied == honest.id && sources(harness)?.confirmed == 4
                }
                #expect(await isMistrusted(0, harness))
            }
        }
    }

    /// - From endpoints: another time of a block than two others have → its events are read again, and
    ///   the endpoint is mistrusted
    @Test func `leaves an endpoint that alone has another time of a block`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = try harness(dev, transport, altered: 0, filter: beacon.filter) {
                isBlockAsked($0) ? Self.later($1) : $1
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
                #expect(await isMistrusted(0, harness))
            }
            try await expectTrueTimes(harness, dev, transport)
        }
    }

    /// - From endpoints: a wrong time of a block, once → its events are read again
    @Test func `reads events again whose block once had another time`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let asked = Counted()
            let harness = try harness(dev, transport, altered: 0, others: 1, filter: beacon.filter)
            {
                isBlockAsked($0) && asked.next() == 0 ? Self.later($1) : $1
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
            }
            try await expectTrueTimes(harness, dev, transport)
        }
    }

    /// - From endpoints: again and again a time of a block that its hash refutes, by one of two → the
    ///   endpoint is mistrusted, and the time that the hash proves counts
    @Test func `leaves an endpoint whose times of blocks their hashes refute`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = try harness(dev, transport, altered: 0, others: 1, filter: beacon.filter)
            {
                isBlockAsked($0) ? Self.later($1) : $1
            }
            let client = honest(harness, dev, transport)
            let blocks = try await client.perform((2...4).map { RPCCall.block(.number($0)) })
            let times = blocks.compactMap { $0?.timestamp }
            try await harness.run { service in
                try await service.until { _ in
                    (try? harness.store.events(of: harness.chain).map(\.time.seconds)) == times
                }
                #expect(await isMistrusted(0, harness))
            }
        }
    }

    /// - From endpoints: a head with another time than others give its block → the endpoint is
    ///   mistrusted, and the chain's time stays that of the others
    @Test(arguments: [1, 2], [-3_500, 2])
    func `one endpoint's time of the head does not count`(
        others: Int,
        seconds: Int
    ) async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = try harness(
                dev,
                transport,
                altered: 0,
                others: others,
                filter: beacon.filter
            ) {
                $0.contains("latest") ? Self.later($1, by: seconds) : $1
            }
            let head = try #require(
                try await honest(harness, dev, transport).perform(RPCCall.block(.latest))
            )
            try await harness.run { service in
                try await service.until { $0.head?.header.timestamp == head.timestamp }
                #expect(await isMistrusted(0, harness))
            }
        }
    }

    /// Moves the times in an answer, by default forward by a second.
    private static func later(_ answer: String, by seconds: Int = 1) -> String {
        answer.replacing(/"timestamp": ?"0x([0-9a-f]+)"/) { match in
            let time = Int(match.output.1, radix: 16) ?? 0
            return "\"timestamp\":\"0x" + String(time + seconds, radix: 16) + "\""
        }
    }

    private func expectTrueTimes(
        _ harness: ChainHarness,
        _ dev: DevChain,
        _ transport: any RPCTransport
    ) async throws {
        let events = try harness.store.events(of: harness.chain)
        #expect(events.count == 3)
        let client = honest(harness, dev, transport)
        for event in events {
            let block = try await client.perform(RPCCall.block(.number(event.log.block.number)))
            #expect(event.time.seconds == block?.timestamp)
        }
    }

    private func honest(
        _ harness: ChainHarness,
        _ dev: DevChain,
        _ transport: any RPCTransport
    ) -> ChainClient {
        ChainClient(
            chain: harness.chain,
            endpoints: [dev.endpoint],
            transport: transport,
            logger: quiet
        )
    }

    /// - From endpoints: another fork below a block that two others have → nothing is rolled back, and
    ///   the endpoint is mistrusted
    @Test func `one endpoint's fork rolls back no confirmed block`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let isLying = Mutex(false)
            let harness = try harness(
                dev,
                transport,
                altered: 0,
                filter: beacon.filter,
                configure: { $0.limits.forkPatience = .zero }
            ) {
                guard $0.contains("eth_getBlockBy"), isLying.withLock({ $0 }) else { return $1 }
                return Self.forked($1)
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
                isLying.withLock { $0 = true }
                try await beacon.emit()
                try await service.until { _ in sources(harness)?.confirmed == 5 }
                #expect(await isMistrusted(0, harness))
            }
            #expect(try harness.store.events(of: harness.chain).count == 4)
            let isRolledBack = harness.listener.updates.contains {
                if case .rolledBack = $0 { true } else { false }
            }
            #expect(!isRolledBack)
        }
    }

    /// Changes the first digit of every hash, so that parents fit.
    private static func forked(_ answer: String) -> String {
        answer.replacing(/"(hash|parentHash)": ?"0x(.)/) { match in
            let digit = UInt8(match.output.2, radix: 16) ?? 0
            return "\"\(match.output.1)\":\"0x" + String(digit ^ 8, radix: 16)
        }
    }

    @Test func `confirms a long history in parts and polls heads in between`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<60 { try await beacon.emit() }
            let since = Mutex(0)
            let most = Mutex(0)
            let refused = Mutex(0)
            let widest = Mutex<UInt64>(0)
            let first = try Endpoint(url: names[0])
            let heads = AlteringTransport(
                inner: SameTransport(inner: transport, real: dev.endpoint),
                altered: first.name
            ) { request, answer in
                if request.contains("latest") { since.withLock { $0 = 0 } }
                return answer
            }
            let both = AlteringTransport(inner: heads, altered: dev.endpoint.name) {
                request,
                answer in
                guard request.contains("eth_getLogs") else { return answer }
                if refused.withLock({
                    $0 += 1
                    return $0 <= 2
                }) {
                    return #"{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"limit"}}"#
                }
                let count = since.withLock { count in
                    count += 1
                    return count
                }
                most.withLock { $0 = max($0, count) }
                let range = request.matches(of: /Block":"0x([0-9a-f]+)"/)
                    .compactMap { UInt64($0.output.1, radix: 16) }.sorted()
                if range.count == 2 {
                    widest.withLock { $0 = max($0, range[1] - range[0] + 1) }
                }
                return answer
            }
            let harness = ChainHarness(
                dev: dev,
                transport: both,
                filter: beacon.filter,
                before: [first]
            ) {
                $0.limits.logRangeBlocksFirst = 4
                $0.limits.logRangeBlocksMax = 8
                $0.limits.confirmQuestionsMax = 2
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 61 }
            }
            #expect((1...2).contains(most.withLock { $0 }))
            #expect(widest.withLock { $0 } == 8)
        }
    }
}
