import Ethereum
import Keys
import Market
import Support
import Testing

/// Follows a chain whose endpoint answers without the logs of a block.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MissingLogsTests {
    private func finding(_ harness: ChainHarness) -> [EndpointNotice.Finding] {
        harness.listener.updates.compactMap { update in
            if case .noticed(let notice) = update { notice.finding } else { nil }
        }
    }

    /// Lets the endpoint leave out the next block's logs, and emits an event in it.
    private func lose(_ beacon: Beacon, on dev: DevChain, _ times: String = "") async throws {
        let head = try await dev.control("eth_blockNumber")
        let digits = try #require(head.firstMatch(of: /"0x([0-9a-f]+)"/)?.output.1)
        let next = try #require(UInt64(digits, radix: 16)) + 1
        try await dev.control("dev_fault", #"["empty_logs", {"number": \#(next)\#(times)}]"#)
        try await beacon.emit()
    }

    @Test func `detects a falsely empty answer before it applies the block`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            try await harness.run { service in
                try await service.until { $0.applied?.number == 1 && $0.health == .following }
                try await lose(beacon, on: dev, #", "times": 1"#)
                try await service.until { $0.applied?.number == 2 }
                #expect(try harness.store.events(of: harness.chain).map(\.log.block.number) == [2])
                try await beacon.emit()
                try await service.until { $0.applied?.number == 3 && $0.health == .following }
            }
            #expect(finding(harness) == [.leftOut(2)])
            #expect(
                !harness.listener.updates.contains {
                    if case .rolledBack = $0 { true } else { false }
                }
            )
            #expect(await harness.client.reports[0].status == .good)
        }
    }

    @Test func `reports an endpoint that always omits a block's logs and continues`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            try await harness.run { service in
                try await service.until { $0.applied?.number == 1 && $0.health == .following }
                try await lose(beacon, on: dev)
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
                try await beacon.emit()
                try await service.until { $0.applied?.number == 3 && $0.health == .following }
            }
            #expect(try harness.store.events(of: harness.chain).map(\.log.block.number) == [3])
            #expect(finding(harness) == [.noLogs(2)])
        }
    }

    @Test func `reads a block from another endpoint if one always omits its logs`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let liar = try dev.liar
            let harness = ChainHarness(
                dev: dev,
                transport: AlteringTransport(inner: transport, altered: liar.name) {
                    request,
                    answer in
                    request.contains("eth_getLogs")
                        ? answer.replacing(/"result": ?\[\{.*?\}\]/, with: #""result": []"#)
                        : answer
                },
                filter: beacon.filter,
                before: [liar]
            ) {
                $0.confirmations = 2
            }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 1 && $0.health == .following }
                try await beacon.emit()
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
            }
            #expect(try harness.store.events(of: harness.chain).map(\.log.block.number) == [2])
            #expect(
                harness.listener.updates.contains(
                    .noticed(EndpointNotice(.leftOut(2), by: liar.name))
                )
            )
            guard case .failing(.contradiction) = await harness.client.reports[0].status else {
                Issue.record("\(await harness.client.reports)")
                return
            }
        }
    }

    @Test func `asks for many doubtful blocks as one range`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<20 { try await beacon.emit() }
            let asked = Counted()
            let transport = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                guard request.contains("eth_getLogs"), asked.next() == 0 else { return answer }
                return answer.replacing(/"result": ?\[\{.*\}\]/, with: #""result": []"#)
            }
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            try await harness.run { service in
                try await service.until { $0.applied?.number == 21 && $0.health == .following }
            }
            #expect(try harness.store.events(of: harness.chain).count == 20)
            #expect(asked.count == 2)
        }
    }

    /// - From endpoints: a filter of a block's logs that the block's hash does not prove → it counts for
    ///   nothing on a chain whose headers prove theirs
    @Test func `filters that a block's hash does not prove delay nothing`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let asked = Counted()
            let transport = AlteringTransport(inner: transport, altered: dev.endpoint.name) {
                request,
                answer in
                if request.contains("blockHash") { _ = asked.next() }
                return Self.named(beacon, in: request, answer)
            }
            let harness = ChainHarness(dev: dev, transport: transport, filter: beacon.filter)
            try await harness.run { service in
                for number in 1...4 as ClosedRange<UInt64> {
                    try await service.until {
                        $0.applied?.number == number && $0.health == .following
                    }
                    try await dev.control("evm_mine")
                }
            }
            #expect(asked.count == 0)
            #expect(finding(harness).isEmpty)
        }
    }

    /// - From endpoints: another filter of the same block's logs than before → it is mistrusted
    @Test func `mistrusts an endpoint that changes a block's filter`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let liar = try dev.liar
            let turn = Counted()
            let harness = ChainHarness(
                dev: dev,
                transport: AlteringTransport(inner: transport, altered: liar.name) {
                    request,
                    answer in
                    guard request.hasPrefix("["), turn.next().isMultiple(of: 2) else {
                        return answer
                    }
                    return Self.named(beacon, in: request, answer)
                },
                filter: beacon.filter,
                before: [liar]
            )
            try await harness.run { service in
                for number in 1...5 as ClosedRange<UInt64> {
                    try await service.until {
                        $0.applied?.number == number && $0.health == .following
                    }
                    try await dev.control("evm_mine")
                }
            }
            guard case .failing(.contradiction) = await harness.client.reports[0].status else {
                Issue.record("\(await harness.client.reports)")
                return
            }
        }
    }

    /// Has blocks that are asked for by number name the contract in their filters.
    private static func named(_ beacon: Beacon, in request: String, _ answer: String) -> String {
        guard request.contains("eth_getBlockByNumber"), !request.contains("latest") else {
            return answer
        }
        let bloom = LogBloom(of: [beacon.address.bytes]).hex
        return answer.replacing(
            /"logsBloom": ?"0x[0-9a-f]+"/,
            with: "\"logsBloom\": \"\(bloom)\""
        )
    }
}
