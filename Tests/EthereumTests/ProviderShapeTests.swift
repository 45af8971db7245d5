import Ethereum
import Foundation
import Keys
import Logging
import Market
import Support
import Synchronization
import Testing

/// Follows a chain over endpoints that answer as providers do.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ProviderShapeTests {
    /// A line of the table `Scripts/devchain/providers.json`.
    struct Shape: Decodable, CustomTestStringConvertible, Sendable {
        let name: String
        /// What a node needs besides this endpoint to follow the chain.
        let needs: String?
        /// What an error says.
        let says: String?

        var testDescription: String { name }
    }

    /// Which of the two endpoints answers so.
    enum Position: CaseIterable {
        case alone, first, second
    }

    static let shapes: [Shape] = {
        let file = projectRoot.appending(path: "Scripts/devchain/providers.json")
        let found = try? JSONDecoder().decode([Shape].self, from: Data(contentsOf: file))
        return found ?? []
    }()

    /// Limits with pauses so short that an endpoint is asked again and again, and with blocks old
    /// enough to be removed.
    private static var limits: ChainLimits {
        var limits = ChainLimits()
        limits.windowBlocksMax = 16
        limits.mistrust = .milliseconds(20)
        limits.retryFirst = .milliseconds(1)
        limits.retryLast = .milliseconds(20)
        return limits
    }

    private func harness(
        _ dev: DevChain,
        _ transport: any RPCTransport,
        _ beacon: Beacon,
        _ position: Position,
        _ lines: LogLines = LogLines()
    ) throws -> ChainHarness {
        let limited = try dev.liar
        let order =
            switch position {
            case .alone: [limited]
            case .first: [limited, dev.endpoint]
            case .second: [dev.endpoint, limited]
            }
        return ChainHarness(
            dev: dev,
            transport: transport,
            filter: beacon.filter,
            logger: lines.logger
        ) {
            $0.endpoints = order
            $0.confirmations = 2
            $0.pollsPerSurvey = 3
            $0.limits = Self.limits
        }
    }

    private func sources(_ harness: ChainHarness) -> SourceStatus? {
        harness.listener.updates.reversed().lazy.compactMap {
            if case .sources(let sources) = $0 { sources } else { nil }
        }.first
    }

    /// Mines 40 blocks, the events of which are in every fourth.
    private func filled(_ dev: DevChain) async throws -> Beacon {
        let beacon = try await Beacon.deployed(on: dev)
        for _ in 0..<9 {
            try await dev.control("evm_mineBlocks", "[3, 1]")
            try await beacon.emit()
        }
        try await dev.control("evm_mineBlocks", "[3, 1]")
        return beacon
    }

    private func play(_ shape: Shape, on dev: DevChain) async throws {
        try await dev.control(
            "dev_fault",
            #"["provider", {"shape": "\#(shape.name)", "host": "localhost"}]"#
        )
    }

    /// - From endpoints: an endpoint's refusal, in any form, of a block range, a batch, a method or
    ///   old blocks → smaller requests, or the next endpoint; nothing is
    ///   disputed
    @Test(arguments: shapes)
    func `follows a chain over each kind of endpoint, alone or with a good one`(
        shape: Shape
    ) async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await filled(dev)
            try await play(shape, on: dev)
            // The head; each position adds two blocks.
            var head: UInt64 = 40
            for position in Position.allCases
            where shape.needs == nil || position != .alone {
                let harness = try harness(dev, transport, beacon, position)
                let start = head
                head += 2
                try await harness.run { service in
                    try await service.until { $0.applied?.number == start }
                    try await beacon.emit()
                    try await dev.control("evm_mine")
                    try await service.until { status in
                        status.applied?.number == start + 2 && status.health == .following
                    }
                    guard position != .alone, shape.needs != "key" else { return }
                    try await service.until { _ in sources(harness)?.confirmed == start + 2 }
                    #expect(sources(harness)?.disputed.isEmpty == true)
                    #expect(sources(harness)?.state == .confirming)
                }
                let honest = ChainClient(
                    chain: harness.chain,
                    endpoints: [dev.endpoint],
                    transport: transport,
                    logger: quiet
                )
                let real = try await honest.perform(RPCCall.logs(beacon.filter, in: 0...start + 2))
                #expect(try harness.store.events(of: harness.chain).map(\.log) == real)
                #expect(real.count == Int(9 + (start - 38) / 2))
                let reports = await harness.client.reports
                let isFailing = reports.contains { report in
                    if case .failing = report.status { true } else { false }
                }
                #expect(isFailing == (shape.needs == "key"), "\(reports)")
                let fees = try await harness.client.feeMarket()
                #expect(!fees.leastPrice.isZero)
            }
        }
    }

    /// - From endpoints: a chain that the node can follow with no endpoint → the log says why at
    ///   the level `warning`
    @Test(arguments: shapes.filter { $0.needs != nil })
    func `logs why it cannot follow a chain, at the default level, without keys`(
        shape: Shape
    ) async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await filled(dev)
            try await play(shape, on: dev)
            let lines = LogLines()
            let harness = try harness(dev, transport, beacon, .alone, lines)
            try await harness.run { service in
                for await _ in await service.statuses()
                where lines.all.contains(where: { $0.contains("cannot be followed") }) { return }
            }
            let told = lines.all.joined(separator: "\n")
            #expect(told.contains("the chain cannot be followed now"), "\(told)")
            #expect(told.contains(try dev.liar.name.description))
            if let words = shape.says { #expect(told.contains(words), "\(told)") }
        }
    }

    /// - From endpoints: a key or password that an endpoint repeats in its answer → replaced by "…"
    @Test(arguments: ["no_key", "no_password"])
    func `sends an endpoint's key or password and shows it nowhere`(name: String) async throws {
        try await DevChain.scoped { dev, _ in
            let beacon = try await filled(dev)
            let shape = try #require(Self.shapes.first { $0.name == name })
            try await play(shape, on: dev)
            let lines = LogLines()
            func keyed(_ scheme: String, _ words: String) throws -> Endpoint {
                let place = "localhost:\(dev.endpoint.port)"
                guard name == "no_key" else {
                    return try Endpoint(url: "\(scheme)://user:\(words)@\(place)")
                }
                var endpoint = try Endpoint(url: "\(scheme)://\(place)")
                let key = Endpoint.Header(
                    name: "x-api-key",
                    value: (words == "pass" ? "test" : words) + "-key-of-nobody"
                )
                endpoint.headers.append(key)
                return endpoint
            }
            for (scheme, words) in [("http", "pass"), ("ws", "pass"), ("http", "mistaken")] {
                let endpoint = try keyed(scheme, words)
                try await EndpointTransport.scoped { transport in
                    let harness = ChainHarness(
                        dev: dev,
                        transport: transport,
                        filter: beacon.filter,
                        logger: lines.logger
                    ) {
                        $0.endpoints = [endpoint]
                        $0.limits = Self.limits
                    }
                    let wanted = words == "pass" ? ChainHealth.following : .unreachable
                    try await harness.run { service in
                        try await service.until { $0.health == wanted }
                    }
                    let reports = await harness.client.reports
                    lines.logger.info("\(reports) \(endpoint)")
                }
            }
            let told = lines.all.joined()
            #expect(told.contains("HTTP 401"))
            for secret in [":pass", "user", "mistaken", "of-nobody", "dXNlcj", "Basic"] {
                #expect(!told.contains(secret), "\(secret) is in \(told)")
            }
        }
    }

    @Test func `a chain whose newest block is from the future moves no money`() async throws {
        try await DevChain.scoped { dev, transport in
            let beacon = try await filled(dev)
            let limited = try dev.liar
            func harness(_ endpoints: [Endpoint]) -> ChainHarness {
                ChainHarness(dev: dev, transport: transport, filter: beacon.filter) {
                    $0.endpoints = endpoints
                    $0.pollsPerSurvey = 3
                    $0.limits = Self.limits
                    $0.headLeadSecondsMax = $0.limits.headFutureSecondsMax
                }
            }
            try await dev.control(
                "dev_fault",
                #"["provider", {"shape": "future_head", "host": "localhost"}]"#
            )
            try await harness([limited]).run { service in
                try await service.until { $0.health == .stale(.futureTimestamp) }
                try await dev.control("dev_fault", #"["none"]"#)
                try await dev.control("evm_mine")
                try await service.until { $0.health == .following }
            }
            // With another endpoint, that one is followed.
            try await dev.control(
                "dev_fault",
                #"["provider", {"shape": "future_head", "host": "localhost"}]"#
            )
            try await harness([limited, dev.endpoint]).run { service in
                try await service.until { $0.health == .following }
            }
        }
    }

    @Test func `asks nothing for an empty announced block with unknown fields`() async throws {
        try await DevChain.scoped { dev, _ in
            let beacon = try await filled(dev)
            try await dev.control("dev_fault", #"["provider", {"shape": "null_heads"}]"#)
            try await EndpointTransport.scoped { transport in
                let asked = Mutex(0)
                let counting = AlteringTransport(inner: transport, altered: dev.socket.name) {
                    asked.withLock { $0 += 1 }
                    return $1
                }
                let harness = ChainHarness(dev: dev, transport: counting, filter: beacon.filter) {
                    $0.endpoints = [dev.socket]
                    $0.pollInterval = .seconds(3_600)
                }
                try await harness.run { service in
                    try await service.until { $0.health == .following }
                    let before = asked.withLock { $0 }
                    for number in 41...55 as ClosedRange<UInt64> {
                        try await dev.control("evm_mine")
                        try await service.until { $0.applied?.number == number }
                    }
                    #expect(asked.withLock { $0 } == before)
                }
            }
        }
    }
}
