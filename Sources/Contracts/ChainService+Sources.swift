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
        if now.state != sources?.state {
            logger.notice("second endpoint", metadata: ["state": "\(now.state)"])
        }
        sources = now
        try await notify(.sources(now))
    }

    /// Rolls back the events from a height on, so that they are read again.
    func reread(from height: UInt64) async throws {
        guard let session else { return }
        logger.notice("events are read again", metadata: ["from": "\(height)"])
        if !follower.isMarked(below: height) { rereadUpTo = follower.applied?.number ?? 0 }
        for directive in follower.reread(from: height) {
            _ = try await perform(directive, through: session)
        }
    }

    /// Rolls back blocks that only one endpoint delivered and that no usable endpoint has.
    ///
    /// Otherwise that endpoint would keep the node from following the honest ones, because their
    /// heads are below the applied blocks.
    func leaveUnknownBlocks(_ head: BlockHeader, session: EndpointSession) async throws {
        guard follower.isBehind, configuration.endpoints.count > 1,
            let applied = follower.applied,
            ledger.source(of: applied.number) != (session.name)
        else {
            pollsBehind = 0
            return
        }
        pollsBehind += 1
        guard pollsBehind >= configuration.pollsPerSurvey else { return }
        pollsBehind = 0
        guard let confirmed = ledger.confirmed else {
            for directive in follower.startOver() {
                _ = try await perform(directive, through: session)
            }
            return
        }
        guard confirmed.number <= head.number,
            try await session.perform(.block(.number(confirmed.number)))?.id == confirmed
        else { return }
        logger.notice("unknown blocks are left", metadata: ["to": "\(confirmed.number)"])
        for directive in follower.retreat(to: confirmed) {
            _ = try await perform(directive, through: session)
        }
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
            // Disputed events may have been invented by an endpoint that is not configured any more.
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
