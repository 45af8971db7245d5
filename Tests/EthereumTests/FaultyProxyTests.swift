import Ethereum
import Keys
import Logging
import Market
import Support
import Synchronization
import Testing

/// Follows and pays over a preferred endpoint that goes wrong in all ways, and an honest one.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FaultyProxyTests {
    private static let receiver = testKey(99).address
    private static let value = Amount(small: 12_345)

    /// Limits with pauses so short that the faulty endpoint is asked again and again.
    private static var limits: ChainLimits {
        var limits = ChainLimits()
        limits.mistrust = .milliseconds(20)
        limits.retryFirst = .milliseconds(1)
        limits.retryLast = .milliseconds(20)
        limits.rebroadcast = .milliseconds(100)
        return limits
    }

    /// What a real chain emitted, and nothing else, was ever called final.
    private func finalEvents(_ log: ListenerLog) -> [ContractEvent] {
        var applied: [ContractEvent] = []
        var final: [ContractEvent] = []
        for update in log.updates {
            switch update {
            case .applied(let range): applied += range.events.map(\.log)
            case .rolledBack(let block):
                applied.removeAll { event in block.map { event.block.number > $0.number } ?? true }
            case .sources(let sources):
                final += applied.filter { event in
                    let place = SourceStatus.LogPosition(
                        height: event.block.number,
                        index: event.index
                    )
                    return sources.confirms(event.block.number) && !sources.disputed.contains(place)
                }
            case .resumed, .head, .health, .noticed: break
            }
        }
        return final
    }

    /// - From endpoints: a preferred endpoint that fails in every way: late, lost and cut
    ///   answers, wrong chain, old and far heads, invented and missing logs → none of it becomes
    ///   final, and no event is lost
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `finalises no false event and loses no true one`(seed: UInt64)
        async throws
    {
        try await DevChain.scoped { dev, transport in
            let beacon = try await Beacon.deployed(on: dev)
            for _ in 0..<4 { try await beacon.emit() }
            let liar = try dev.liar
            let proxy = FaultyProxy(inner: transport, faulty: liar.name, seed: seed)
            proxy.invent(try await beacon.invented(inBlock: 3, transport))
            let harness = ChainHarness(
                dev: dev,
                transport: proxy,
                filter: beacon.filter,
                before: [liar]
            ) {
                $0.confirmations = 2
                $0.pollsPerSurvey = 3
                $0.limits = Self.limits
            }
            try await harness.run { service in
                for number in 6...12 as ClosedRange<UInt64> {
                    try await beacon.emit()
                    try await service.until { $0.applied?.number ?? 0 >= number }
                }
                try await dev.control("evm_reorg", "[2, true]")
                proxy.heal()
                try await service.until { status in
                    let sources = harness.listener.updates.reversed().lazy.compactMap {
                        if case .sources(let sources) = $0 { sources } else { nil }
                    }.first
                    return status.applied?.number == 13 && status.health == .following
                        && sources?.confirmed == 13 && sources?.disputed.isEmpty == true
                }
            }
            // After some faults the honest endpoint is preferred.
            #expect(proxy.counts.values.reduce(0, +) > 3, "\(proxy.counts)")
            let client = ChainClient(
                chain: harness.chain,
                endpoints: [dev.endpoint],
                transport: transport,
                logger: quiet
            )
            let real = try await client.perform(RPCCall.logs(beacon.filter, in: 0...13))
            #expect(real.count == 11)
            #expect(try harness.store.events(of: harness.chain).map(\.log) == real)
            // The reorganisation gave some another block, but none another transaction.
            let sent = Set(real.map(\.transaction))
            let final = finalEvents(harness.listener)
            #expect(!final.isEmpty && final.allSatisfy { sent.contains($0.transaction) })
        }
    }

    /// - From endpoints: a preferred endpoint that loses, moves or fails receipts, and states other
    ///   nonces → each payment is made once; the log names only this endpoint
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `makes each payment once and reports the endpoint at fault`(seed: UInt64) async throws {
        try await DevChain.scoped { dev, transport in
            try await dev.fund(testKey(1).address)
            let liar = try dev.liar
            let proxy = FaultyProxy(inner: transport, faulty: liar.name, seed: seed)
            let lines = LogLines()
            var harness = SenderHarness(
                signer: KeySigner(testKey(1)),
                client: ChainClient(
                    chain: ChainID(dev.chainNumber),
                    endpoints: [liar, dev.endpoint],
                    transport: proxy,
                    limits: Self.limits,
                    logger: lines.logger
                ),
                confirmations: 2
            )
            harness.configuration.limits = Self.limits
            let intents = (1...4 as ClosedRange<UInt8>).map { number in
                Intent(
                    id: IntentID(Bytes32(repeating: number)),
                    purpose: "pay",
                    steps: [Intent.Step(to: Self.receiver, value: Self.value, data: [])]
                )
            }
            try await harness.run { sender in
                for intent in intents { try await sender.submit(intent) }
                try await withThrowingTaskGroup { group in
                    // Blocks for the confirmations, as long as they are needed.
                    group.addTask {
                        while !Task.isCancelled {
                            try await dev.control("evm_mine")
                            await Task.yield()
                        }
                    }
                    for intent in intents {
                        let phase = try await sender.ended(intent.id).phase
                        #expect(phase == .final)
                    }
                    group.cancelAll()
                    while await group.nextResult() != nil {}
                }
            }
            #expect(try !harness.journal.steps.contains(.nonceLost))
            let honest = ChainClient(
                chain: ChainID(dev.chainNumber),
                endpoints: [dev.endpoint],
                transport: transport,
                logger: quiet
            )
            let paid = try #require(Self.value.multiplied(by: 4))
            #expect(try await honest.perform(.balance(of: Self.receiver)).amount == paid)
            let nonce = RPCCall.transactionCount(of: testKey(1).address, at: .latest)
            #expect(try await honest.perform(nonce).number == 4)
            // After some faults the honest endpoint is preferred.
            #expect(proxy.counts.values.reduce(0, +) > 3, "\(proxy.counts)")
            let named = lines.all.filter { $0.contains("endpoint failed") }
            #expect(!named.isEmpty)
            #expect(named.allSatisfy { $0.contains(liar.name.description) }, "\(named)")
        }
    }

    /// - From endpoints: announcements that are lost, duplicated or reordered, and reorganisations
    ///   between them → the missing blocks are read; no event is lost or applied twice
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `lost, repeated, reordered or invented announcements change no event`(
        seed: UInt64
    ) async throws {
        try await AnnouncementChaos(seed: seed).run()
    }
}
