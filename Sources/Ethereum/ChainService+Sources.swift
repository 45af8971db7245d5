import Concurrency
import Keys
import Logging
import Market

/// Keeps track of which applied events a second endpoint has confirmed.
extension ChainService {
    /// Confirms applied events through other endpoints, as far as the limits of one poll allow.
    func confirmSources(isSurvey: Bool) async throws {
        guard configuration.endpoints.count > 1 else { return }
        do {
            let end = clock.uptime + configuration.limits.confirmTimeMax
            confirmBy = clock.uptime + configuration.limits.confirmWaitMax
            try await noteJoined()
            sourceState = try await confirmApplied(until: end)
            if isSurvey { try await reviewDisputes(until: end) }
        } catch let error as EthereumError {
            logger.debug("no second endpoint", metadata: ["error": "\(error)"])
            sourceState = .away
        }
        try await notifySources()
    }

    /// Notifies the listener how far the applied events are confirmed, if that has changed.
    func notifySources() async throws {
        var state = sourceState
        if state != .single, let dispute = ledger.disputes.first {
            state = .disagreeing([dispute.source, dispute.other].compactMap { $0 })
        }
        let places = ledger.disputes.flatMap { dispute in
            dispute.lacking.map {
                SourceStatus.LogPosition(height: dispute.block.number, index: $0)
            }
        }
        var missing: [Bytes32: UInt64] = [:]
        for dispute in ledger.disputes {
            for topic in dispute.missing {
                missing[topic] = min(missing[topic] ?? .max, dispute.block.number)
            }
        }
        let now = SourceStatus(
            state: state,
            confirmed: ledger.confirmed?.number,
            disputed: Set(places),
            missing: missing
        )
        guard now != sources else { return }
        // A development chain has no other endpoint.
        let isExpected = now.state == .single && configuration.chain.isOfDevelopment
        if now.state != sources?.state, !isExpected {
            logFinding(now.state.message, about: "", level: .notice, metadata: [:])
        }
        sources = now
        try await notify(.sources(now))
    }

    /// Rolls back the events from a height on, so that they are read again.
    func reread(from height: UInt64) async throws {
        guard let session else { return }
        logFinding(
            "events are read again",
            about: "\(session.name)",
            level: .notice,
            metadata: ["from": "\(height)"]
        )
        if !follower.isMarked(below: height) { rereadUpTo = follower.applied?.number ?? 0 }
        for directive in follower.reread(from: height) {
            _ = try await perform(directive, through: session)
        }
    }

    /// Rolls back blocks that no usable endpoint has, if the head stays below them.
    ///
    /// Either a single endpoint delivered them, and would keep the node from following the honest
    /// ones; or the chain itself was set back, for example restored from a copy. Blocks that two
    /// endpoints have confirmed are left only once two say that they lack the newest one.
    func leaveUnknownBlocks(_ head: BlockHeader, session: EndpointSession) async throws {
        guard follower.isBehind, let applied = follower.applied else {
            pollsBehind = 0
            return
        }
        pollsBehind += 1
        if pollsBehind == 1 { try await client.identify(session) }
        let source = ledger.source(of: applied.number)
        let isOfOther = configuration.endpoints.count > 1 && source != session.name
        var isAlone = false
        if isOfOther, let source { isAlone = await client.isAlone(source) }
        guard isAlone || pollsBehind >= configuration.pollsPerSurvey else { return }
        pollsBehind = 0
        let confirmed = ledger.confirmed
        var target: BlockID?
        if isOfOther, confirmed.map({ $0.number <= head.number }) ?? true {
            if let confirmed, try await !session.has(confirmed) { return }
            target = confirmed
        } else {
            target = follower.window.marks.last { $0.number <= head.number }
            if let block = target, try await !session.has(block) { target = nil }
            // Nothing shows that it is the same chain until it is as long as that was at first.
            if !configuration.chain.isOfDevelopment, let first = finalFirst(in: follower.window),
                head.number < first.number
            {
                return
            }
            let isConfirmed = confirmed.map { $0.number > target?.number ?? 0 } ?? false
            guard try await isUnknown(applied, to: session, and: isConfirmed ? 1 : 0) else {
                return
            }
        }
        logFinding(
            "unknown blocks are left",
            about: "\(session.name)",
            level: .notice,
            metadata: ["to": "\(target?.number ?? 0)"]
        )
        for directive in follower.retreat(to: target) {
            _ = try await perform(directive, through: session)
        }
    }

    /// Returns whether no usable endpoint has a block.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - session: The endpoint that is followed.
    ///   - others: How many other endpoints must say that they lack it; those that fail say
    ///     nothing.
    /// - Returns: `true` if the block can be left.
    /// - Throws: ``EthereumError`` if the endpoint that is followed does not answer.
    private func isUnknown(
        _ block: BlockID,
        to session: EndpointSession,
        and others: Int
    ) async throws -> Bool {
        var asked: Set<EndpointName> = []
        var lacking = 0
        var next: EndpointSession? = session
        while let one = next {
            asked.insert(one.name)
            do {
                if try await one.has(block) { return false }
                lacking += 1
            } catch let error as EthereumError where error.isEndpointsFault {
                if one.name == session.name { throw error }
            }
            next = try await client.another(than: asked)
        }
        return lacking > others
    }

    /// Forgets confirmations above a block, before the blocks above it are rolled back.
    func truncateSources(to block: BlockID?) async throws {
        let before = ledger
        ledger.truncate(to: block)
        guard ledger != before else { return }
        try await keepSources()
        try await notifySources()
    }

    /// Restores the confirmations of the previous run.
    ///
    /// With one endpoint they are dropped: nothing would update them after a reorganisation.
    func resumeSources(isKept: Bool) async throws {
        let kept = try await store.sources(of: configuration.chain) ?? SourceLedger()
        ledger = kept
        if !isKept || configuration.endpoints.count < 2 {
            ledger.truncate(to: nil)
            // Disputed events may have been invented by an endpoint that is no longer configured.
            if isKept, !kept.disputes.isEmpty { startOver() }
        } else if let applied = follower.applied {
            ledger.truncate(to: applied)
        } else {
            ledger.truncate(to: nil)
        }
        if ledger != kept { try await keepSources() }
        try await notifySources()
    }

    func keepSources() async throws {
        try await store.keep(ledger, of: configuration.chain)
    }
}

extension ChainService {
    /// Records whether an endpoint failed to return a block that is not above its own head.
    ///
    /// An endpoint that keeps failing is mistrusted, if there is another one.
    func note(isMissing: Bool, by session: EndpointSession) async {
        guard isMissing, configuration.endpoints.count > 1 else {
            unknownPolls[session.name] = nil
            return
        }
        let polls = unknownPolls[session.name, default: 0] + 1
        unknownPolls[session.name] = polls
        guard polls >= configuration.limits.unknownBlockPollsMax else { return }
        unknownPolls[session.name] = nil
        // The only usable endpoint is kept: its next answer may be complete.
        guard (try? await client.another(than: [session.name])) != nil else { return }
        await client.mistrust(session, because: "no block although its own head is higher")
    }
}

extension EndpointSession {
    /// Returns whether the endpoint's chain has a block.
    fileprivate func has(_ block: BlockID) async throws -> Bool {
        try await perform(.block(.number(block.number)))?.id == block
    }
}

extension SourceStatus.State {
    /// The line of the log when this state begins.
    var message: Logger.Message {
        switch self {
        case .single: "one endpoint is configured, so no second one confirms what it says"
        case .confirming: "a second endpoint confirms the events"
        case .away: "no second endpoint answers with the newest blocks"
        case .disagreeing(let endpoints):
            "endpoints have different events: \(endpoints.map(\.description).joined(separator: ", "))"
        }
    }
}
