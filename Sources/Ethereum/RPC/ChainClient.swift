package import Concurrency
import Foundation
package import Logging
package import Market
import Metrics
package import Texts

/// A client of one chain's endpoints that avoids those which fail, lag or lie.
package actor ChainClient {
    package nonisolated let chain: ChainID
    let endpoints: [Endpoint]
    let transport: any RPCTransport
    let limits: ChainLimits
    let clock: any MonotonicClock
    nonisolated let wallClock: any WallClock
    let logger: Logger
    var pool: EndpointPool
    var paces: [EndpointPace]
    /// How many blocks each endpoint answers for at once, and how many calls in one batch.
    var ranges: [RequestSize]
    var batches: [RequestSize]
    /// The height up to which an endpoint has said that it lacks blocks or events.
    var lacking: [Int: UInt64] = [:]
    /// The codes of refusals that were not known and are logged already, by endpoint.
    var unknownCodes: [Int: Set<Int>] = [:]
    /// The subscriptions to new blocks, by endpoint; one each.
    var subscriptions: [Int: HeadSubscription] = [:]
    /// Until when an endpoint is not asked for a subscription again, because it refused one.
    var unsubscribedUntil: [Int: Duration] = [:]
    /// The endpoints whose newest head had the hash of its own fields.
    private var provenHeads: Set<Int> = []
    /// Whether an endpoint's head had the hash of its own fields, as heads of this chain can have.
    private(set) var hasProvenHead = false
    /// Until when an endpoint is asked after the others, because it is slow, and the last small
    /// question over which it took long: a quick answer to that ends it.
    private var slow: [Int: (until: Duration, method: String?)] = [:]
    /// Until when an endpoint is asked last, because it may be on a fork, or lacks new blocks.
    private var asideUntil: [Int: Duration] = [:]
    /// The minimum tip that an endpoint has asked for, in wei, and until when that counts.
    var tipsNeeded: [Int: (tip: Amount, until: Duration)] = [:]
    /// The most gas of one transaction, as an endpoint's refusal shows it, and until when that
    /// counts.
    var gasBounds: [Int: (most: UInt64, until: Duration)] = [:]
    /// The price of a new storage slot according to the chain, and until when it counts.
    var storagePrice: (gas: UInt64, until: Duration)?

    /// Creates a client; `endpoints` has at least one, the preferred one first.
    ///
    /// The transport must outlive the client.
    package init(
        chain: ChainID,
        endpoints: [Endpoint],
        transport: any RPCTransport,
        limits: ChainLimits = ChainLimits(),
        clock: any MonotonicClock = .system,
        wallClock: any WallClock = .system,
        logger: Logger = Logger(label: "stoa.chain")
    ) {
        self.chain = chain
        self.endpoints = endpoints
        self.transport = transport
        self.limits = limits
        (self.clock, self.wallClock) = (clock, wallClock)
        var logger = logger
        logger[metadataKey: "chain"] = "\(chain)"
        self.logger = logger
        pool = EndpointPool(names: endpoints.map(\.name), limits: limits)
        paces = endpoints.map { EndpointPace(callsPerSecond: $0.callsPerSecondMax) }
        let blocksMax = Int(clamping: limits.logRangeBlocksMax)
        ranges = endpoints.map { _ in RequestSize(sizeMax: blocksMax) }
        batches = endpoints.map { _ in RequestSize(sizeMax: limits.batchCallsMax) }
    }

    package var reports: [EndpointReport] { pool.reports }

    /// Why endpoints cannot be used now, and when they are asked again.
    package var faults: [Sentence] {
        pool.reports.flatMap { report -> [Sentence] in
            guard let fault = report.fault else { return [] }
            let wait = report.retryAt - clock.uptime
            guard wait >= .seconds(1) else { return [fault.reason] }
            let values = ["endpoint": "\(report.name)", "wait": wait.value]
            return [fault.reason, Sentence("endpoint.askedAgain", values)]
        }
    }

    /// Makes a call to the best endpoint, and to the next one if that endpoint is at fault.
    ///
    /// - Throws: ``EthereumError``: a refusal that any endpoint would give, else the last failure.
    package func perform<Answer>(_ call: RPCCall<Answer>) async throws -> Answer {
        try await failingOver(reading: call.blocks?.lowerBound ?? .max) { index in
            try await self.ask(index, call)
        }
    }

    /// Makes several calls of one kind, as ``perform(_:)``; returns the answers in their order.
    package func perform<Answer>(_ calls: [RPCCall<Answer>]) async throws -> [Answer] {
        let lowest = calls.compactMap { $0.blocks?.lowerBound }.min()
        return try await failingOver(reading: lowest ?? .max) { index in
            try await self.ask(index, calls)
        }
    }

    /// Returns the best endpoint, for several calls whose answers must be consistent.
    ///
    /// - Parameter height: The first block that is read; endpoints that are known to lack it come
    ///   last.
    /// - Returns: A session with it.
    /// - Throws: ``EthereumError`` if no endpoint is usable.
    package func session(reading height: UInt64 = .max) async throws -> EndpointSession {
        let index = try await failingOver(reading: height) { index in
            try await self.connect(index)
            return index
        }
        return EndpointSession(client: self, index: index, name: name(of: index))
    }

    /// Returns the best usable endpoint that is not in `names`.
    package func another(than names: Set<EndpointName>) async throws -> EndpointSession? {
        try await usable { !names.contains($0) }
    }

    /// Returns the endpoint of that name; `nil` if it is not configured or not usable now.
    package func session(of name: EndpointName) async throws -> EndpointSession? {
        try await usable { $0 == name }
    }

    /// Returns the endpoint of that name, whether it is usable or not.
    func named(_ name: EndpointName) -> EndpointSession? {
        endpoints.firstIndex { $0.name == name }
            .map { EndpointSession(client: self, index: $0, name: name) }
    }

    private func usable(_ isWanted: (EndpointName) -> Bool) async throws -> EndpointSession? {
        for index in candidates where isWanted(name(of: index)) {
            do {
                try await connect(index)
                return EndpointSession(client: self, index: index, name: name(of: index))
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        return nil
    }

    /// The endpoints to use now; the slow ones after the others, and those that were set aside
    /// last.
    private var candidates: [Int] {
        let now = clock.uptime
        let usable = pool.candidates(at: now)
        let aside = usable.filter { asideUntil[$0] ?? .zero > now }
        let others = usable.filter { !aside.contains($0) }
        return others.filter { !isSlow($0) } + others.filter { isSlow($0) } + aside
    }

    /// Has an endpoint asked last for ``ChainLimits/forkPatience``; it is not at fault.
    func setAside(_ session: EndpointSession) {
        asideUntil[session.index] = clock.uptime + limits.forkPatience
    }

    func isSlow(_ index: Int) -> Bool { slow[index].map { $0.until > clock.uptime } ?? false }

    func isSlow(_ session: EndpointSession) -> Bool { isSlow(session.index) }

    /// Records that an endpoint took longer than others may have to wait for it.
    func noteSlow(_ session: EndpointSession) { noteSlow(session.index) }

    func noteSlow(_ index: Int, over method: String? = nil) {
        slow[index] = (clock.uptime + limits.slowVoterPause, method)
    }

    /// Records that an endpoint has answered a small question quickly.
    func noteQuick(_ index: Int, over method: String) {
        if slow[index]?.method == method { slow[index] = nil }
    }

    /// Reads the head of every endpoint to find those that are behind.
    ///
    /// If three endpoints answer, a head that is far above all others counts once another one,
    /// asked again, is nearly as high. Of two, the higher one must show its block at the other's
    /// height.
    package func survey() async throws {
        for index in candidates {
            do {
                _ = try await promptly(index) { try await self.head(of: index) }
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        pool.forgetLeads()
        for (index, height) in pool.toShow {
            if pool.hasThree {
                try await findCompany(of: index)
                continue
            }
            do {
                let call = RPCCall.block(.number(height))
                let header = try await promptly(index) { try await self.ask(index, call) }
                pool.showed(header?.number == height ? header : nil, by: index)
            } catch let error as EthereumError where error.isEndpointsFault {
                pool.showed(nil, by: index)
            }
        }
    }

    /// Asks the others again for their heads, until one of them comes near that of an endpoint.
    private func findCompany(of leader: Int) async throws {
        for index in candidates where index != leader && pool.leads(leader) {
            do {
                _ = try await promptly(index) { try await self.head(of: index) }
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        if pool.leads(leader) { pool.foundAlone(leader) }
    }

    /// Returns whether an endpoint's head is far above all others, and none of them confirms it.
    func isAlone(_ name: EndpointName) -> Bool {
        endpoints.firstIndex { $0.name == name }.map { pool.isAlone($0) } ?? false
    }

    /// See ``EndpointPool/isLeftBehind(_:wallClockSeconds:headAgeMax:)``.
    func isLeftBehind(_ session: EndpointSession, headAgeMax: Duration?) -> Bool {
        pool.isLeftBehind(
            session.index,
            wallClockSeconds: UInt64(clamping: wallClock.unixSeconds),
            headAgeMax: headAgeMax
        )
    }

    /// An answer that is not waited for.
    private struct Late: Error {}

    /// Waits for an endpoint's answer for at most ``ChainLimits/comparisonTimeMax``.
    ///
    /// - Throws: The error of `body`, or ``EthereumError/timedOut(_:method:)``, which does not
    ///   count as the endpoint's failure.
    private func promptly<Answer: Sendable>(
        _ index: Int,
        _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await withTimeLimit(
                limits.comparisonTimeMax,
                throwing: Late(),
                clock: clock,
                body
            )
        } catch is Late {
            noteSlow(index)
            throw EthereumError.timedOut(name(of: index), method: "eth_getBlockByNumber")
        }
    }

    /// Returns the maximum number of blocks whose events an endpoint is asked for at once.
    package func rangeBlocksMax(of session: EndpointSession) -> UInt64 {
        UInt64(ranges[session.index].size)
    }

    /// Returns whether an endpoint has said that it no longer has a block, and the block is old.
    func lacks(_ height: UInt64, _ session: EndpointSession) -> Bool {
        !isNear(height, session.index) && lacks(height, session.index)
    }

    /// Records that an endpoint has no block at a height below its own head.
    ///
    /// - Returns: Whether the block is old, so that the endpoint has removed it.
    func hasRemoved(_ height: UInt64, _ session: EndpointSession) -> Bool {
        guard !isNear(height, session.index) else { return false }
        lacking[session.index] = max(lacking[session.index] ?? 0, height)
        return true
    }

    private func lacks(_ height: UInt64, _ index: Int) -> Bool {
        lacking[index].map { height <= $0 } ?? false
    }

    /// Records that an endpoint's answers contradict each other; it is not used for a while.
    package func mistrust(_ session: EndpointSession, because detail: String) {
        let error = EthereumError.contradiction(name(of: session.index), detail: detail)
        note(error, of: session.index)
    }

    func name(of index: Int) -> EndpointName { endpoints[index].name }

    func head(of index: Int) async throws -> BlockHeader {
        guard let block = try await ask(index, RPCCall.whole(.latest)) else {
            throw fault(index, .malformed(name(of: index), method: "latest", detail: "no block"))
        }
        if block.isProven { provenHeads.insert(index) } else { provenHeads.remove(index) }
        hasProvenHead = hasProvenHead || block.isProven
        sawHead(block.header, of: index)
        return block.header
    }

    /// Returns whether the head that an endpoint told last does not prove its time, although heads
    /// of this chain can.
    func isHeadDoubtful(of session: EndpointSession) -> Bool {
        hasProvenHead && !isHeadProven(of: session)
    }

    /// Returns whether the head that an endpoint told last has the hash of its own fields.
    func isHeadProven(of session: EndpointSession) -> Bool {
        provenHeads.contains(session.index)
    }

    func sawHead(_ header: BlockHeader, of index: Int) {
        pool.sawHead(
            header,
            of: index,
            at: clock.uptime,
            wallClockSeconds: UInt64(clamping: wallClock.unixSeconds)
        )
    }

    func failingOver<Value>(
        reading height: UInt64 = .max,
        _ body: (Int) async throws -> Value
    ) async throws -> Value {
        var failure: any Error = EthereumError.noEndpoint(chain)
        let candidates = candidates
        let last = candidates.filter { lacks(height, $0) }
        for index in candidates.filter({ !last.contains($0) }) + last {
            do {
                return try await body(index)
            } catch let error as EthereumError where error.isEndpointsFault {
                if !(failure is UnreadableAnswer) { failure = error }
            } catch let error as UnreadableAnswer {
                failure = error
            }
        }
        throw failure
    }

    /// Checks that the endpoint serves this chain, at first and after each failure.
    ///
    /// - Throws: ``EthereumError``; also the last one, without a question, while the endpoint is
    ///   mistrusted or has asked for a pause.
    func connect(_ index: Int) async throws {
        if let error = pool.wait(of: index, at: clock.uptime) { throw error }
        if !pool.isVerified(index) { try await identify(index) }
    }

    /// Asks an endpoint again which chain it serves, whatever it has said before.
    ///
    /// - Throws: ``EthereumError``
    func identify(_ session: EndpointSession) async throws { try await identify(session.index) }

    private func identify(_ index: Int) async throws {
        let answer = try await exchange(index, .chainID)
        guard let found = answer.number else {
            throw fault(
                index,
                .malformed(name(of: index), method: "eth_chainId", detail: "more than 64 bits")
            )
        }
        guard found == chain.number else {
            throw fault(index, .wrongChain(name(of: index), expected: chain, found: ChainID(found)))
        }
        pool.verified(index)
    }

    /// Records a failure, if it is one of the endpoint.
    func fault(_ index: Int, _ error: EthereumError) -> EthereumError {
        switch error {
        case .overPace: break
        case .busy:
            count("stoa_chain_endpoint_busy", of: index)
            note(error, of: index)
        default: if error.isEndpointsFault { note(error, of: index) }
        }
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
