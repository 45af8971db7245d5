package import Concurrency
import Foundation
package import Logging
package import Market
import Metrics

/// A client of one chain's endpoints that avoids those which fail, lag or lie.
package actor ChainClient {
    package nonisolated let chain: ChainID
    let endpoints: [Endpoint]
    let transport: any RPCTransport
    let limits: ChainLimits
    let clock: any MonotonicClock
    private let logger: Logger
    var pool: EndpointPool
    private var paces: [EndpointPace]
    /// The subscriptions to new blocks, by endpoint; one each.
    var subscriptions: [Int: HeadSubscription] = [:]
    /// Until when an endpoint is not asked for a subscription again, because it refused one.
    var unsubscribedUntil: [Int: Duration] = [:]

    /// Creates a client; `endpoints` has at least one, the preferred one first.
    ///
    /// The transport must outlive the client.
    package init(
        chain: ChainID,
        endpoints: [Endpoint],
        transport: any RPCTransport,
        limits: ChainLimits = ChainLimits(),
        clock: any MonotonicClock = SystemMonotonicClock(),
        logger: Logger = Logger(label: "stoa.chain")
    ) {
        self.chain = chain
        self.endpoints = endpoints
        self.transport = transport
        self.limits = limits
        self.clock = clock
        var logger = logger
        logger[metadataKey: "chain"] = "\(chain)"
        self.logger = logger
        pool = EndpointPool(names: endpoints.map(\.name), limits: limits)
        paces = endpoints.map { EndpointPace(callsPerSecond: $0.callsPerSecondMax) }
    }

    package var reports: [EndpointReport] { pool.reports }

    /// Makes a call to the best endpoint, and to the next one if that endpoint is at fault.
    ///
    /// - Throws: ``EthereumError``: a refusal that any endpoint would give, else the last failure.
    package func perform<Answer>(_ call: RPCCall<Answer>) async throws -> Answer {
        try await failingOver { index in try await self.ask(index, call) }
    }

    /// Makes several calls of one kind, as ``perform(_:)``; returns the answers in their order.
    package func perform<Answer>(_ calls: [RPCCall<Answer>]) async throws -> [Answer] {
        try await failingOver { index in try await self.ask(index, calls) }
    }

    /// Returns the best endpoint, for several calls whose answers must be consistent.
    ///
    /// - Throws: ``EthereumError`` if no endpoint is usable.
    package func session() async throws -> EndpointSession {
        let index = try await failingOver { index in
            try await self.connect(index)
            return index
        }
        return EndpointSession(client: self, index: index, name: name(of: index))
    }

    /// Returns a usable endpoint other than `session`'s, to confirm its answers.
    package func second(to session: EndpointSession) async throws -> EndpointSession? {
        try await another(than: [session.name])
    }

    /// Returns the best usable endpoint that is not in `names`.
    package func another(than names: Set<EndpointName>) async throws -> EndpointSession? {
        try await usable { !names.contains($0) }
    }

    /// Returns the endpoint of that name; `nil` if it is not configured or not usable now.
    package func session(of name: EndpointName) async throws -> EndpointSession? {
        try await usable { $0 == name }
    }

    private func usable(_ isWanted: (EndpointName) -> Bool) async throws -> EndpointSession? {
        for index in pool.candidates(at: clock.uptime) where isWanted(name(of: index)) {
            do {
                try await connect(index)
                return EndpointSession(client: self, index: index, name: name(of: index))
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        return nil
    }

    /// Reads the head of every endpoint to find those that are behind.
    ///
    /// An endpoint whose head is far above all others must show its block at their height.
    package func survey() async throws {
        for index in pool.candidates(at: clock.uptime) {
            do {
                _ = try await head(of: index)
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        for (index, height) in pool.toShow {
            do {
                let header = try await ask(index, RPCCall.block(.number(height)))
                pool.showed(header?.number == height ? header : nil, by: index)
            } catch let error as EthereumError where error.isEndpointsFault {
                pool.showed(nil, by: index)
            }
        }
    }

    /// Records that an endpoint's answers contradict each other; it is not used for a while.
    package func mistrust(_ session: EndpointSession, because detail: String) {
        let error = EthereumError.contradiction(name(of: session.index), detail: detail)
        note(error, of: session.index)
    }

    func name(of index: Int) -> EndpointName { endpoints[index].name }

    func head(of index: Int) async throws -> BlockHeader {
        guard let header = try await ask(index, .block(.latest)) else {
            throw fault(index, .malformed(name(of: index), method: "latest", detail: "no block"))
        }
        sawHead(header, of: index)
        return header
    }

    func sawHead(_ header: BlockHeader, of index: Int) {
        pool.sawHead(
            header,
            of: index,
            at: clock.uptime,
            wallClockSeconds: UInt64(clamping: SystemWallClock().unixSeconds)
        )
    }

    func ask<Answer>(_ index: Int, _ call: RPCCall<Answer>) async throws -> Answer {
        try await connect(index)
        return try await exchange(index, call)
    }

    func ask<Answer>(_ index: Int, _ calls: [RPCCall<Answer>]) async throws -> [Answer] {
        guard !calls.isEmpty else { return [] }
        try await connect(index)
        var answers: [Answer] = []
        for start in stride(from: 0, to: calls.count, by: limits.batchCallsMax) {
            let part = Array(calls[start..<min(start + limits.batchCallsMax, calls.count)])
            let codec = codec(of: index)
            let bytes = try await post(
                index,
                try codec.request(part),
                method: part[0].method,
                calls: part.count
            )
            do {
                answers += try codec.answers(to: part, bytes)
            } catch {
                throw fault(index, error)
            }
        }
        return answers
    }

    private func failingOver<Value>(
        _ body: (Int) async throws -> Value
    ) async throws -> Value {
        var last = EthereumError.noEndpoint(chain)
        for index in pool.candidates(at: clock.uptime) {
            do {
                return try await body(index)
            } catch let error as EthereumError where error.isEndpointsFault {
                last = error
            }
        }
        throw last
    }

    /// Checks that the endpoint serves this chain, at first and after each failure.
    func connect(_ index: Int) async throws {
        guard !pool.isVerified(index) else { return }
        let answer = try await exchange(index, .chainID)
        guard let found = answer.number else {
            throw fault(
                index,
                .malformed(name(of: index), method: "eth_chainId", detail: "more than 64 bits")
            )
        }
        guard found == chain.number else {
            throw fault(
                index,
                .wrongChain(name(of: index), expected: chain, found: ChainID(found))
            )
        }
        pool.verified(index)
    }

    private func exchange<Answer>(_ index: Int, _ call: RPCCall<Answer>) async throws -> Answer {
        let codec = codec(of: index)
        let bytes = try await post(index, try codec.request(call), method: call.method)
        do {
            return try codec.answer(to: call, bytes)
        } catch {
            throw fault(index, error)
        }
    }

    private func post(
        _ index: Int,
        _ body: [UInt8],
        method: String,
        calls: Int = 1
    ) async throws -> [UInt8] {
        try await exchange(index, method: method, calls: calls) {
            try await transport.post(
                body,
                to: endpoints[index],
                bytesMax: limits.answerBytesMax,
                timeout: limits.answerTimeout
            )
        }
    }

    /// Exchanges a request for its answer, at the endpoint's pace, and records how it went.
    func exchange<Answer: Sendable>(
        _ index: Int,
        method: String,
        calls: Int = 1,
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        try await keepPace(index, calls: calls)
        let start = clock.uptime
        let name = name(of: index)
        do {
            let answer = try await body()
            if pool.succeeded(index, latency: clock.uptime - start) {
                logger.notice("endpoint answers again", metadata: ["endpoint": "\(name)"])
            }
            return answer
        } catch let error as RPCTransportError {
            let bytesMax = limits.answerBytesMax
            switch error {
            case .unreachable(let reason): throw fault(index, .unreachable(name, reason: reason))
            case .timedOut: throw fault(index, .timedOut(name, method: method))
            case .status(let status): throw fault(index, .httpStatus(name, status))
            case .busy(let status, let pause):
                count("stoa_chain_endpoint_busy", of: index)
                throw fault(index, .busy(name, status: status, retryAfter: pause))
            case .oversized:
                throw fault(index, .oversized(name, method: method, bytesMax: bytesMax))
            }
        }
    }

    /// Waits for as long as the endpoint's limit of calls a second asks for.
    private func keepPace(_ index: Int, calls: Int) async throws {
        guard
            let pause = paces[index].reserve(
                calls,
                at: clock.uptime,
                waitMax: limits.paceWaitMax
            )
        else { throw EthereumError.overPace(name(of: index)) }
        count("stoa_chain_endpoint_requests", of: index, by: calls)
        guard pause > .zero else { return }
        count("stoa_chain_endpoint_delayed", of: index)
        try await clock.wait(pause)
    }

    private func count(_ label: String, of index: Int, by amount: Int = 1) {
        Counter(
            label: label,
            dimensions: [("chain", "\(chain)"), ("endpoint", "\(name(of: index))")]
        ).increment(by: amount)
    }

    func codec(of index: Int) -> RPCCodec {
        RPCCodec(endpoint: name(of: index))
    }

    func fault(_ index: Int, _ error: EthereumError) -> EthereumError {
        if error.isEndpointsFault { note(error, of: index) }
        return error
    }

    private func note(_ error: EthereumError, of index: Int) {
        let isNews = pool.failed(index, error, at: clock.uptime)
        count("stoa_chain_endpoint_failures", of: index)
        // Every failure is counted, but only a new kind of failure is logged.
        if isNews { logger.warning("endpoint failed", metadata: ["error": "\(error)"]) }
    }
}

/// One endpoint, for several calls whose answers must be consistent.
package struct EndpointSession: Sendable {
    private let client: ChainClient
    let index: Int
    /// The endpoint's name.
    package let name: EndpointName

    init(client: ChainClient, index: Int, name: EndpointName) {
        (self.client, self.index, self.name) = (client, index, name)
    }

    package func perform<Answer>(_ call: RPCCall<Answer>) async throws -> Answer {
        try await client.ask(index, call)
    }

    package func perform<Answer>(_ calls: [RPCCall<Answer>]) async throws -> [Answer] {
        try await client.ask(index, calls)
    }

    /// Reads the newest block of this endpoint.
    package func head() async throws -> BlockHeader { try await client.head(of: index) }
}
