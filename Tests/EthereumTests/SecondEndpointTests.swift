import Keys
import Market
import Support
import Synchronization
import Testing

@testable import Ethereum

/// Follows a chain over two endpoints, one of which lies or is away.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SecondEndpointTests {
    /// The chain at two names, of which a test alters the first.
    private func harness(
        _ dev: DevChain,
        _ transport: HTTPTransport,
        _ filter: LogFilter,
        _ change: @escaping AlteringTransport.Change
    ) throws -> ChainHarness {
        ChainHarness(
            dev: dev,
            transport: AlteringTransport(
                inner: transport,
                altered: try dev.liar.name,
                change: change
            ),
            filter: filter,
            before: [try dev.liar]
        ) {
            $0.confirmations = 2
        }
    }

    @Test func `the log says in a sentence how events are confirmed`() {
        let names = ["a", "b"].map { EndpointName($0) }
        #expect("\(SourceStatus.State.disagreeing(names).message)".hasSuffix("events: a, b"))
        #expect("\(SourceStatus.State.single.message)".hasPrefix("one endpoint is configured"))
    }

    private func sources(_ harness: ChainHarness) -> SourceStatus? {
        harness.listener.updates.reversed().lazy.compactMap {
            if case .sources(let sources) = $0 { sources } else { nil }
        }.first
    }

    @Test func `an event that a second endpoint has stays confirmed`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            let harness = try harness(dev, transport, beacon.filter) { _, answer in answer }
            for _ in 0..<3 { try await beacon.emit() }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
                #expect(sources(harness)?.state == .confirming)
                #expect(sources(harness)?.disputed.isEmpty == true)
            }
            let kept = try await harness.store.sources(of: harness.chain)
            #expect(kept?.confirmed?.number == 4)
            try await harness.run { service in
                try await service.until { $0.health == .following }
                #expect(sources(harness)?.confirmed == 4)
            }
        }
    }

    @Test func `disputes an invented event and confirms honest ones`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let lie = try await beacon.invented(inBlock: 2, transport)
            let harness = try harness(dev, transport, beacon.filter) { lie.invented(in: $0, $1) }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
                let place = SourceStatus.LogPosition(height: 2, index: 9)
                #expect(sources(harness)?.disputed == [place])
                let names = [try dev.liar.name, dev.endpoint.name]
                #expect(sources(harness)?.state == .disagreeing(names))
                #expect(sources(harness)?.confirms(3) == true)
            }
        }
    }

    @Test func `reads an endpoint again once it stops lying`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let lie = try await beacon.invented(inBlock: 2, transport)
            let isLying = Mutex(true)
            let harness = try harness(dev, transport, beacon.filter) { request, answer in
                isLying.withLock { $0 } ? lie.invented(in: request, answer) : answer
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.disputed.isEmpty == false }
                #expect(try harness.store.events(of: harness.chain).count == 4)
                isLying.withLock { $0 = false }
                try await service.until { _ in
                    sources(harness)?.disputed.isEmpty == true && sources(harness)?.confirmed == 4
                }
                #expect(try harness.store.events(of: harness.chain).count == 3)
            }
        }
    }

    /// - From endpoints: an event that the first endpoint withholds → the block is read again
    @Test func `finds an event that the first endpoint withholds`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let asked = Mutex(0)
            let harness = try harness(dev, transport, beacon.filter) { request, answer in
                guard request.contains("eth_getLogs"),
                    asked.withLock({ count in
                        count += 1
                        return count == 1
                    })
                else { return answer }
                return #"{"jsonrpc":"2.0","id":0,"result":[]}"#
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
                #expect(try harness.store.events(of: harness.chain).count == 3)
                #expect(sources(harness)?.disputed.isEmpty == true)
            }
        }
    }

    /// - From endpoints: fewer events of a block that two have confirmed, when it is read again → the
    ///   other one is asked, and nothing is rolled back
    @Test func `one endpoint's second reading rolls back no confirmed event`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<3 { try await beacon.emit() }
            let isLying = Mutex(false)
            let harness = try harness(dev, transport, beacon.filter) { request, answer in
                guard request.contains("eth_getLogs"), isLying.withLock({ $0 }) else {
                    return answer
                }
                return #"{"jsonrpc":"2.0","id":0,"result":[]}"#
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.confirmed == 4 }
                isLying.withLock { $0 = true }
                let subject = Bytes32(repeating: 8)
                await service.repair(subject, in: beacon.address, from: 2, or: nil)
                for await _ in await service.statuses() {
                    let isUnexplained = await service.repairs.isUnexplained(subject)
                    if isUnexplained || isRolledBack(harness) { break }
                }
            }
            #expect(!isRolledBack(harness))
            #expect(try harness.store.events(of: harness.chain).count == 3)
        }
    }

    private func isRolledBack(_ harness: ChainHarness) -> Bool {
        harness.listener.updates.contains { if case .rolledBack = $0 { true } else { false } }
    }

    @Test func `confirms nothing while the second endpoint is away`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let isAway = Mutex(true)
            let harness = try harness(dev, transport, beacon.filter) { _, answer in
                if isAway.withLock({ $0 }) { throw RPCTransportError.unreachable(reason: "test") }
                return answer
            }
            try await harness.run { service in
                try await service.until { _ in sources(harness)?.state == .away }
                #expect(await service.status.health == .following)
                #expect(sources(harness)?.confirms(2) == false)
                isAway.withLock { $0 = false }
                try await service.until { _ in sources(harness)?.confirmed == 2 }
                #expect(sources(harness)?.state == .confirming)
            }
        }
    }

    /// - From endpoints: a head far above all others → no honest endpoint counts as behind because
    ///   of it; the others are asked first
    @Test func `a head far above the others marks no honest endpoint as behind`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let harness = try harness(dev, transport, beacon.filter) { request, answer in
                guard request.contains(#""latest""#) else { return answer }
                return answer.replacing(/"number": ?"0x[0-9a-f]+"/, with: #""number":"0xf4240""#)
            }
            try await harness.run { service in
                try await service.until { $0.health == .following }
                #expect(await service.status.applied?.number == 2)
                try await beacon.emit()
                try await service.until { $0.applied?.number == 3 && $0.health == .following }
                let reports = await harness.client.reports
                #expect(reports.map(\.status) == [.unproven, .good])
            }
        }
    }

    /// - From endpoints: blocks that one endpoint invented → dropped once it no longer answers
    @Test func `drops blocks that one endpoint invented once it is gone`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            try await beacon.emit()
            let isAlone = Mutex(true)
            let honest = dev.endpoint.name
            let others = AlteringTransport(inner: transport, altered: honest) { _, answer in
                if isAlone.withLock({ $0 }) { throw RPCTransportError.unreachable(reason: "test") }
                return answer
            }
            let liar = try dev.liar
            let both = AlteringTransport(inner: others, altered: liar.name) { request, answer in
                guard isAlone.withLock({ $0 }) else {
                    throw RPCTransportError.unreachable(reason: "test")
                }
                guard request.contains("eth_getBlockByNumber") else { return answer }
                return Self.nonsense(request, answer)
            }
            let harness = ChainHarness(
                dev: dev,
                transport: both,
                filter: LogFilter(addresses: [], firstBlock: 0),
                before: [liar]
            ) {
                $0.pollsPerSurvey = 3
            }
            try await harness.run { service in
                try await service.until { $0.applied?.number == 1_000 }
                isAlone.withLock { $0 = false }
                try await service.until { $0.applied?.number == 2 && $0.health == .following }
                try await service.until { _ in sources(harness)?.state == .away }
            }
        }
    }

    /// Every block asked for, up to the thousandth, whatever the chain has.
    private static func nonsense(_ request: String, _ answer: String) -> String {
        let numbers = request.matches(of: /"(latest|0x[0-9a-f]+)",\s*false\]/).map { match in
            match.output.1 == "latest" ? 1_000 : UInt64(match.output.1.dropFirst(2), radix: 16) ?? 0
        }
        let ids = request.matches(of: /"id":\s*(\d+)/).map { String($0.output.1) }
        let answers = zip(ids, numbers).map { id, number in
            let hash = Bytes32(words: 9, 9, 9, number).hex
            let parent = Bytes32(words: 9, 9, 9, number == 0 ? 0 : number - 1).hex
            let time = String(1_763_000_000 + number, radix: 16)
            return
                #"{"jsonrpc":"2.0","id":\#(id),"result":{"number":"0x\#(String(number, radix: 16))","#
                + #""hash":"\#(hash)","parentHash":"\#(parent)","timestamp":"0x\#(time)"}}"#
        }
        let isBatch = request.hasPrefix("[")
        return isBatch ? "[" + answers.joined(separator: ",") + "]" : answers.first ?? answer
    }
}
