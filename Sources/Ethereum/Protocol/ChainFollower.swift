import Market

/// Decides how to follow a chain's events: which blocks to request, which to apply, when to roll
/// back.
///
/// Pure: it takes each answer as an event and returns directives, in order. One request is open at
/// a time; an answer to another request is a programmer's error. A pass ends when nothing more is
/// requested; the next one starts with a new head.
///
/// Before a range's logs are read, the hash of its last block is. Afterwards that hash, the hash of
/// the block below the range and the hash of each block named by an event are compared: so logs
/// that were read during a reorganisation are never applied. Logs that are missing although the
/// block's own filter names their contract are asked for again: see ``LogDoubts``.
///
/// Source: Docs/operations.md, section 5.3.
package struct ChainFollower: Sendable {
    private enum Phase {
        case idle
        /// The hash of the range's last block is requested, before its logs.
        case opening(ClosedRange<UInt64>)
        case reading(ClosedRange<UInt64>, end: BlockID)
        case checking(ClosedRange<UInt64>, end: BlockID, events: [ContractEvent])
        /// Logs of some blocks are asked for again, whose headers are among these.
        case doubting(
            ClosedRange<UInt64>,
            end: BlockID,
            events: [ContractEvent],
            found: [UInt64: BlockHeader]
        )
        /// The common ancestor is searched; marks below this index are not compared yet.
        case searching(below: Int)
    }

    package let filter: LogFilter
    private let limits: ChainLimits
    private(set) var window: BlockWindow
    private var phase = Phase.idle
    private var target: BlockHeader?
    private var rangeBlocks: UInt64
    /// The maximum number of blocks in a range that the endpoint is known to answer for.
    package var rangeBlocksMax = UInt64.max
    private var doubts: LogDoubts
    private var crowded: CrowdedRange
    /// Whether this pass has searched for the common ancestor.
    private var hasSearched = false
    /// How many passes in a row ended because a block changed between two answers.
    private var changedPasses = 0

    /// Whether all events are being read again, such as after a reorganisation deeper than the
    /// window.
    package private(set) var isRescanning = false
    /// Whether the endpoint's head is below the applied blocks, without a sign of another fork.
    package private(set) var isBehind = false

    /// Creates a follower that continues after `checkpoint`, unless that has another filter.
    package init(
        filter: LogFilter,
        checkpoint: FollowerCheckpoint? = nil,
        limits: ChainLimits = ChainLimits()
    ) {
        self.filter = filter
        self.limits = limits
        rangeBlocks = limits.logRangeBlocksFirst
        window = BlockWindow(blocksMax: limits.windowBlocksMax)
        doubts = LogDoubts(filter: filter, limits: limits)
        crowded = CrowdedRange(logsMax: limits.logsMax)
        if let checkpoint, checkpoint.filter == filter.id { window = checkpoint.window }
    }

    /// The newest applied block.
    package var applied: BlockID? { window.newest }

    /// The first block that is read next.
    package var nextBlock: UInt64 { applied.map { $0.number + 1 } ?? filter.firstBlock }

    /// Whether no request is open and everything up to the last head is applied.
    package var isCaughtUp: Bool {
        if case .idle = phase { target != nil && applied == target?.id } else { false }
    }

    /// Rolls back everything; reading begins again at the first block with the next head.
    package mutating func startOver() -> [Directive] {
        phase = .idle
        isRescanning = true
        window.truncate(above: nil)
        return [.rollBack(to: nil, checkpoint)]
    }

    /// Rolls back from a height on; it is read again with the next head.
    package mutating func reread(from height: UInt64) -> [Directive] {
        retreat(to: window.marks.last { $0.number < height })
    }

    /// Rolls back everything above a block that was applied before; everything if it is `nil`.
    package mutating func retreat(to block: BlockID?) -> [Directive] {
        guard let block else { return startOver() }
        phase = .idle
        isBehind = false
        window.truncate(above: block)
        if window.newest != block { window.append([block]) }
        return [.rollBack(to: block, checkpoint)]
    }

    /// Applies a block that is proved to have no event of the filter, without asking anything.
    ///
    /// - Parameter head: The block; its hash covers the filter of its logs.
    /// - Returns: `nil` if a pass is needed instead: the block is not the next one above the newest
    ///   applied block.
    package mutating func extend(with head: BlockHeader) -> [Directive]? {
        guard case .idle = phase, !isRescanning, !isBehind, let applied,
            head.number == applied.number + 1, head.parent == applied.hash,
            target?.id != applied || target.map({ $0.timestamp <= head.timestamp }) == true
        else { return nil }
        target = head
        return apply(head.number...head.number, end: head.id, [], marks: [head.id])
    }

    /// Forgets in how many passes a block changed, because another endpoint answers now.
    package mutating func forgetChangedPasses() { changedPasses = 0 }

    package mutating func handle(_ event: Event) -> [Directive] {
        switch (event, phase) {
        case (.head(let header), _): return begin(with: header)
        case (.headers(let found), .opening(let range)): return read(range, found)
        case (.headers(let found), .checking(let range, let end, let events)):
            return check(range, end: end, events, found)
        case (.headers(let found), .searching(let index)): return search(below: index, found)
        case (.logs(let logs), .reading(let range, let end)): return check(range, end: end, logs)
        case (.logsAgain(let logs), .doubting(let range, let end, let events, let found)):
            return settle(range, end: end, events, found, again: logs)
        case (.tooMuch, .reading(let range, _)), (.tooMuch, .doubting(let range, _, _, _)):
            return shrink(range)
        case (.failed, _), (.tooMuch, _):
            phase = .idle
            return []
        case (.headers, _), (.logs, _), (.logsAgain, _):
            assertionFailure("an answer to another question")
            return []
        }
    }

    // A pass

    private mutating func begin(with head: BlockHeader) -> [Directive] {
        phase = .idle
        target = head
        isBehind = false
        hasSearched = false
        crowded = CrowdedRange(logsMax: limits.logsMax)
        guard let applied else { return next() }
        if head.id == applied { return finish() }
        if head.number > applied.number {
            let isNextOfAnother =
                head.number == applied.number + 1 && head.parent != applied.hash
            return isNextOfAnother ? search() : next()
        }
        if let mark = window.mark(at: head.number), mark != head.id { return search() }
        isBehind = true
        return []
    }

    /// Starts the next range above the applied blocks, or ends the pass.
    private mutating func next() -> [Directive] {
        guard let target else { return [] }
        let start = nextBlock
        guard start <= target.number else { return finish() }
        let blocks = max(1, min(rangeBlocks, rangeBlocksMax))
        let range = start...min(target.number, start + blocks - 1)
        if range.upperBound == target.number {
            phase = .reading(range, end: target.id)
            return fetchLogs(range)
        }
        phase = .opening(range)
        return [.fetchHeaders([range.upperBound])]
    }

    private mutating func finish() -> [Directive] {
        phase = .idle
        isRescanning = false
        changedPasses = 0
        doubts.caughtUp()
        return []
    }

    private mutating func read(
        _ range: ClosedRange<UInt64>,
        _ found: [UInt64: BlockHeader]
    ) -> [Directive] {
        guard let end = found[range.upperBound] else { return giveUp() }
        phase = .reading(range, end: end.id)
        return fetchLogs(range)
    }

    private mutating func fetchLogs(_ range: ClosedRange<UInt64>) -> [Directive] {
        filter.addresses.isEmpty ? handle(.logs([])) : [.fetchLogs(range)]
    }

    private mutating func shrink(_ range: ClosedRange<UInt64>) -> [Directive] {
        guard range.count > 1 else { return mistrust("too many events of one block") }
        rangeBlocks = max(1, UInt64(range.count) / 2)
        return next()
    }

    /// Reads fewer blocks at once, because these have too many logs.
    private mutating func divide(_ range: ClosedRange<UInt64>) -> [Directive] {
        crowded.found(in: range)
        return shrink(range)
    }

    /// Ends the pass; the caller makes sure that no endpoint can cause this without an end.
    private mutating func giveUp() -> [Directive] {
        phase = .idle
        return []
    }

    /// Ends a pass in which a block had two hashes: the next one reads it again.
    ///
    /// A reorganisation does that now and then; an endpoint that does it in every pass contradicts
    /// itself.
    private mutating func giveUpChanged() -> [Directive] {
        changedPasses += 1
        guard changedPasses >= limits.changedPassesMax else { return giveUp() }
        changedPasses = 0
        return mistrust("the hash of a block changes from answer to answer")
    }

    private mutating func mistrust(_ detail: String) -> [Directive] {
        phase = .idle
        return [.mistrust(detail)]
    }
}

extension ChainFollower {
    /// Checks the logs of a range, and requests the headers that confirm them.
    private mutating func check(
        _ range: ClosedRange<UInt64>,
        end: BlockID,
        _ logs: [ContractEvent]
    ) -> [Directive] {
        let events: [ContractEvent]
        do {
            events = try filter.ordered(logs, in: range)
        } catch {
            return mistrust(error.rawValue)
        }
        guard events.count <= limits.logsMax else { return divide(range) }
        phase = .checking(range, end: end, events: events)
        return [.fetchHeaders(witnesses(of: range, blocks: events.map(\.block.number)))]
    }

    /// Returns the heights whose hashes decide whether a range can be applied, lowest first.
    private func witnesses(
        of range: ClosedRange<UInt64>,
        blocks: some Sequence<UInt64>
    ) -> [UInt64] {
        var numbers = Set(blocks)
        numbers.insert(range.upperBound)
        // The first block shows later whether an endpoint still serves this chain.
        numbers.insert(applied?.number ?? range.lowerBound)
        // All newest blocks are marked, so that a reorganisation rolls back only as many as
        // necessary.
        let depth = UInt64(limits.windowBlocksMax - 1)
        let top = target?.number ?? range.upperBound
        let lowest = max(range.lowerBound, top > depth ? top - depth : 0)
        if lowest <= range.upperBound { numbers.formUnion(lowest...range.upperBound) }
        return numbers.sorted()
    }

    private mutating func check(
        _ range: ClosedRange<UInt64>,
        end: BlockID,
        _ events: [ContractEvent],
        _ found: [UInt64: BlockHeader]
    ) -> [Directive] {
        let wanted = witnesses(of: range, blocks: events.map(\.block.number))
        guard wanted.allSatisfy({ found[$0] != nil }) else { return giveUp() }
        if let applied, found[applied.number]?.id != applied { return search() }
        // A hash that has changed since means a reorganisation: the next pass reads the range
        // again.
        guard found[range.upperBound]?.id == end,
            events.allSatisfy({ found[$0.block.number]?.id == $0.block })
        else { return giveUpChanged() }
        for (low, high) in zip(wanted, wanted.dropFirst()) where high == low + 1 {
            guard let block = found[high], let below = found[low], block.parent == below.id.hash
            else {
                return mistrust("a block whose parent is not the block below")
            }
            guard block.timestamp >= below.timestamp else {
                return mistrust("a block that is older than the one below")
            }
        }
        let doubtful = doubtful(range, events, found)
        guard doubtful.isEmpty else {
            phase = .doubting(range, end: end, events: events, found: found)
            return [.fetchLogsAgain(doubtful.map(\.id))]
        }
        return accept(range, end: end, events, found)
    }

    private func doubtful(
        _ range: ClosedRange<UInt64>,
        _ events: [ContractEvent],
        _ found: [UInt64: BlockHeader]
    ) -> [BlockHeader] {
        doubts.doubtful(found.values.filter { range.contains($0.number) }, events: events)
    }

    /// Takes the second answer about blocks that were in doubt.
    private mutating func settle(
        _ range: ClosedRange<UInt64>,
        end: BlockID,
        _ events: [ContractEvent],
        _ found: [UInt64: BlockHeader],
        again: [ContractEvent]
    ) -> [Directive] {
        let asked = Set(doubtful(range, events, found).map(\.id))
        let all: [ContractEvent]
        do {
            all = try filter.ordered(events + again.filter { asked.contains($0.block) }, in: range)
        } catch {
            return mistrust(error.rawValue)
        }
        guard all.count <= limits.logsMax else { return divide(range) }
        let added = Set(all.map(\.block)).intersection(asked)
            .filter { block in all.count { $0.block == block } > events.count { $0.block == block }
            }
        var told: [Directive] = []
        if !added.isEmpty { told.append(.leftOut(added.sorted { $0.number < $1.number })) }
        let (suspect, mustWait) = doubts.judge(doubtful(range, all, found))
        if !suspect.isEmpty { told.append(.suspect(suspect, isWaiting: mustWait)) }
        return told + (mustWait ? giveUp() : accept(range, end: end, all, found))
    }

    private mutating func accept(
        _ range: ClosedRange<UInt64>,
        end: BlockID,
        _ events: [ContractEvent],
        _ found: [UInt64: BlockHeader]
    ) -> [Directive] {
        guard !crowded.isContradicted(by: range, logs: events.count) else {
            return mistrust("fewer events of blocks in short answers than in a long one")
        }
        guard
            events.allSatisfy({ event in
                found[event.block.number]?.canHaveEvents(of: event.address) ?? true
            })
        else { return mistrust("an event of a contract that has none in its block") }
        let applied = events.map { event in
            AppliedEvent(
                log: event,
                time: ChainTime(seconds: found[event.block.number]?.timestamp ?? 0)
            )
        }
        let marks = found.values.map(\.id).sorted { $0.number < $1.number }
        return apply(range, end: end, applied, marks: marks)
    }

    private mutating func apply(
        _ range: ClosedRange<UInt64>,
        end: BlockID,
        _ events: [AppliedEvent],
        marks: [BlockID]
    ) -> [Directive] {
        window.append(marks.filter { range.contains($0.number) })
        if events.count < limits.logsMax / 4, UInt64(range.count) == rangeBlocks {
            rangeBlocks = min(rangeBlocks * 2, limits.logRangeBlocksMax)
        }
        let applied = AppliedRange(from: range.lowerBound, to: end, events: events)
        return [.apply(applied, checkpoint)] + next()
    }

    private var checkpoint: FollowerCheckpoint {
        FollowerCheckpoint(window: window, filter: filter.id)
    }

    // The common ancestor

    private mutating func search() -> [Directive] {
        if hasSearched { return giveUpChanged() }
        hasSearched = true
        return search(below: window.marks.count)
    }

    private mutating func search(below index: Int) -> [Directive] {
        phase = .searching(below: index)
        let first = max(0, index - limits.ancestorBatchMax)
        return [.fetchHeaders(window.marks[first..<index].map(\.number))]
    }

    private mutating func search(
        below index: Int,
        _ found: [UInt64: BlockHeader]
    ) -> [Directive] {
        let first = max(0, index - limits.ancestorBatchMax)
        if let ancestor = window.marks[first..<index].last(where: { found[$0.number]?.id == $0 }) {
            // No difference is left: the chain changed back during the search.
            return ancestor == applied ? giveUpChanged() : rollBack(to: ancestor)
        }
        if first > 0 { return search(below: first) }
        // Only another block at the height of the oldest mark proves a deeper reorganisation. An
        // endpoint without a block at that height is only behind.
        guard let oldest = window.oldest, found[oldest.number] != nil else {
            isBehind = true
            return giveUp()
        }
        isRescanning = true
        return rollBack(to: nil)
    }

    private mutating func rollBack(to ancestor: BlockID?) -> [Directive] {
        window.truncate(above: ancestor)
        return [.rollBack(to: ancestor, checkpoint)] + next()
    }
}
