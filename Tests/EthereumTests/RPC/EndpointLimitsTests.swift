import Concurrency
import Ethereum
import Keys
import Market
import Support
import Synchronization
import Testing
import Texts

/// Keeps to what endpoints, and their operator's settings, allow.
@Suite(.timeLimit(.minutes(1)))
struct EndpointLimitsTests {
    private let clock = ManualClock()

    private func client(
        _ endpoints: [Endpoint],
        _ transport: any RPCTransport,
        clock: (any MonotonicClock)? = nil
    ) -> ChainClient {
        ChainClient(
            chain: ChainID(31_337),
            endpoints: endpoints,
            transport: transport,
            clock: clock ?? self.clock,
            logger: quiet
        )
    }

    private static let answers: FakeTransport.Answer = { request in
        let text = String(decoding: request, as: UTF8.self)
        let result = text.contains("eth_chainId") ? "0x7a69" : "0x2a"
        return [UInt8](#"{"jsonrpc":"2.0","id":0,"result":"\#(result)"}"#.utf8)
    }

    @Test func `calls to a rate-limited endpoint wait for their turn`() async throws {
        var endpoint = try Endpoint(url: "http://first.example")
        endpoint.callsPerSecondMax = 2
        let transport = FakeTransport()
        transport.set(endpoint, Self.answers)
        let client = client([endpoint], transport)
        // With the chain id, 22 calls; three go at once.
        for _ in 0..<21 { _ = try await client.perform(.balance(of: .zero)) }
        #expect(clock.uptime == .milliseconds(9_500))
        #expect(transport.exchanges.count == 22)
    }

    @Test func `asks the next endpoint, blaming none, if the first is at its limit`()
        async throws
    {
        var first = try Endpoint(url: "http://first.example")
        first.callsPerSecondMax = 1
        let second = try Endpoint(url: "http://second.example")
        let transport = FakeTransport()
        transport.set(first) { request in
            let text = String(decoding: request, as: UTF8.self)
            guard text.hasPrefix("[") else { return try Self.answers(request) }
            let answers = (0..<60).map { #"{"jsonrpc":"2.0","id":\#($0),"result":"0x1"}"# }
            return [UInt8]("[\(answers.joined(separator: ","))]".utf8)
        }
        transport.set(second, Self.answers)
        let client = client([first, second], transport)
        let calls = [RPCCall<Quantity>](repeating: .balance(of: .zero), count: 60)
        #expect(try await client.perform(calls).count == 60)
        #expect(try await client.perform(.balance(of: .zero)).number == 42)
        #expect(transport.exchanges.last == second.name)
        #expect(clock.uptime < .seconds(2))
        #expect(await client.reports.map(\.status) == [.good, .good])
        clock.advance(.seconds(60))
        _ = try await client.perform(.balance(of: .zero))
        #expect(transport.exchanges.last == first.name)
    }

    /// - From endpoints: 429, or 503 with a pause → not asked until the pause is over, at most 10
    ///   minutes
    @Test(arguments: ["http", "ws"])
    func `does not ask an endpoint until its requested pause is over`(scheme: String)
        async throws
    {
        var behaviour = EndpointServer.Behaviour { _, client in
            client.answer(429, ["Retry-After": "30"], "slow down")
        }
        behaviour.refusal = (429, ["Retry-After": "30"])
        let clock = LeapingClock()
        try await EndpointServer.scoped(behaviour) { port, server in
            try await EndpointTransport.scoped(clock: clock) { transport in
                let busy = try Endpoint(url: "\(scheme)://127.0.0.1:\(port)/secret")
                let client = client([busy], transport, clock: clock)
                let expected = EthereumError.busy(busy.name, status: 429, retryAfter: .seconds(30))
                await #expect(throws: expected) { try await client.perform(.gasPrice) }
                #expect(await client.reports[0].status == .failing(expected))
                #expect("\(expected)".contains("HTTP 429, again in 30 s"))
                let faults = await client.faults
                #expect(faults.map(\.code) == ["endpoint.busyFor", "endpoint.askedAgain"])
                #expect(faults.last?.values["endpoint"] == "\(busy.name)")
                clock.leap(.seconds(20))
                await #expect(throws: EthereumError.noEndpoint(ChainID(31_337))) {
                    try await client.perform(.gasPrice)
                }
                #expect(server.asked.count == 1)
                clock.leap(.seconds(10))
                await #expect(throws: expected) { try await client.perform(.gasPrice) }
                #expect(server.asked.count == 2)
            }
        }
    }

    /// - From endpoints: connections that end after each answer, without a word → the question is asked
    ///   once more, and the endpoint is not at fault
    @Test func `asks again over a new connection if a kept one has ended`() async throws {
        let answered = Mutex<[Int: Int]>([:])
        let behaviour = EndpointServer.Behaviour { request, client in
            let count = answered.withLock { answered in
                answered[client.connection, default: 0] += 1
                return answered[client.connection] ?? 0
            }
            // As if its end crossed the question.
            guard count <= 2 else { return client.close() }
            let result = request.contains("eth_chainId") ? "0x7a69" : "0x2a"
            client.send(#"{"jsonrpc":"2.0","id":0,"result":"\#(result)"}"#)
        }
        try await EndpointServer.scoped(behaviour) { port, server in
            try await EndpointTransport.scoped { transport in
                let endpoint = try Endpoint(url: "http://127.0.0.1:\(port)/secret")
                let client = client([endpoint], transport)
                for _ in 0..<9 { #expect(try await client.perform(.gasPrice).number == 42) }
                #expect(try await client.perform(.send([1])).bytes == [0x2a])
                #expect(await client.reports[0].status == .good)
                #expect(server.connectionCount > 4)
            }
        }
    }

    @Test func `blames an endpoint for a cut, partial or oversized HTTP answer`() async throws {
        let behaviour = EndpointServer.Behaviour { request, client in
            if request.contains("eth_chainId") {
                return client.send(#"{"jsonrpc":"2.0","id":0,"result":"0x7a69"}"#)
            }
            if request.contains("eth_gasPrice") { return client.closeHalf() }
            if request.contains("eth_getBalance") { return client.close() }
            client.send(String(repeating: " ", count: 1 << 16))
        }
        try await EndpointServer.scoped(behaviour) { port, _ in
            try await EndpointTransport.scoped { transport in
                let endpoint = try Endpoint(url: "http://127.0.0.1:\(port)/secret")
                var limits = ChainLimits()
                limits.answerBytesMax = 10_000
                let client = ChainClient(
                    chain: ChainID(31_337),
                    endpoints: [endpoint],
                    transport: transport,
                    limits: limits,
                    clock: clock,
                    logger: quiet
                )
                for call in [RPCCall<Quantity>.gasPrice, .balance(of: .zero)] {
                    let error = await #expect(throws: EthereumError.self) {
                        try await client.perform(call)
                    }
                    guard case .unreachable(endpoint.name, _) = error else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                }
                let method = "eth_getTransactionCount"
                await #expect(
                    throws: EthereumError.oversized(endpoint.name, method: method, bytesMax: 10_000)
                ) { try await client.perform(.transactionCount(of: .zero, at: .latest)) }
            }
        }
    }

    /// - From endpoints: an answer of more than 1 MiB to a call for neither logs, receipts nor whole blocks,
    ///   or of more than 64 KiB about fees → its fault, the next endpoint is asked
    @Test func `only logs, receipts and whole blocks may be long`() async throws {
        let behaviour = EndpointServer.Behaviour { request, client in
            if request.contains("eth_chainId") {
                return client.send(#"{"jsonrpc":"2.0","id":0,"result":"0x7a69"}"#)
            }
            let result = request.contains("eth_getLogs") ? "[]" : "null"
            let blanks = String(repeating: " ", count: 1 << 20)
            client.send(#"{"jsonrpc":"2.0","id":0,"result":\#(result)}"# + blanks)
        }
        try await EndpointServer.scoped(behaviour) { port, _ in
            try await EndpointTransport.scoped { transport in
                let endpoint = try Endpoint(url: "http://127.0.0.1:\(port)/secret")
                let client = client([endpoint], transport)
                let filter = LogFilter(addresses: [.zero], firstBlock: 0)
                #expect(try await client.perform(.logs(filter, in: 1...2)).isEmpty)
                #expect(try await client.perform(.receipt(of: .zero)) == nil)
                #expect(try await client.perform(.transfers(in: 1)) == nil)
                func error(_ method: String, _ bytesMax: Int = 1 << 20) -> EthereumError {
                    .oversized(endpoint.name, method: method, bytesMax: bytesMax)
                }
                await #expect(throws: error("eth_gasPrice")) {
                    try await client.perform(.gasPrice)
                }
                await #expect(throws: error("eth_getBlockByNumber")) {
                    try await client.perform(RPCCall<BlockHeader?>.block(.number(1)))
                }
                await #expect(throws: error("eth_feeHistory", 1 << 16)) {
                    try await client.perform(.feeHistory(blocks: 1, percentiles: []))
                }
            }
        }
    }

    /// - From endpoints: an answer with more than 1,048,576 values → its fault, without decoding it
    @Test(arguments: [true, false])
    func `decodes no answer of very many values`(isBatch: Bool) async throws {
        let endpoint = try Endpoint(url: "http://first.example")
        let transport = FakeTransport()
        let values = String(repeating: "0,", count: 1 << 20)
        transport.set(endpoint) { request in
            let text = String(decoding: request, as: UTF8.self)
            guard !text.contains("eth_chainId") else { return try Self.answers(request) }
            let answer = #"{"jsonrpc":"2.0","id":0,"result":[\#(values)0]}"#
            return [UInt8]((text.hasPrefix("[") ? "[\(answer)]" : answer).utf8)
        }
        let client = client([endpoint], transport)
        let filter = LogFilter(addresses: [.zero], firstBlock: 0)
        let call = RPCCall.logs(filter, of: .zero)
        let error = await #expect(throws: EthereumError.self) {
            if isBatch {
                _ = try await client.perform([call, call])
            } else {
                _ = try await client.perform(call)
            }
        }
        guard case .malformed(_, _, let detail) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(detail == "more than 1048576 values")
    }

    /// - From endpoints: a header or receipt with hundreds of unknown fields → its fault, without decoding
    ///   it
    @Test(arguments: [(256, "null"), (257, "an object with more than 256 names")])
    func `decodes no object of very many names`(count: Int, detail: String) async throws {
        let endpoint = try Endpoint(url: "http://first.example")
        let transport = FakeTransport()
        // Names in a text are none.
        let names = (0..<count - 1).map { #""\#($0)\":":0,"# }.joined()
        transport.set(endpoint) { request in
            let text = String(decoding: request, as: UTF8.self)
            guard !text.contains("eth_chainId") else { return try Self.answers(request) }
            let answer = #"{"jsonrpc":"2.0","id":0,"result":{\#(names)"z":[{"a":0}]}}"#
            return [UInt8](answer.utf8)
        }
        let client = client([endpoint], transport)
        let error = await #expect(throws: EthereumError.self) {
            try await client.perform(.receipt(of: .zero))
        }
        guard case .malformed(_, _, let found) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((found == detail) == (count > 256), "\(found)")
    }

    /// - From endpoints: an answer whose decoding takes more than a second → the endpoint is asked after the
    ///   others
    @Test func `asks others first after an answer that takes long to decode`() async throws {
        let first = try Endpoint(url: "http://first.example")
        let second = try Endpoint(url: "http://second.example")
        let transport = FakeTransport()
        for endpoint in [first, second] {
            transport.set(endpoint) { request in
                let text = String(decoding: request, as: UTF8.self)
                guard text.contains("eth_getLogs") else { return try Self.answers(request) }
                return [UInt8](#"{"jsonrpc":"2.0","id":0,"result":[]}"#.utf8)
            }
        }
        var limits = ChainLimits()
        limits.voteTimeMax = .seconds(3_600)
        let client = ChainClient(
            chain: ChainID(31_337),
            endpoints: [first, second],
            transport: transport,
            limits: limits,
            clock: TickingClock(),
            logger: quiet
        )
        let filter = LogFilter(addresses: [.zero], firstBlock: 0)
        _ = try await client.perform(.logs(filter, in: 1...2))
        #expect(transport.exchanges.last == first.name)
        _ = try await client.perform(.logs(filter, in: 1...2))
        #expect(transport.exchanges.last == second.name)
    }
}

/// A clock on which two seconds pass whenever it is read.
private final class TickingClock: MonotonicClock {
    private let now = Mutex(Duration.zero)

    var uptime: Duration {
        now.withLock { now in
            now += .seconds(2)
            return now
        }
    }

    func wait(_ duration: Duration) async throws { now.withLock { $0 += duration } }
}
