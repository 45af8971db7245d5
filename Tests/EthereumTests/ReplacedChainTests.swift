import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing

/// Follows a chain whose endpoint then serves another one with the same id.
@Suite(.serialized, .timeLimit(.minutes(5)))
final class ReplacedChainTests: Sendable {
    private static let production = ["--chain-id", "5"]

    private let isForeign = Mutex(false)
    private let log = LogLines()

    /// Gives every hash other digits; blocks still lead from one to the next.
    private func altering(_ name: EndpointName, _ inner: any RPCTransport) -> AlteringTransport {
        AlteringTransport(inner: inner, altered: name) { [self] _, answer in
            guard isForeign.withLock({ $0 }) else { return answer }
            return answer.replacing(/0x[0-9a-f]{8}(?=[0-9a-f]{56}")/, with: "0xdeadbeef")
        }
    }

    private func isRolledBack(_ harness: ChainHarness) -> Bool {
        harness.listener.updates.contains(.rolledBack(to: nil))
    }

    /// - From endpoints: another chain with the same id, in the middle or at the start → nothing is
    ///   rolled back; the endpoint is named and not used
    @Test(arguments: [true, false])
    func `keeps its events if another chain has the same id`(isRunning: Bool) async throws {
        try await DevChain.scoped(Self.production) { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = ChainHarness(
                dev: dev,
                transport: altering(dev.endpoint.name, transport),
                filter: beacon.filter,
                logger: log.logger
            ) {
                $0.limits.mistrust = .milliseconds(50)
            }
            if !isRunning {
                try await harness.run { try await $0.until { $0.applied?.number == 4 } }
                isForeign.withLock { $0 = true }
            }
            try await harness.run { service in
                if isRunning {
                    try await service.until { $0.applied?.number == 4 && $0.health == .following }
                    isForeign.withLock { $0 = true }
                }
                try await beacon.emit()
                try await service.until { $0.health == .wrongChain(found: ChainID(5)) }
                #expect(await harness.client.reports[0].status == .wrongChain(ChainID(5)))
                #expect(try harness.store.events(of: harness.chain).count == 3)
                #expect(!isRolledBack(harness))
                let told = log.all.filter { $0.hasPrefix("endpoint failed") }
                #expect(told.count == 1)
                #expect(told[0].contains(dev.endpoint.name.description))
                #expect(told[0].contains("deploy the market there"))

                isForeign.withLock { $0 = false }
                try await service.until { $0.applied?.number == 5 && $0.health == .following }
                #expect(try harness.store.events(of: harness.chain).count == 4)
            }
        }
    }

    /// - From endpoints: a chain with the same id that is shorter than the market's first block →
    ///   nothing is rolled back
    @Test func `keeps its events if the chain begins again and is shorter`() async throws {
        try await DevChain.scoped(Self.production) { dev, transport in
            let snapshot = try await dev.control("evm_snapshot")
            let id = try #require(snapshot.firstMatch(of: /"result": ?("[^"]+")/)?.output.1)
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let heads = Mutex(0)
            let counting = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                if request.contains("latest") { heads.withLock { $0 += 1 } }
                return answer
            }
            let harness = ChainHarness(
                dev: dev,
                transport: counting,
                filter: LogFilter(addresses: [beacon.address], firstBlock: 1)
            ) {
                $0.pollsPerSurvey = 3
            }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 4 && $0.health == .following }
                try await dev.control("evm_revert", "[\(id)]")
                try await service.until { $0.health == .stale(.behind) }
                heads.withLock { $0 = 0 }
                try await service.until { _ in heads.withLock { $0 } >= 20 }
                #expect(await service.status.health == .stale(.behind))
                try await dev.control("evm_mineBlocks", "[6, 1]")
                try await service.until { $0.health == .wrongChain(found: ChainID(5)) }
            }
            #expect(try harness.store.events(of: harness.chain).count == 3)
            #expect(!isRolledBack(harness))
        }
    }

    @Test func `follows a development chain that begins again, and says so`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let harness = ChainHarness(
                dev: dev,
                transport: altering(dev.endpoint.name, transport),
                filter: beacon.filter,
                logger: log.logger
            )
            try await harness.run { service in
                try await service.until { $0.applied?.number == 4 && $0.health == .following }
                isForeign.withLock { $0 = true }
                try await beacon.emit()
                try await service.until { $0.applied?.number == 5 && $0.health == .following }
            }
            let events = try harness.store.events(of: harness.chain)
            #expect(events.count == 4)
            #expect(events.allSatisfy { $0.log.block.hash.hex.hasPrefix("0xdeadbeef") })
            let told = log.all.filter { $0.contains("began again") }
            #expect(told.count == 1)
            #expect(told.first?.contains(dev.endpoint.name.description) == true)
        }
    }

    /// - From endpoints: another chain with the same id, at one of two endpoints → the other one is
    ///   followed, and nothing is rolled back
    @Test func `follows the endpoint of two that still has the chain`() async throws {
        try await DevChain.scoped(Self.production) { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let first = try dev.liar
            let harness = ChainHarness(
                dev: dev,
                transport: altering(first.name, transport),
                filter: beacon.filter,
                before: [first]
            )
            try await harness.run { service in
                try await service.until { _ in
                    harness.listener.updates.contains {
                        if case .sources(let sources) = $0 { sources.confirmed == 4 } else { false }
                    }
                }
                isForeign.withLock { $0 = true }
                try await beacon.emit()
                try await service.until { $0.applied?.number == 5 && $0.health == .following }
                #expect(await harness.client.reports[0].status == .wrongChain(ChainID(5)))
            }
            #expect(try harness.store.events(of: harness.chain).count == 4)
            #expect(!isRolledBack(harness))
        }
    }

    @Test func `a checkpoint of the earlier form counts its oldest block as the first`() throws {
        let filter = FilterID(hash: Bytes32(repeating: 3))
        let marks = (7...9 as ClosedRange<UInt64>).map {
            BlockID(number: $0, hash: Bytes32(words: 0, 0, 0, $0))
        }
        var writer = StoredWriter()
        writer.write(1 as UInt8)
        writer.write(filter.hash)
        writer.write(marks)
        let old = try FollowerCheckpoint(storedBytes: writer.bytes)
        #expect(old.window.first == marks[0] && old.window.marks == marks)
        #expect(try FollowerCheckpoint(storedBytes: old.storedBytes) == old)
    }
}
