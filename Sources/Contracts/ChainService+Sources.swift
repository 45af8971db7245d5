import Keys
import Logging
import Market

/// Asks a second endpoint about what one has told.
extension ChainService {
    /// What became of a question.
    private enum Outcome {
        /// Two endpoints say the same up to the block, but for the disputes.
        case confirmed(BlockID, [SourceDispute])
        /// Another endpoint is about to have the blocks.
        case wait
        /// No other endpoint answers, or all are far behind.
        case away
        /// Two endpoints are on different forks, deeper than what is final.
        case forked([EndpointName])
        /// The events from this height on have to be read again.
        case reread(UInt64)
    }

    /// What one endpoint says about a range.
    private enum Comparison {
        /// The same, up to this block.
        case same(BlockID)
        case behind(isFar: Bool)
        /// It has another block at this height.
        case fork(UInt64)
        case differs(LogDifference)
    }

    /// Has another endpoint confirm what is applied, as far as it can.
    func confirmSources(isSurvey: Bool) async throws {
        guard configuration.endpoints.count > 1 else { return }
        do {
            sourceState = try await confirmApplied()
            if isSurvey { try await reviewDisputes() }
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
                SourceStatus.Place(height: dispute.block.number, index: $0)
            }
        }
        let now = SourceStatus(
            state: state,
            confirmed: ledger.confirmed?.number,
            disputed: Set(places)
        )
        guard now != sources else { return }
        if now.state != sources?.state {
            logger.notice("second endpoint", metadata: ["state": "\(now.state)"])
        }
        sources = now
        try await tell(.sources(now))
    }

    private func confirmApplied() async throws -> SourceStatus.State {
        var state = SourceStatus.State.confirming
        var isProbed = false
        while let applied = follower.applied,
            let question = ledger.question(
                applied: applied.number,
                first: configuration.filter.firstBlock,
                blocksMax: sourceBlocks
            )
        {
            isProbed = true
            switch try await ask(question, applied: applied.number) {
            case .confirmed(let block, let disputes):
                ledger.confirm(upTo: block, except: disputes)
                try await keepSources()
            case .wait: return state
            case .away: return .away
            case .forked(let names): return .disagreeing(names)
            case .reread(let height):
                try await reread(from: height)
                return state
            }
        }
        if !isProbed, sourceState == .away, let session {
            let other = try await client.another(than: [session.name])
            if other == nil { state = .away }
        }
        return state
    }

    /// Puts a question to other endpoints than the one that told.
    private func ask(
        _ question: SourceLedger.Question,
        applied: UInt64
    ) async throws -> Outcome {
        var asked = Set([question.teller].compactMap { $0 })
        var range = question.range
        var missing = question.teller == nil ? 2 : 1
        while let other = try await client.another(than: asked) {
            let name = other.name
            asked.insert(name)
            let comparison: Comparison
            do {
                comparison = try await compare(range, with: other)
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
            switch comparison {
            case .same(let block):
                range = range.lowerBound...block.number
                missing -= 1
                if missing == 0 { return .confirmed(block, []) }
            case .behind(let isFar):
                guard isFar else { return .wait }
            case .fork(let height):
                let settled = applied + 1 - min(configuration.confirmations, applied + 1)
                if range.upperBound > settled, settled >= range.lowerBound {
                    let deep = SourceLedger.Question(
                        range: range.lowerBound...settled,
                        teller: question.teller
                    )
                    return try await ask(deep, applied: applied)
                }
                guard height + configuration.confirmations <= applied + 1 else { return .wait }
                return .forked([question.teller, name].compactMap { $0 })
            case .differs(let difference):
                let outcome = try await decide(
                    difference,
                    question,
                    range,
                    other,
                    asked: asked,
                    applied: applied
                )
                if let outcome { return outcome }
            }
        }
        return .away
    }

    /// What follows from a difference between two endpoints; `nil` if the second of them is
    /// mistrusted, and the next one counts.
    private func decide(
        _ difference: LogDifference,
        _ question: SourceLedger.Question,
        _ range: ClosedRange<UInt64>,
        _ other: EndpointSession,
        asked: Set<EndpointName>,
        applied: UInt64
    ) async throws -> Outcome? {
        let block = difference.block
        if block.number > range.lowerBound {
            // What is below the difference is confirmed first.
            let below = SourceLedger.Question(
                range: range.lowerBound...block.number - 1,
                teller: question.teller
            )
            return try await ask(below, applied: applied)
        }
        // Endpoints may have a block before they have its logs.
        guard block.number + configuration.confirmations <= applied + 1 else { return .wait }
        let isUnread = rereadBlocks.insert(block.hash).inserted
        if isUnread, question.teller == nil || !difference.onlyOther.isEmpty {
            return .reread(block.number)
        }
        switch try await thirdWord(on: difference, asked: asked) {
        case .some(true):
            await client.mistrust(other, because: "two others say other events")
            return nil
        case .some(false):
            if let teller = question.teller, let session = try await client.session(of: teller) {
                await client.mistrust(session, because: "two others say other events")
            }
            return .reread(block.number)
        case nil: break
        }
        logger.error(
            "two endpoints say different events of one block",
            metadata: ["block": "\(block.number)", "endpoints": "\(asked)"]
        )
        let dispute = SourceDispute(
            block: block,
            teller: question.teller,
            other: other.name,
            lacking: difference.onlyOwn.map(\.index).sorted()
        )
        return .confirmed(block, [dispute])
    }

    /// Whether a third endpoint says what is applied, or the contrary; `nil` if it says neither.
    private func thirdWord(
        on difference: LogDifference,
        asked: Set<EndpointName>
    ) async throws -> Bool? {
        guard let third = try await client.another(than: asked) else { return nil }
        let height = difference.block.number
        switch try await compare(height...height, with: third) {
        case .same: return true
        case .differs(let found) where found == difference: return false
        case .differs, .behind, .fork: return nil
        }
    }

    /// Looks again at blocks of which endpoints differed.
    private func reviewDisputes() async throws {
        for dispute in ledger.disputes {
            let height = dispute.block.number
            let tellers = Set([dispute.teller].compactMap { $0 })
            guard let other = try await client.another(than: tellers) else { return }
            switch try await compare(height...height, with: other) {
            case .same:
                ledger.settle(dispute)
                try await keepSources()
            case .differs(let difference):
                guard let teller = dispute.teller,
                    let session = try await client.session(of: teller)
                else {
                    let asked = tellers.union([other.name])
                    if try await thirdWord(on: difference, asked: asked) == false {
                        return try await reread(from: height)
                    }
                    continue
                }
                // It may say by now what the other says.
                if case .differs(difference) = try await compare(height...height, with: session) {
                    return try await reread(from: height)
                }
            case .behind, .fork: continue
            }
        }
    }

    private func compare(
        _ range: ClosedRange<UInt64>,
        with other: EndpointSession
    ) async throws -> Comparison {
        let head = try await other.head()
        guard head.number >= range.lowerBound else {
            let applied = follower.applied?.number ?? 0
            return .behind(isFar: head.number + configuration.limits.lagBlocksMax < applied)
        }
        let asked = range.lowerBound...min(range.upperBound, head.number)
        var end = head
        if head.number != asked.upperBound {
            let found = try await other.perform(RPCCall.block(.number(asked.upperBound)))
            guard let found, found.number == asked.upperBound else { return .behind(isFar: false) }
            end = found
        }
        if let mark = follower.mark(at: end.number), mark != end.id { return .fork(end.number) }
        guard let logs = try await logs(of: other, in: asked) else {
            sourceBlocks = max(1, UInt64(asked.count) / 2)
            return try await compare(
                asked.lowerBound...asked.lowerBound + sourceBlocks - 1,
                with: other
            )
        }
        let own = try await store.events(of: configuration.chain, in: asked).map(\.log)
        guard let first = LogDifference.first(own: own, other: logs) else { return .same(end.id) }
        let mark = follower.mark(at: first.block.number)
        let isFork = first.isFork || mark.map { $0 != first.block } ?? false
        return isFork ? .fork(first.block.number) : .differs(first)
    }

    /// The logs that an endpoint has; `nil` if it wants to be asked for less.
    private func logs(
        of other: EndpointSession,
        in range: ClosedRange<UInt64>
    ) async throws -> [EventLog]? {
        let filter = configuration.filter
        guard !filter.addresses.isEmpty else { return [] }
        let logs: [EventLog]
        do {
            logs = try await other.perform(.logs(filter, in: range))
        } catch EthereumError.refused(_, let refusal) where refusal.isTooMuch && range.count > 1 {
            return nil
        } catch EthereumError.oversized where range.count > 1 {
            return nil
        }
        guard logs.allSatisfy({ range.contains($0.block.number) && filter.matches($0) }) else {
            await client.mistrust(other, because: "an event that was not asked for")
            throw EthereumError.contradiction(
                other.name,
                detail: "an event that was not asked for"
            )
        }
        return logs
    }

    /// Takes back all from a height on, to read it again.
    private func reread(from height: UInt64) async throws {
        guard let session else { return }
        logger.notice("events are read again", metadata: ["from": "\(height)"])
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
