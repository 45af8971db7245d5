import Concurrency
import Ethereum
import Keys
import Market
import Support
import Testing

/// Two endpoints of one chain that do not have the same blocks at a time.
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
            let transport = endpoint.name.description.contains("second") ? second : first
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
    private static let contract = testKey(7).address

    private let clock = SteppedClock()
    private let store = MemoryChainStore()
    /// Whether an answer is delayed now.
    private let delayed = Broadcast<Bool>(false)

    private func follower(
        of transport: any RPCTransport,
        others: [String] = []
    ) throws -> (service: ChainService, client: ChainClient) {
        var configuration = ChainConfiguration(
            chain: Self.chain,
            endpoints: try (["first", "second"] + others).map {
                try Endpoint(url: "http://\($0).example")
            },
            filter: LogFilter(addresses: [Self.contract], firstBlock: 0)
        )
        configuration.pollInterval = .seconds(1)
        configuration.confirmations = 3
        configuration.headAgeMax = nil
        configuration.headLagSecondsMax = nil
        let client = ChainClient(
            chain: Self.chain,
            endpoints: configuration.endpoints,
            transport: transport,
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
        return (service, client)
    }

    /// Lets some seconds pass.
    ///
    /// - Returns: Whether both endpoints have confirmed a block meanwhile.
    private func pass(_ seconds: Int, until block: BlockID) async throws -> Bool {
        for _ in 0..<seconds {
            await clock.untilDue(within: .seconds(1))
            clock.advance(.seconds(1))
            await clock.untilAwaited()
            if try await store.sources(of: Self.chain)?.confirmed == block { return true }
        }
        return false
    }

    @Test func `an endpoint that sees a new head first is not mistrusted`() async throws {
        var blocks = FakeChain(contract: Self.contract)
        for count in [1, 0, 2, 1, 0, 1] { blocks.mine(events: count) }
        // The newest two blocks, which both endpoints have at first, are replaced.
        var forked = blocks
        forked.drop(2)
        for count in [2, 0, 1] { forked.mine(events: count) }
        let (before, after) = (blocks, forked)
        let number = Self.chain.number
        let chains = TwoChains(
            first: ChainTransport(before, chainNumber: number),
            second: ChainTransport(before, chainNumber: number)
        )
        let (service, client) = try follower(of: chains)
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            let isFollowing = try await pass(60, until: before.head.id)
            #expect(isFollowing)
            chains.first.change { $0 = after }
            let isAlone = try await !pass(5, until: after.head.id)
            #expect(isAlone)
            #expect(await client.reports.allSatisfy { $0.status == .good })
            chains.second.change { $0 = after }
            let isConfirmed = try await pass(60, until: after.head.id)
            #expect(isConfirmed)
            #expect(await client.reports.allSatisfy { $0.status == .good })
            group.cancelAll()
        }
        #expect(try store.events(of: Self.chain).map(\.log) == after.allEvents)
    }

    /// - From endpoints: an old fork that two others have left → theirs is followed, and neither of
    ///   them is mistrusted
    @Test func `one of three that stays on an old fork holds up no other`() async throws {
        var blocks = FakeChain(contract: Self.contract)
        for count in [1, 0, 2, 1, 0, 1, 0, 1] { blocks.mine(events: count) }
        var forked = blocks
        forked.drop(6)
        for _ in 0..<8 { forked.mine(events: 1) }
        let (before, after) = (blocks, forked)
        let chains = TwoChains(
            first: ChainTransport(before, chainNumber: Self.chain.number),
            second: ChainTransport(before, chainNumber: Self.chain.number)
        )
        let (service, client) = try follower(of: chains, others: ["third"])
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            let isFollowing = try await pass(60, until: before.head.id)
            #expect(isFollowing)
            chains.first.change { $0 = after }
            let isConfirmed = try await pass(60, until: after.head.id)
            #expect(isConfirmed)
            let reports = await client.reports
            #expect(reports[0].status == .good && reports[2].status == .good)
            group.cancelAll()
        }
        #expect(try store.events(of: Self.chain).map(\.log) == after.allEvents)
    }

    /// - From endpoints: other times of blocks, of which the second one lacks the headers → the third one
    ///   says the times, and the first is mistrusted
    @Test func `an endpoint without headers confirms no time`() async throws {
        var blocks = FakeChain(contract: Self.contract)
        for count in [1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0] { blocks.mine(events: count) }
        let whole = blocks
        let pruned = AlteringTransport(
            inner: ChainTransport(whole, chainNumber: Self.chain.number),
            altered: try Endpoint(url: "http://second.example").name
        ) { request, answer in
            guard request.contains("eth_getBlockByNumber"), !request.contains("latest") else {
                return answer
            }
            return answer.replacing(
                /"result": ?\{"number":"0x[0-8]".*?\}/,
                with: #""result":null"#
            )
        }
        let lying = AlteringTransport(
            inner: pruned,
            altered: try Endpoint(url: "http://first.example").name
        ) { request, answer in
            guard request.contains("eth_getBlockByNumber"), !request.contains("latest") else {
                return answer
            }
            return answer.replacing(/"timestamp":"0x([0-9a-f]+)"/) { match in
                let time = Int(match.output.1, radix: 16) ?? 0
                return "\"timestamp\":\"0x" + String(time + 1, radix: 16) + "\""
            }
        }
        let (service, client) = try follower(of: lying, others: ["third"])
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            var isNamed = false
            for _ in 0..<60 where !isNamed {
                let isConfirmed = try await pass(1, until: whole.head.id)
                #expect(!isConfirmed)
                if case .failing(.contradiction) = await client.reports[0].status { isNamed = true }
            }
            #expect(isNamed)
            #expect(await client.reports[2].status == .good)
            group.cancelAll()
        }
    }

    /// Has the second endpoint invent an event in the last block of each range.
    private func inventing(
        _ chain: FakeChain,
        pause: Duration = .zero,
        asked: Counted
    ) throws -> AlteringTransport {
        AlteringTransport(
            inner: ChainTransport(chain, chainNumber: Self.chain.number),
            altered: try Endpoint(url: "http://second.example").name
        ) { [self] request, answer in
            try await wait(pause)
            guard request.contains("eth_getLogs"),
                let end = request.firstMatch(of: /"toBlock":"0x([0-9a-f]+)"/)?.output.1,
                let height = Int(end, radix: 16)
            else { return answer }
            _ = asked.next()
            let lie = ContractEvent(
                block: chain.blocks[height].id,
                index: 9,
                transaction: Bytes32(repeating: 4),
                address: Self.contract,
                topics: [Bytes32(repeating: 7)],
                data: []
            )
            return lie.invented(in: request, answer)
        }
    }

    private func longChain() -> FakeChain {
        var blocks = FakeChain(contract: Self.contract)
        for _ in 0..<40 { blocks.mine(events: 1) }
        return blocks
    }

    /// - From endpoints: an invented event in the last block of each range → the blocks below it are
    ///   confirmed with the same answer
    @Test func `a difference above others asks for nothing again`() async throws {
        let (whole, asked) = (longChain(), Counted())
        let (service, _) = try follower(of: try inventing(whole, asked: asked))
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            let isConfirmed = try await pass(9, until: whole.blocks[whole.blocks.count - 2].id)
            #expect(isConfirmed)
            group.cancelAll()
        }
        #expect(asked.count < 10, "\(asked.count)")
    }

    /// - From endpoints: each answer only after 14 seconds → the endpoint is asked after the others, and
    ///   holds them up for no longer than 5 seconds a minute
    @Test func `one endpoint that is slow holds up no confirmation`() async throws {
        let whole = longChain()
        let transport = try inventing(whole, pause: .seconds(14), asked: Counted())
        let (service, _) = try follower(of: transport, others: ["third"])
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            while try await store.sources(of: Self.chain)?.confirmed != whole.head.id {
                try #require(clock.uptime < .seconds(60))
                await nextPause()
                clock.advance(.seconds(1))
            }
            group.cancelAll()
        }
    }

    /// - From endpoints: each answer only after 14 seconds, by one of two → the events are confirmed
    ///   nevertheless, some of them in each poll
    @Test func `waits for the only other endpoint although it is slow`() async throws {
        let whole = longChain()
        let slow = AlteringTransport(
            inner: ChainTransport(whole, chainNumber: Self.chain.number),
            altered: try Endpoint(url: "http://second.example").name
        ) { [self] _, answer in
            try await wait(.seconds(14))
            return answer
        }
        let (service, _) = try follower(of: slow)
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            while try await store.sources(of: Self.chain)?.confirmed != whole.head.id {
                try #require(clock.uptime < .seconds(300))
                await nextPause()
                clock.advance(.seconds(1))
            }
            group.cancelAll()
        }
    }

    /// Delays an answer.
    private func wait(_ pause: Duration) async throws {
        guard pause > .zero else { return }
        delayed.send(true)
        defer { delayed.send(false) }
        try await clock.wait(pause)
    }

    /// Waits until the next poll is due within a second, or an answer is delayed.
    private func nextPause() async {
        await withTaskGroup { [clock, delayed] group in
            group.addTask { await clock.untilDue(within: .seconds(1)) }
            group.addTask {
                for await isDelayed in delayed.values() where isDelayed { break }
                await clock.untilDue(within: .seconds(14))
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// The headers of these chains do not have the hashes of their fields, so their times are asked of
    /// both endpoints.
    @Test func `an endpoint without old headers still confirms events`() async throws {
        var blocks = FakeChain(contract: Self.contract)
        for _ in 0..<40 { blocks.mine(events: 1) }
        let whole = blocks
        let chain = ChainTransport(whole, chainNumber: Self.chain.number)
        let asked = Counted()
        let pruned = AlteringTransport(
            inner: chain,
            altered: try Endpoint(url: "http://second.example").name
        ) { request, answer in
            guard request.contains("eth_getBlockByNumber"), !request.contains("latest") else {
                return answer
            }
            for _ in request.matches(of: /"method"/) { _ = asked.next() }
            return answer.replacing(
                /"result": ?\{"number":"0x[0-9a-f]".*?\}/,
                with: #""result":null"#
            )
        }
        let (service, client) = try follower(of: pruned)
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            let isConfirmed = try await pass(60, until: whole.head.id)
            #expect(isConfirmed)
            group.cancelAll()
        }
        #expect(asked.count < 100, "\(asked.count)")
        #expect(await client.reports.allSatisfy { $0.status == .good })
    }
}
