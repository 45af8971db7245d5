import Ethereum
import Support
import Synchronization
import Testing

/// Follows a chain over two endpoints, one of which lacks blocks that are applied.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LaggingEndpointTests {
    private func sources(_ harness: ChainHarness) -> SourceStatus? {
        harness.listener.updates.reversed().lazy.compactMap {
            if case .sources(let sources) = $0 { sources } else { nil }
        }.first
    }

    @Test func `keeps confirmed blocks if a single endpoint contradicts them`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let snapshot = try await dev.control("evm_snapshot")
            let id = try #require(snapshot.firstMatch(of: /"result": ?("[^"]+")/)?.output.1)
            for _ in 0..<5 { try await beacon.emit() }
            let isAway = Mutex(false)
            let heads = Mutex(0)
            let first = try dev.liar
            let one = AlteringTransport(inner: transport, altered: first.name) { _, answer in
                if isAway.withLock({ $0 }) { throw RPCTransportError.unreachable(reason: "test") }
                return answer
            }
            let both = AlteringTransport(inner: one, altered: dev.endpoint.name) {
                request,
                answer in
                if request.contains("latest") { heads.withLock { $0 += 1 } }
                return answer
            }
            let harness = ChainHarness(
                dev: dev,
                transport: both,
                filter: beacon.filter,
                before: [first]
            ) {
                $0.pollsPerSurvey = 3
                $0.limits.retryLast = .milliseconds(100)
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 7 }
                isAway.withLock { $0 = true }
                try await dev.control("evm_revert", "[\(id)]")
                try await service.until { $0.health == .stale(.behind) }
                heads.withLock { $0 = 0 }
                try await service.until { _ in heads.withLock { $0 } >= 20 }
                #expect(await service.status.health == .stale(.behind))
                #expect(await service.status.applied?.number == 7)
                #expect(try harness.store.events(of: harness.chain).count == 6)

                isAway.withLock { $0 = false }
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
                #expect(try harness.store.events(of: harness.chain).count == 1)
            }
        }
    }

    @Test func `switches away from an endpoint that lacks the newest applied block`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let isLacking = Mutex(false)
            let lacks = Mutex(0)
            let first = try dev.liar
            let altered = AlteringTransport(inner: transport, altered: first.name) { _, answer in
                guard isLacking.withLock({ $0 }) else { return answer }
                let block = /"result": ?\{[^{}]*"number": ?"0x2"[^{}]*\}/
                if answer.contains(block) { lacks.withLock { $0 += 1 } }
                return answer.replacing(block, with: #""result": null"#)
            }
            let harness = ChainHarness(
                dev: dev,
                transport: altered,
                filter: beacon.filter,
                before: [first]
            ) {
                $0.confirmations = 2
                $0.limits.windowBlocksMax = 8
            }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
            }
            try await dev.control("evm_mineBlocks", "[20, 1]")
            isLacking.withLock { $0 = true }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 22 && $0.health == .following }
            }
            #expect(lacks.withLock { $0 } > 0)
            #expect(await harness.client.reports[0].status == .good)
            #expect(try harness.store.events(of: harness.chain).count == 1)
        }
    }

    /// - From endpoints: a block below its own head that it lacks, with whole answers in between → it is
    ///   asked last
    @Test func `leaves an endpoint that lacks a block in every second answer`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let isLacking = Mutex(false)
            let first = try dev.liar
            let altered = AlteringTransport(inner: transport, altered: first.name) {
                request,
                answer in
                guard isLacking.withLock({ $0 }), request.hasPrefix("[") else { return answer }
                let block = /"result": ?\{[^{}]*"number": ?"0x5"[^{}]*\}/
                return answer.replacing(block, with: #""result": null"#)
            }
            let harness = ChainHarness(
                dev: dev,
                transport: altered,
                filter: beacon.filter,
                before: [first]
            ) {
                $0.limits.logRangeBlocksFirst = 4
                $0.limits.logRangeBlocksMax = 4
            }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 1 && $0.health == .following }
            }
            try await dev.control("evm_mineBlocks", "[20, 1]")
            isLacking.withLock { $0 = true }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 21 && $0.health == .following }
            }
        }
    }
}
