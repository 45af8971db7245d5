import Concurrency
import Keys
import Logging
import Market

/// Confirms applied events through endpoints other than the one that delivered them.
///
/// A poll asks a bounded number of questions and continues in the next poll, so that polls of the
/// head are not delayed: see ``ChainLimits/confirmQuestionsMax``.
extension ChainService {
    /// The result of asking other endpoints about a range.
    private enum Outcome {
        /// Two endpoints have the same events up to the block, except for the disputes.
        case confirmed(BlockID, [SourceDispute])
        /// Another endpoint will have the blocks soon.
        case wait
        /// No other endpoint answers, or all of them are far behind.
        case away
        /// Two endpoints are on forks that differ in a block which counts as final.
        case forked([EndpointName])
        /// The events from this height on must be read again.
        case reread(UInt64)
    }

    /// One endpoint's logs for a range, compared with the applied events.
    enum SourceComparison {
        /// The same events, up to this block: below a difference, or as far as it answers.
        case same(BlockID)
        /// It takes long, and is asked again after the others.
        case late
        case behind(isFar: Bool)
        /// It does not return a new block although its own head is not lower.
        case unknown
        /// It says that it lacks a block, or does not return an old one.
        case removed
        /// It has this other block at a height.
        case fork(BlockID)
        case differs(LogDifference)
    }

    /// The endpoints that neither confirm nor contradict the events of a range.
    private struct Undecided {
        var isWaiting = false
        var unknown: [EndpointSession] = []
        var forks: [(session: EndpointSession, block: BlockID)] = []
        /// How many endpoints have removed the blocks of the range.
        var pruned = 0
    }

    /// Confirms applied events, as far as the limits of one poll and the uptime `end` allow.
    func confirmApplied(until end: Duration) async throws -> SourceStatus.State {
        var questions = 0
        while let applied = follower.applied,
            let question = ledger.question(
                applied: applied.number,
                first: configuration.filter.firstBlock,
                blocksMax: sourceBlocks
            )
        {
            guard questions < configuration.limits.confirmQuestionsMax,
                questions == 0 || clock.uptime < end
            else { return .confirming }
            questions += 1
            switch try await ask(question, applied: applied.number) {
            case .confirmed(let block, let disputes):
                ledger.confirm(upTo: block, except: disputes)
                sourceBlocks = min(sourceBlocks * 2, configuration.limits.logRangeBlocksMax)
                try await keepSources()
            case .wait: return .confirming
            case .away: return .away
            case .forked(let names): return .disagreeing(names)
            case .reread(let height):
                try await reread(from: height)
                return .confirming
            }
        }
        if questions == 0, sourceState == .away, let session,
            try await client.another(than: [session.name]) == nil
        {
            return .away
        }
        return .confirming
    }

    /// Asks other endpoints than the source of the events, until enough of them agree.
    private func ask(
        _ question: SourceLedger.Question,
        applied: UInt64
    ) async throws -> Outcome {
        var asked = Set([question.source].compactMap { $0 })
        var range = question.range
        var missing = question.source == nil ? 2 : 1
        var undecided = Undecided()
        while let other = try await client.another(than: asked) {
            asked.insert(other.name)
            switch try await answer(of: other, in: range) {
            case nil: continue
            case .same(let block):
                noteSame(as: question.source, other)
                range = range.lowerBound...block.number
                missing -= 1
                guard missing == 0 else { continue }
                await mistrust(undecided, applied: applied)
                return .confirmed(block, [])
            case .late: asked.remove(other.name)
            case .behind(let isFar): undecided.isWaiting = undecided.isWaiting || !isFar
            case .unknown: undecided.unknown.append(other)
            case .removed:
                switch await history(of: other, in: range) {
                case .unknown: break
                case .none: undecided.pruned += 1
                case .part(let first):
                    let older = SourceLedger.Question(range: first, source: question.source)
                    return try await ask(older, applied: applied)
                }
            case .fork(let block): undecided.forks.append((other, block))
            case .differs(let difference):
                let outcome = try await decide(
                    difference,
                    question,
                    other,
                    asked: asked,
                    applied: applied
                )
                if let outcome { return outcome }
            }
        }
        if undecided.pruned == configuration.endpoints.count - 1,
            let block = await onlyBlock(at: range.upperBound, of: question.source)
        {
            return .confirmed(block, [])
        }
        return try await outcome(of: undecided, question, range, applied: applied)
    }

    /// Records that an endpoint has the blocks that another one delivered.
    private func noteSame(as source: EndpointName?, _ other: EndpointSession) {
        unknownPolls[other.name] = nil
        loneForks.joined(other.name)
        if let source { loneForks.joined(source) }
    }

    /// Decides the outcome if not enough endpoints agree.
    private func outcome(
        of undecided: Undecided,
        _ question: SourceLedger.Question,
        _ range: ClosedRange<UInt64>,
        applied: UInt64
    ) async throws -> Outcome {
        if let first = undecided.forks.first {
            let settled = applied + 1 - min(configuration.confirmations, applied + 1)
            if range.upperBound > settled, settled >= range.lowerBound {
                let deep = SourceLedger.Question(
                    range: range.lowerBound...settled,
                    source: question.source
                )
                return try await ask(deep, applied: applied)
            }
            let deep = undecided.forks.filter { isDeep($0.block, applied: applied) }
            guard let one = deep.first else { return .wait }
            let isOutvoted = deep.contains {
                $0.session.name != one.session.name && $0.block == one.block
            }
            // Two endpoints have the same other block: the next poll follows one of them.
            if isOutvoted, let session, !deep.contains(where: { $0.session.name == session.name }) {
                await leave(session, because: Self.otherBlock)
                return .wait
            }
            return .forked([question.source, first.session.name].compactMap { $0 })
        }
        if undecided.isWaiting { return .wait }
        guard !undecided.unknown.isEmpty else { return .away }
        // An endpoint with several machines behind it can miss a block for a moment.
        for session in undecided.unknown { unknownPolls[session.name, default: 0] += 1 }
        let isLasting = undecided.unknown.allSatisfy {
            unknownPolls[$0.name, default: 0] >= configuration.limits.unknownBlockPollsMax
        }
        return isLasting ? .away : .wait
    }

    private static let otherBlock = "two others have another block"

    private func isDeep(_ block: BlockID, applied: UInt64) -> Bool {
        block.number + configuration.confirmations <= applied + 1
    }

    /// Leaves the endpoints that contradict two others.
    private func mistrust(_ undecided: Undecided, applied: UInt64) async {
        for fork in undecided.forks where isDeep(fork.block, applied: applied) {
            await leave(fork.session, because: Self.otherBlock)
        }
        for session in undecided.unknown { await note(isMissing: true, by: session) }
    }

    /// Decides what follows from a difference between two endpoints in the first block of a question.
    ///
    /// - Returns: `nil` if the other endpoint was found wrong, so that the next one must be asked.
    private func decide(
        _ difference: LogDifference,
        _ question: SourceLedger.Question,
        _ other: EndpointSession,
        asked: Set<EndpointName>,
        applied: UInt64
    ) async throws -> Outcome? {
        let block = difference.block
        // An endpoint can have a block before it has its logs.
        guard isDeep(block, applied: applied) else { return .wait }
        if mayReread(block), question.source == nil || difference.mayBeSettled {
            return .reread(block.number)
        }
        if isProven(difference) { return .reread(block.number) }
        switch try await thirdSourceConfirms(against: difference, asked: asked) {
        case .some(true):
            await client.mistrust(other, because: Self.otherEvents)
            return nil
        case .some(false):
            if let source = question.source, let session = try await client.session(of: source) {
                await client.mistrust(session, because: Self.otherEvents)
            }
            return .reread(block.number)
        case nil: break
        }
        logger.error(
            "two endpoints say different events of one block",
            metadata: ["block": "\(block.number)", "endpoints": "\(asked)"]
        )
        let dispute = SourceDispute(difference, source: question.source, other: other.name)
        return .confirmed(block, [dispute])
    }

    static let otherEvents = "two others say other events"

    /// Returns whether to read a block again because another endpoint has more events of it.
    ///
    /// Each block is read again once, because an endpoint can have a block before its logs. For a
    /// block below the marks, all blocks would be read again: then a third endpoint decides, if
    /// three are configured; otherwise this happens once for all blocks applied by then.
    private func mayReread(_ block: BlockID) -> Bool {
        if !follower.isMarked(below: block.number) {
            guard configuration.endpoints.count < 3, block.number > rereadUpTo else {
                return false
            }
        }
        if rereadBlocks.count >= configuration.limits.rereadBlocksMax { rereadBlocks = [] }
        return rereadBlocks.insert(block.hash).inserted
    }

    /// As ``compare(_:with:)``; `nil` if the endpoint gives no answer.
    func answer(
        of other: EndpointSession,
        in range: ClosedRange<UInt64>
    ) async throws -> SourceComparison? {
        do {
            return try await compare(range, with: other)
        } catch let error as EthereumError where error.isOfHistory {
            return .removed
        } catch let error as EthereumError where error.isEndpointsFault {
            return nil
        }
    }

    /// Compares an endpoint's events with the applied ones, for at most
    /// ``ChainLimits/comparisonTimeMax``, or for the rest of ``ChainLimits/confirmWaitMax`` if it is
    /// known to take long.
    ///
    /// - Throws: ``EthereumError``; ``EthereumError/timedOut(_:method:)`` if it takes longer than that
    ///   rest.
    private func compare(
        _ range: ClosedRange<UInt64>,
        with other: EndpointSession
    ) async throws -> SourceComparison {
        struct Late: Error {}
        let rest = confirmBy - clock.uptime
        let (isSlow, most) = (await client.isSlow(other), configuration.limits.comparisonTimeMax)
        do {
            return try await withTimeLimit(
                isSlow ? rest : min(rest, most),
                throwing: Late(),
                clock: clock
            ) {
                try await self.compareAll(range, with: other)
            }
        } catch is Late {
            await client.noteSlow(other)
            guard isSlow || rest <= most else { return .late }
            throw EthereumError.timedOut(other.name, method: "eth_getLogs")
        }
    }

    private func compareAll(
        _ range: ClosedRange<UInt64>,
        with other: EndpointSession
    ) async throws -> SourceComparison {
        let head = try await other.head()
        blockTimes.note(head)
        guard head.number >= range.lowerBound else {
            let applied = follower.applied?.number ?? 0
            guard head.number + configuration.limits.lagBlocksMax < applied else {
                return .behind(isFar: false)
            }
            let headAgeMax = configuration.headAgeMax
            return .behind(isFar: await client.isLeftBehind(other, headAgeMax: headAgeMax))
        }
        let blocks = await client.rangeBlocksMax(of: other)
        let asked =
            range.lowerBound...min(range.upperBound, head.number, range.lowerBound + blocks - 1)
        let known = head.number == asked.upperBound ? head.id : nil
        let last = try await self.end(at: asked.upperBound, known: known, of: other)
        guard case .same(let end) = last else { return last }
        guard let logs = try await logs(of: other, in: asked, configuration.filter) else {
            return try await compareAll(range, with: other)
        }
        let own = try await store.events(of: configuration.chain, in: asked)
        var first = LogDifference.first(own: own.map(\.log), other: logs)
        if let first, let fork = fork(in: first) { return .fork(fork) }
        // Below a difference, both have the same logs.
        let common = own.filter { $0.log.block.number < first?.block.number ?? .max }
        switch try await compareTimes(of: common, with: other) {
        case .differs(let difference): first = difference
        case .some(let ended): return ended
        case nil: break
        }
        guard let first else { return last }
        guard first.block.number > asked.lowerBound else { return .differs(first) }
        let below = first.block.number - 1
        let isMarked = follower.mark(at: end.number) == end
        return try await self.end(
            at: below,
            known: isMarked ? follower.mark(at: below) : nil,
            of: other
        )
    }

    /// Compares the block of an endpoint with which a compared range ends.
    ///
    /// - Parameters:
    ///   - height: Its height.
    ///   - known: The endpoint's block there; `nil` to ask for it.
    ///   - other: The endpoint.
    /// - Returns: ``SourceComparison/same(_:)`` with its block, unless it has another one or none.
    /// - Throws: ``EthereumError``.
    private func end(
        at height: UInt64,
        known: BlockID?,
        of other: EndpointSession
    ) async throws -> SourceComparison {
        var block = known
        if block == nil {
            let found = try await other.perform(RPCCall.block(.number(height)))
            if let found { blockTimes.note(found) }
            block = found?.id
        }
        guard let block, block.number == height else {
            return await client.hasRemoved(height, other) ? .removed : .unknown
        }
        if let mark = follower.mark(at: height), mark != block { return .fork(block) }
        return .same(block)
    }

    /// Returns the other endpoint's block if the difference is that it has another one.
    private func fork(in difference: LogDifference) -> BlockID? {
        let block = difference.block
        if difference.isFork { return difference.onlyOther.first { $0.block != block }?.block }
        return follower.mark(at: block.number).flatMap { $0 == block ? nil : block }
    }

    /// Compares the times of applied events, as far as their headers have not proved them.
    ///
    /// - Returns: `nil` if all are the same; otherwise the comparison, which can end before the last
    ///   event: an endpoint may not answer for very many blocks.
    private func compareTimes(
        of own: [AppliedEvent],
        with other: EndpointSession
    ) async throws -> SourceComparison? {
        let unproven = Set(own.map(\.log.block).filter { blockTimes.proven($0.hash) == nil })
            .sorted { $0.number < $1.number }
        let asked = unproven.prefix(configuration.limits.timesAskedMax)
        let isWhole = asked.count == unproven.count
        let compared = own.filter { isWhole || $0.log.block.number <= asked.last?.number ?? 0 }
        guard var times = try await times(of: compared, by: other) else { return .unknown }
        // Another one says the times of blocks whose headers this one lacks.
        let rest = compared.filter { times[$0.log.block] == nil }
        if let last = rest.last, let source = ledger.source(of: last.log.block.number),
            let third = try await client.another(than: [other.name, source])
        {
            let told = try? await self.times(of: rest, by: third)
            times.merge(told ?? [:]) { known, _ in known }
        }
        if let first = LogDifference.first(own: compared, times: times) { return .differs(first) }
        return isWhole ? nil : asked.last.map(SourceComparison.same)
    }
}
