import Concurrency
import Keys
import Logging
import Market

/// Asks a second endpoint about what one has told.
extension ChainService {
    /// Has another endpoint confirm what is applied, as far as it can.
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
        try await tellSources()
    }

    /// Tells how far what is applied is confirmed, if that is news.
    func tellSources() async throws {
        var state = sourceState
        if state != .single, let dispute = ledger.disputes.first {
            state = .disagreeing([dispute.teller, dispute.other].compactMap { $0 })
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
        try await tell(.sources(now))
    }

    /// Takes back all from a height on, to read it again.
    func reread(from height: UInt64) async throws {
        guard let session else { return }
        logger.notice("events are read again", metadata: ["from": "\(height)"])
        if !follower.isMarked(below: height) { rereadUpTo = follower.applied?.number ?? 0 }
        for directive in follower.reread(from: height) {
            _ = try await perform(directive, through: session)
        }
    }

    /// Leaves blocks that one endpoint alone told and that no usable endpoint knows.
    ///
    /// Such an endpoint would otherwise keep the node from following the honest ones: their heads
    /// are below what is applied.
    func leaveUnknownBlocks(_ head: BlockHeader, session: EndpointSession) async throws {
        guard follower.isBehind, configuration.endpoints.count > 1,
            let applied = follower.applied,
            ledger.teller(of: applied.number) != (session.name)
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

    /// Forgets what was confirmed above a block, before that is taken back.
    func truncateSources(to block: BlockID?) async throws {
        let before = ledger
        ledger.truncate(to: block)
        guard ledger != before else { return }
        try await keepSources()
        try await tellSources()
    }

    /// Takes up what was confirmed before the start.
    ///
    /// With one endpoint nothing is confirmed by a second, and what was is forgotten: it would not
    /// follow the reorganisations meanwhile.
    func resumeSources(isKept: Bool) async throws {
        let kept = try await store.sources(of: configuration.chain) ?? SourceLedger()
        ledger = kept
        if !isKept || configuration.endpoints.count < 2 {
            ledger.truncate(to: nil)
            // What the endpoint that is gone may have invented is not to be believed now.
            if isKept, !kept.disputes.isEmpty { startOver() }
        } else if let applied = follower.applied {
            ledger.truncate(to: applied)
        } else {
            ledger.truncate(to: nil)
        }
        if ledger != kept { try await keepSources() }
        try await tellSources()
    }

    func keepSources() async throws {
        try await store.keep(ledger, of: configuration.chain)
    }
}

extension ChainService {
    /// Notes whether an endpoint gave all blocks that are not above its own head.
    ///
    /// One that goes on without is left alone, if there are others.
    func note(isMissing: Bool, by session: EndpointSession) async {
        guard isMissing, configuration.endpoints.count > 1 else {
            unknownPolls[session.name] = nil
            return
        }
        let polls = unknownPolls[session.name, default: 0] + 1
        unknownPolls[session.name] = polls
        guard polls >= configuration.limits.unknownBlockPollsMax else { return }
        unknownPolls[session.name] = nil
        // The only one that can be used is kept: its next answer may be whole.
        guard (try? await client.another(than: [session.name])) != nil else { return }
        await client.mistrust(session, because: "no block although its own head is higher")
    }
}
