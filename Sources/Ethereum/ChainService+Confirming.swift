import Concurrency
import Keys
import Logging
import Market

/// Confirms applied events through endpoints other than the one that delivered them.
///
/// A poll asks a bounded number of questions and continues in the next poll, so that polls of the
/// head are not delayed: see ``ChainLimits/confirmQuestionsMax``.
extension ChainService {
    /// Compares endpoints with what is applied now.
    var comparer: SourceComparer {
        SourceComparer(
            configuration: configuration,
            client: client,
            store: store,
            clock: clock,
            follower: follower,
            ledger: ledger,
            blockTimes: blockTimes,
            confirmBy: confirmBy
        )
    }

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
            switch try await comparer.answer(of: other, in: range) {
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
                switch await comparer.history(of: other, in: range) {
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
            let block = await comparer.onlyBlock(at: range.upperBound, of: question.source)
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
            // Two endpoints have the same other block: the next poll follows one of them. An
            // endpoint that is behind has not said that it has these blocks.
            let followed = follower.isBehind ? question.source : session?.name
            if isOutvoted, let followed, !deep.contains(where: { $0.session.name == followed }),
                let outvoted = await client.named(followed)
            {
                await leave(outvoted, because: Self.otherBlock)
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

    /// Decides what follows from a difference between two endpoints in the first block of a
    /// question.
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
        let names = asked.map(\.description).sorted().joined(separator: ", ")
        logFinding(
            "endpoints say different events of a block",
            about: names,
            metadata: ["block": "\(block.number)", "endpoints": "\(names)"]
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
}
