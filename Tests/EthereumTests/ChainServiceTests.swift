import Concurrency
import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

/// Follows a real development chain.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ChainServiceTests {
    @Test func `applies, replaces and keeps events through a reorganisation`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            for _ in 0..<3 { try await beacon.emit() }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 4 }
                #expect(try harness.store.events(of: harness.chain).count == 3)
                let old = try harness.store.events(of: harness.chain)
                try await dev.control("evm_reorg", "[2, false]")
                try await beacon.emit()
                try await service.until { $0.applied?.number == 6 && $0.health == .following }
                let now = try harness.store.events(of: harness.chain)

                #expect(now.count == 2)
                #expect(now.first == old.first)
                #expect(await service.confirmations(of: old[2].log.block) == nil)
                #expect(await service.confirmations(of: now[0].log.block) == 5)
                #expect(harness.listener.events == now)
                #expect(harness.listener.updates.contains(.rolledBack(to: old[0].log.block)))
            }
        }
    }

    /// Also by more blocks than the follower knows.
    @Test(arguments: [1, 2], [2, 12])
    func `follows a chain that rolls back without a new block`(
        endpoints: Int,
        blocks: UInt64
    ) async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let snapshot = try await dev.control("evm_snapshot")
            let id = try #require(snapshot.firstMatch(of: /"result": ?("[^"]+")/)?.output.1)
            for _ in 0..<blocks { try await beacon.emit() }
            let harness = ChainHarness(
                dev: dev,
                transport: SameTransport(inner: transport, real: dev.endpoint),
                filter: beacon.filter,
                before: endpoints == 2 ? [try dev.liar] : []
            ) {
                $0.pollsPerSurvey = 3
                $0.limits.windowBlocksMax = 8
            }
            try await harness.run { service in
                try await service.until {
                    $0.applied?.number == 2 + blocks && $0.health == .following
                }
                try await dev.control("evm_revert", "[\(id)]")
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
                #expect(try harness.store.events(of: harness.chain).count == 1)
                #expect(harness.listener.events == (try harness.store.events(of: harness.chain)))
                try await beacon.emit()
                try await service.until { $0.applied?.number == 3 && $0.health == .following }
                #expect(try harness.store.events(of: harness.chain).count == 2)
            }
        }
    }

    /// - From endpoints: another chain in the middle → nothing is rolled back, and the endpoint is not
    ///   used
    @Test func `keeps its events if the endpoint changes its chain`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let isForeign = Mutex(false)
            let altering = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                guard isForeign.withLock({ $0 }) else { return answer }
                if request.contains("eth_chainId") {
                    return answer.replacing(/"result": ?"[^"]+"/, with: #""result":"0x5""#)
                }
                // Every hash is another one, and the blocks still lead from one to the next.
                return answer.replacing(/0x[0-9a-f]{8}(?=[0-9a-f]{56}")/, with: "0xdeadbeef")
            }
            let harness = ChainHarness(dev: dev, transport: altering, filter: beacon.filter)
            try await harness.run { service in
                try await service.until { $0.applied?.number == 4 && $0.health == .following }
                let before = try harness.store.events(of: harness.chain)
                isForeign.withLock { $0 = true }
                try await beacon.emit()
                try await service.until { $0.health == .wrongChain(found: ChainID(5)) }
                #expect(before.count == 3)
                #expect(try harness.store.events(of: harness.chain) == before)
                #expect(!harness.listener.updates.contains(.rolledBack(to: nil)))
            }
        }
    }

    @Test func `detects at start a reorganisation that happened while stopped`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            for _ in 0..<4 { try await beacon.emit() }
            try await harness.run { try await $0.until { $0.applied?.number == 5 } }
            let before = try harness.store.events(of: harness.chain)
            try await dev.control("evm_reorg", "[3]")
            try await harness.run { try await $0.until { $0.applied?.number == 6 } }
            let after = try harness.store.events(of: harness.chain)

            #expect(before.count == 4)
            #expect(after.count == 4)
            #expect(after[0] == before[0])
            #expect(after[3].log.block.number == 6)
        }
    }

    @Test func `a crash at any commit neither loses nor duplicates an event`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for commit in 1...2 {
                for crash in [MemoryChainStore.Crash.beforeCommit(commit), .afterCommit(commit)] {
                    let harness = ChainHarness(
                        dev: dev,
                        transport: transport,
                        filter: beacon.filter
                    )
                    harness.store.plan(crash)
                    await #expect(throws: MemoryChainStore.Crashed.self) {
                        try await harness.run { service in
                            for _ in 0..<2 {
                                try await beacon.emit()
                                let head = try await harness.client.perform(RPCCall.block(.latest))
                                try await service.until { $0.applied?.number == head?.number }
                            }
                            try await service.until { _ in false }
                        }
                    }
                    harness.store.plan(nil)
                    let head = try await harness.client.perform(RPCCall.block(.latest))
                    try await harness.run { try await $0.until { $0.applied == head?.id } }
                    let all = try await harness.client.perform(
                        RPCCall.logs(beacon.filter, in: 0...(head?.number ?? 0))
                    )
                    #expect(try harness.store.events(of: harness.chain).map(\.log) == all)
                }
            }
        }
    }

    @Test func `continues after one failure of the store`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for (index, crash) in [MemoryChainStore.Crash.beforeCommit(1), .afterCommit(1)]
                .enumerated()
            {
                let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
                harness.store.plan(crash)
                let errors = LoopErrors("chain", logger: quiet)
                try await beacon.emit()
                try await harness.run(errors: errors) { service in
                    try await service.until { $0.applied?.number == UInt64(2 + index) }
                }
                #expect(errors.count == 1)
                #expect(try harness.store.events(of: harness.chain).count == 1 + index)
                let resumptions = harness.listener.updates.count { update in
                    if case .resumed = update { true } else { false }
                }
                #expect(resumptions == 2)
            }
        }
    }

    /// - From endpoints: an endpoint that is dead, lagging, or on another chain → skipped and named
    @Test func `skips and reports a dead, a foreign and a lagging endpoint`() async throws {
        try await DevChain.scoped { dev, transport in
            try await DevChain.scoped { lagging, _ in
                try await DevChain.scoped(["--chain-id", "5"]) { foreign, _ in
                    let dead = try Endpoint(url: "http://127.0.0.1:9")
                    try await dev.control("evm_mineBlocks", "[8, 1]")
                    let harness = ChainHarness(
                        dev: dev,
                        transport: transport,
                        filter: LogFilter(addresses: [], firstBlock: 0),
                        before: [dead, foreign.endpoint, lagging.endpoint]
                    )
                    try await harness.run { service in
                        try await service.until { $0.applied?.number == 8 }
                        let reports = await harness.client.reports
                        guard case .failing(.unreachable) = reports[0].status else {
                            Issue.record("\(reports[0])")
                            return
                        }
                        #expect(reports[1].status == .wrongChain(ChainID(5)))
                        #expect(reports[2].status == .behind)
                        #expect(reports[3].status == .good)
                    }
                }
            }
        }
    }

    @Test func `a fault of the only endpoint shows in the chain's health`() async throws {
        try await DevChain.scoped { dev, transport in
            let clock = LeapingClock()
            let harness = ChainHarness(
                dev: dev,
                transport: transport,
                filter: LogFilter(addresses: [], firstBlock: 0),
                clock: clock
            ) {
                $0.headAgeMax = .seconds(3_600)
                $0.limits.answerTimeout = .seconds(1)
                $0.limits.mistrust = .milliseconds(20)
            }
            try await harness.run { service in
                try await service.until { $0.health == .following }
                clock.leap(.seconds(3_601))
                try await service.until { $0.health == .stale(.noNewBlock) }
                try await dev.control("evm_mine")
                try await service.until { $0.health == .following }
                // The id is asked for again only once the endpoint has failed.
                try await dev.control("dev_fault", #"["chain_id", {"id": 7}]"#)
                try await dev.control("dev_fault", #"["hang", {}]"#)
                try await service.until { $0.health == .unreachable }
                // Clears itself, and what hangs already goes on doing so.
                try await dev.control("dev_fault", #"["hang", {"times": 1}]"#)
                try await service.until { $0.health == .wrongChain(found: ChainID(7)) }
                try await dev.control("dev_fault", #"["none"]"#)
                try await dev.control("evm_mine")
                try await service.until { $0.health == .following }
            }
        }
    }

    @Test(arguments: ["garbage", "cut", "wrong_id", "http_status", "error"])
    func `follows the chain in spite of broken answers`(fault: String) async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            try await beacon.emit()
            try await dev.control("dev_fault", #"["\#(fault)", {"times": 5}]"#)
            try await harness.run { service in
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
            }
            #expect(try harness.store.events(of: harness.chain).count == 1)
        }
    }
}
