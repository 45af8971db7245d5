package import Concurrency
import Foundation
import Keys
package import Logging
package import Market
import Metrics

/// Follows one chain: its head, the events of its contracts, and how reliable both are.
///
/// Runs one ``ChainFollower`` against the real endpoints, store and clock. Other code reads the
/// chain through ``client``, which does not wait for the follower.
package actor ChainService {
    package nonisolated let configuration: ChainConfiguration
    package nonisolated let client: ChainClient
    let store: any ChainStore
    private let listener: any ChainListener
    let clock: any MonotonicClock
    package let logger: Logger
    /// Limits the lines of the log that endpoints can cause.
    let findings: LogRateLimiter
    var follower: ChainFollower
    var watch: HeadWatch
    private(set) var health = ChainHealth.starting
    private(set) var session: EndpointSession?
    private(set) var mustStartOver = false
    /// The blocks that an endpoint announces, if one does.
    var announcements: HeadAnnouncements?
    /// When the last poll ended.
    var polledAt = Duration.zero
    /// The head before the poll that an announced block has caused, if one has.
    var headBeforeWake: ChainHead?
    /// The newest applied block that may have events, which a second endpoint must confirm soon.
    private(set) var eventsUpTo: UInt64 = 0
    /// The events that two endpoints confirm, if more than one is configured.
    package var ledger = SourceLedger()
    package var sourceState: SourceStatus.State
    /// The status that was last reported to the listener.
    var sources: SourceStatus?
    /// The maximum number of blocks in one question to another endpoint.
    var sourceBlocks: UInt64
    /// Until when other endpoints may answer in the current poll.
    var confirmBy = Duration.zero
    /// Blocks that were read again because another endpoint has more events of them.
    var rereadBlocks: Set<Bytes32> = []
    /// The height up to which all events were read again because another endpoint has more.
    var rereadUpTo: UInt64 = 0
    /// For each endpoint, in how many polls it did not return a block below its own head.
    var unknownPolls: [EndpointName: Int] = [:]
    var loneForks: LoneForks
    /// How many of each endpoint's newest blocks no other endpoint ever had.
    var deliveredHeads: DeliveredHeads
    /// The endpoints that had too many of them.
    var restlessHeads: LoneForks
    /// The height of the head in the current poll.
    private var polledHead: UInt64 = 0
    /// The contracts whose logs are read again.
    package internal(set) var repairs: RepairQueue
    let blockTimes: BlockTimes
    /// Findings that endpoints withhold something, not yet reported to the listener.
    var notices: NoticeQueue
    /// How many disputes were checked again.
    var reviewed = 0
    /// For how many polls the endpoint's head was below the applied blocks of another endpoint.
    var pollsBehind = 0
    /// The last reason why the chain could not be followed, and when it was logged.
    private(set) var reportedFailure: (kind: EndpointFault, at: Duration)?
    private let watchers = Broadcast<ChainStatus>()

    package init(
        configuration: ChainConfiguration,
        client: ChainClient,
        store: any ChainStore,
        listener: any ChainListener,
        clock: any MonotonicClock = .system,
        logger: Logger = Logger(label: "stoa.chain")
    ) {
        self.configuration = configuration
        self.client = client
        self.store = store
        self.listener = listener
        self.clock = clock
        var logger = logger
        logger[metadataKey: "chain"] = "\(configuration.chain)"
        self.logger = logger
        findings = LogRateLimiter(clock: clock)
        follower = ChainFollower(filter: configuration.filter, limits: configuration.limits)
        sourceState = configuration.endpoints.count > 1 ? .confirming : .single
        sourceBlocks = configuration.limits.logRangeBlocksFirst
        notices = NoticeQueue(loggedAgain: configuration.limits.faultReportedAgain)
        repairs = RepairQueue(unexplainedMax: configuration.limits.unexplainedMax)
        blockTimes = BlockTimes(limits: configuration.limits)
        loneForks = LoneForks(patience: configuration.limits.forkPatience)
        deliveredHeads = DeliveredHeads(
            max: configuration.limits.headsAloneMax,
            openMax: configuration.limits.headsUnconfirmedMax
        )
        restlessHeads = LoneForks(patience: configuration.limits.forkPatience)
        watch = HeadWatch(
            headAgeMax: configuration.headAgeMax,
            headLagSecondsMax: configuration.headLagSecondsMax,
            headLeadSecondsMax: configuration.headLeadSecondsMax,
            needsSecond: configuration.endpoints.count > 1
        )
    }

    /// The present state of the chain.
    package var status: ChainStatus {
        ChainStatus(
            health: health,
            head: watch.head,
            applied: follower.applied,
            time: watch.head?.time(at: clock.uptime)
        )
    }

    /// Returns the present and all later statuses; a busy reader gets only the newest.
    package func statuses() -> AsyncStream<ChainStatus> { watchers.values(startingWith: status) }

    /// Returns the number of blocks from `block` to the head, both included; `nil` if the block is
    /// not part of the chain.
    package func confirmations(of block: BlockID) -> UInt64? { follower.confirmations(of: block) }

    /// Makes the follower read all events again.
    func startOver() { mustStartOver = true }

    /// Follows the chain until cancelled.
    ///
    /// Endpoints may fail; that is reported. After an error of the store or the listener the
    /// applied events cannot be trusted: the service resumes from the store's checkpoint after a
    /// pause, or ends with the error if `errors` is `nil`.
    package func run(errors: LoopErrors? = nil) async throws {
        defer { watchers.finish() }
        if configuration.endpoints.count == 1, !configuration.chain.isOfDevelopment {
            logger.notice("only one endpoint is set, so nothing confirms what it says")
        }
        guard let errors else { return try await follow() }
        try await errors.restarting { try await follow() }
    }

    private func follow() async throws {
        try await resume()
        var polls = 0
        while !Task.isCancelled {
            let isSurvey =
                polls % configuration.pollsPerSurvey == 0 && configuration.endpoints.count > 1
            polls += 1
            try await poll(isSurvey: isSurvey)
            polledAt = clock.uptime
            try await waitForPoll()
        }
    }

    private func resume() async throws {
        let chain = configuration.chain
        let stored = try await store.checkpoint(of: chain)
        follower = ChainFollower(
            filter: configuration.filter,
            checkpoint: stored,
            limits: configuration.limits
        )
        if let stored, stored.filter != configuration.filter.id {
            logger.notice("contracts changed, all events are read again")
            let empty = FollowerCheckpoint(
                window: BlockWindow(blocksMax: configuration.limits.windowBlocksMax),
                filter: configuration.filter.id
            )
            try await store.rollBack(to: nil, empty, of: chain)
        }
        eventsUpTo = follower.applied?.number ?? 0
        try await resumeSources(isKept: stored?.filter == configuration.filter.id)
        try await notify(.resumed(at: follower.applied))
    }

    /// Reads the head once, and performs what the follower directs because of it.
    private func poll(isSurvey: Bool) async throws {
        do {
            if isSurvey { try await client.survey() }
            // The newest applied block is read again with the next ones.
            let height = follower.applied?.number ?? follower.nextBlock
            let session = try await client.session(reading: height)
            if session.name != self.session?.name { forgetOpenAnswers() }
            self.session = session
            follower.rangeBlocksMax = await client.rangeBlocksMax(of: session)
            // Before the head is read, so that no block falls in between.
            await listen(preferring: session)
            if mustStartOver { try await startOver(through: session) }
            let header = try await session.head()
            polledHead = header.number
            try await see(header, through: session, isSurvey: isSurvey)
            let before = follower.applied
            try await drive(.head(header), through: session)
            if follower.isCaughtUp, follower.applied != before {
                await note(isMissing: false, by: session)
            }
            try await leaveUnknownBlocks(header, session: session)
            if try await repairEvents(through: session) {
                try await drive(.head(header), through: session)
            }
            try await confirmSources(isSurvey: isSurvey)
            try await confirmTime(through: session)
            await leaveRestless()
            try await updateHealth()
            reportedFailure = nil
        } catch let error as EthereumError {
            _ = follower.handle(.failed)
            report(error)
            try await updateHealth(after: error)
        }
    }

    /// Forgets what another endpoint has said that is not judged yet: it says nothing of the next
    /// one.
    private func forgetOpenAnswers() {
        watch.forgetUnconfirmed()
        follower.forgetChangedPasses()
    }

    private func startOver(through session: EndpointSession) async throws {
        mustStartOver = false
        do {
            for directive in follower.startOver() {
                _ = try await perform(directive, through: session)
            }
        } catch {
            mustStartOver = true
            throw error
        }
    }

    /// Logs why the chain cannot be followed: once for each kind of reason until it can, and again
    /// after a while.
    private func report(_ error: EthereumError) {
        let (kind, now) = (EndpointFault(error), clock.uptime)
        let isNews = reportedFailure.map {
            $0.kind != kind || now - $0.at >= configuration.limits.faultReportedAgain
        }
        guard isNews ?? true else {
            logger.debug("poll failed", metadata: ["error": "\(error)"])
            return
        }
        reportedFailure = (kind, now)
        logger.warning("the chain cannot be followed now", metadata: ["error": "\(error)"])
    }

    private func drive(
        _ event: ChainFollower.Event,
        through session: EndpointSession
    ) async throws {
        var directives = follower.handle(event)[...]
        while let directive = directives.popFirst() {
            if case .rollBack(let block, _) = directive {
                try await requireDeparture(to: block, through: session)
                noteReplaced(above: block, by: session)
            }
            if let answer = try await perform(directive, through: session) {
                precondition(directives.isEmpty, "a question is the last directive")
                directives = follower.handle(answer)[...]
            }
        }
    }

    func perform(
        _ directive: ChainFollower.Directive,
        through session: EndpointSession
    ) async throws -> ChainFollower.Event? {
        let chain = configuration.chain
        switch directive {
        case .fetchHeaders(let numbers):
            return try await headers(numbers, through: session)
        case .fetchLogs(let range):
            let answer = try await logs(in: range, through: session)
            follower.rangeBlocksMax = await client.rangeBlocksMax(of: session)
            return answer
        case .apply(let range, let checkpoint):
            deliveredHeads.delivered(range.to, by: session.name)
            if configuration.endpoints.count > 1,
                ledger.note(source: session.name, from: range.from)
            {
                try await keepSources()
            }
            if !range.events.isEmpty { eventsUpTo = range.to.number }
            try await store.apply(range, checkpoint, to: chain)
            count("stoa_chain_events_applied", range.events.count)
            try await notify(.applied(range))
            try await updateHealth()
        case .rollBack(let block, let checkpoint):
            if block == nil { try await requireChain(of: session) }
            logFinding(
                "chain was reorganised",
                about: "\(session.name)",
                level: .notice,
                metadata: ["to": "\(block?.number ?? 0)", "deep": "\(block == nil)"]
            )
            count("stoa_chain_reorganisations", 1)
            eventsUpTo = min(eventsUpTo, block?.number ?? 0)
            try await truncateSources(to: block)
            try await store.rollBack(to: block, checkpoint, of: chain)
            try await notify(.rolledBack(to: block))
            try await updateHealth()
        case .mistrust(let detail):
            await client.mistrust(session, because: detail)
        case .fetchLogsAgain, .leftOut, .suspect:
            return try await resolve(directive, through: session)
        }
        return nil
    }

    /// Reads headers, and notes if the endpoint lacks some of its own blocks; the others are asked
    /// first if it does so again.
    private func headers(
        _ numbers: [UInt64],
        through session: EndpointSession
    ) async throws -> ChainFollower.Event {
        let found = try await comparer.wholeHeaders(numbers, by: session)
        var headers: [UInt64: BlockHeader] = [:]
        for (number, header) in zip(numbers, found) {
            guard let header else { continue }
            guard header.number == number else {
                await client.mistrust(session, because: "another block than asked for")
                return .failed
            }
            headers[number] = header
        }
        let missing = numbers.last { $0 <= polledHead && headers[$0] == nil }
        if let missing, await client.hasRemoved(missing, session) {
            // It is good otherwise; the next poll asks another one for these blocks.
            throw EthereumError.malformed(
                session.name,
                method: "eth_getBlockByNumber",
                detail: "no block \(missing), which is far below its head"
            )
        }
        // A whole answer in between does not help: only when all blocks are read is this over.
        if missing != nil { await note(isMissing: true, by: session) }
        if unknownPolls[session.name, default: 0] >= configuration.limits.unknownBlockPollsKept {
            await client.setAside(session)
        }
        return .headers(headers)
    }

    func logs(
        in range: ClosedRange<UInt64>,
        through session: EndpointSession
    ) async throws -> ChainFollower.Event {
        do {
            return .logs(try await session.perform(.logs(configuration.filter, in: range)))
        } catch EthereumError.tooManyBlocks {
            return .tooMuch
        }
    }

    var wallClockSeconds: UInt64 { UInt64(clamping: client.wallClock.unixSeconds) }

    func updateHealth(after error: EthereumError? = nil) async throws {
        try await tellNotices()
        var now = watch.health(of: follower, at: clock.uptime, wallClockSeconds: wallClockSeconds)
        let reports = await client.reports
        let wrong = reports.compactMap { report -> ChainID? in
            if case .wrongChain(let found) = report.status { found } else { nil }
        }
        if let found = wrong.first, wrong.count == reports.count {
            now = .wrongChain(found: found)
        } else if error != nil, !reports.contains(where: { $0.status.isUsable }) {
            now = .unreachable
        }
        if now != health {
            health = now
            logFinding(
                "chain health changed",
                about: "\("\(now)".prefix { !$0.isNumber })",
                level: .info,
                metadata: ["chain": "\(configuration.chain)", "health": "\(now)"]
            )
            try await notify(.health(now))
        }
        watchers.send(status)
    }

    /// Notifies the listener of a head.
    ///
    /// If the head is not the present one, the health is updated first, so that nothing goes by the
    /// head's time.
    func notify(_ head: ChainHead) async throws {
        let health = watch.health(
            of: follower,
            at: clock.uptime,
            wallClockSeconds: wallClockSeconds
        )
        if case .stale = health { try await updateHealth() }
        try await notify(.head(head))
    }

    func notify(_ update: ChainUpdate) async throws {
        try await listener.handle(update, on: configuration.chain)
    }

    func count(_ label: String, _ amount: Int) {
        Counter(label: label, dimensions: [("chain", "\(configuration.chain)")])
            .increment(by: amount)
    }
}

/// The state of a chain as the node knows it.
package struct ChainStatus: Equatable, Sendable {
    package let health: ChainHealth
    package let head: ChainHead?
    /// The newest block whose events are in the store.
    package let applied: BlockID?
    /// The chain's time now.
    package let time: ChainTime?
}
