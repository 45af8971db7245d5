import Market

/// Decides how to follow a chain's events: what to ask, what to apply, when to roll back.
///
/// Pure: it is told each answer, and answers what to do, in order. One question is open at a time;
/// an answer that does not fit the question is a programmer's error. A pass ends where nothing is
/// asked any more, and the next one begins with a new head.
///
/// Every range is opened by the hash of its end and checked afterwards by that hash, by the hash of
/// the block it stands on, and by the hash of each block that an event names: so logs read while
/// the chain was reorganised are never applied. That logs are missing cannot be seen here.
///
/// Source: Docs/operations.md, section "Chains and endpoints".
package struct ChainFollower: Sendable {
    package enum Event: Sendable {
        case head(BlockHeader)
        /// Answers `fetchHeaders`, by height; those that the endpoint does not know are missing.
        case headers([UInt64: BlockHeader])
        case logs([ContractEvent])
        /// The endpoint will not answer for so many blocks.
        case tooMuch
        /// The question could not be answered; the pass is given up.
        case failed
    }

    /// What to do; what is committed comes before the questions that build on it.
    package enum Directive: Equatable, Sendable {
        case fetchHeaders([UInt64])
        case fetchLogs(ClosedRange<UInt64>)
        /// Commit the events and the checkpoint together, then tell.
        case apply(AppliedRange, FollowerCheckpoint)
        /// Commit the removal of all above the block (all for `nil`) with the checkpoint, then tell.
        case rollBack(to: BlockID?, FollowerCheckpoint)
        /// The endpoint's answers exclude each other.
        case mistrust(String)
    }

    private enum Phase {
        case idle
        /// The end's hash is asked, before its logs.
        case opening(ClosedRange<UInt64>)
        case reading(ClosedRange<UInt64>, end: BlockID)
        case checking(ClosedRange<UInt64>, end: BlockID, events: [ContractEvent])
        /// Marks below this index of the window are not yet compared.
        case searching(below: Int)
    }

    package let filter: LogFilter
    private let limits: ChainLimits
    private var window: BlockWindow
    private var phase = Phase.idle
    private var target: BlockHeader?
    private var rangeBlocks: UInt64

    /// True from a reorganisation deeper than the window until everything is read anew.
    package private(set) var isRescanning = false
    /// True while the endpoint's head is below what was applied, on no other chain.
    package private(set) var isBehind = false

    /// Goes on behind `checkpoint`; one that answers another filter is forgotten.
    package init(
        filter: LogFilter,
        checkpoint: FollowerCheckpoint? = nil,
        limits: ChainLimits = ChainLimits()
    ) {
        self.filter = filter
        self.limits = limits
        rangeBlocks = limits.logRangeBlocksFirst
        window = BlockWindow(blocksMax: limits.windowBlocksMax)
        if let checkpoint, checkpoint.filter == filter.id { window = checkpoint.window }
    }

    /// The newest applied block.
    package var applied: BlockID? { window.newest }

    /// True where nothing is open and everything up to the last head is applied.
    package var isCaughtUp: Bool {
        if case .idle = phase { target != nil && applied == target?.id } else { false }
    }

    /// How many blocks stand on `block`, itself counted; `nil` if it is not part of the chain
    /// as far as that is known.
    package func confirmations(of block: BlockID) -> UInt64? {
        guard let applied, block.number <= applied.number else { return nil }
        if let mark = window.mark(at: block.number), mark != block { return nil }
        return applied.number - block.number + 1
    }

    /// Forgets all that was applied and begins at the first block with the next head.
    package mutating func startOver() -> [Directive] {
        phase = .idle
        isRescanning = true
        window.truncate(above: nil)
        return [.rollBack(to: nil, checkpoint)]
    }

    /// The applied block at a height, if it is still known.
    package func mark(at height: UInt64) -> BlockID? { window.mark(at: height) }

    /// Whether a block below a height is known, so that what is above can be taken back alone.
    package func isMarked(below height: UInt64) -> Bool {
        window.oldest.map { $0.number < height } ?? false
    }

    /// Takes all back from a height on; the next head has it read again.
    package mutating func reread(from height: UInt64) -> [Directive] {
        retreat(to: window.marks.last { $0.number < height })
    }

    /// Takes all above a block back that was applied once; all of it for `nil`.
    package mutating func retreat(to block: BlockID?) -> [Directive] {
        guard let block else { return startOver() }
        phase = .idle
        isBehind = false
        window.truncate(above: block)
        if window.newest != block { window.append([block]) }
        return [.rollBack(to: block, checkpoint)]
    }

    package mutating func handle(_ event: Event) -> [Directive] {
        switch (event, phase) {
        case (.head(let header), _): return begin(with: header)
        case (.headers(let found), .opening(let range)): return read(range, found)
        case (.headers(let found), .checking(let range, let end, let events)):
            return check(range, end: end, events, found)
        case (.headers(let found), .searching(let index)): return search(below: index, found)
        case (.logs(let logs), .reading(let range, let end)): return check(range, end: end, logs)
        case (.tooMuch, .reading(let range, _)): return shrink(range)
        case (.failed, _), (.tooMuch, _):
            phase = .idle
            return []
        case (.headers, _), (.logs, _):
            assertionFailure("an answer to another question")
            return []
        }
    }

    // A pass

    private mutating func begin(with head: BlockHeader) -> [Directive] {
        phase = .idle
        target = head
        isBehind = false
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

    /// Opens the range above what is applied.
    private mutating func next() -> [Directive] {
        guard let target else { return [] }
        let start = applied.map { $0.number + 1 } ?? filter.firstBlock
        guard start <= target.number else { return finish() }
        let range = start...min(target.number, start + rangeBlocks - 1)
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
        guard range.count > 1 else { return giveUp() }
        rangeBlocks = max(1, UInt64(range.count) / 2)
        return next()
    }

    private mutating func giveUp() -> [Directive] {
        phase = .idle
        return []
    }

    private mutating func mistrust(_ detail: String) -> [Directive] {
        phase = .idle
        return [.mistrust(detail)]
    }
}

extension ChainFollower {
    /// Takes the logs of a range and asks for the headers that vouch for them.
    private mutating func check(
        _ range: ClosedRange<UInt64>,
        end: BlockID,
        _ logs: [ContractEvent]
    ) -> [Directive] {
        guard logs.count <= limits.logsMax else { return shrink(range) }
        var hashes: [UInt64: BlockID] = [:]
        var events: [ContractEvent] = []
        for log in logs.sorted(by: ContractEvent.isBefore) {
            guard range.contains(log.block.number), filter.matches(log) else {
                return mistrust("an event that was not asked for")
            }
            guard hashes[log.block.number, default: log.block] == log.block else {
                return mistrust("events of two blocks at one height")
            }
            hashes[log.block.number] = log.block
            guard let last = events.last, last.block == log.block, last.index == log.index else {
                events.append(log)
                continue
            }
            guard last == log else { return mistrust("two events at one place") }
        }
        phase = .checking(range, end: end, events: events)
        return [.fetchHeaders(witnesses(of: range, blocks: hashes.keys))]
    }

    /// Heights whose hashes decide whether a range can be applied, lowest first.
    private func witnesses(
        of range: ClosedRange<UInt64>,
        blocks: some Sequence<UInt64>
    ) -> [UInt64] {
        var numbers = Set(blocks)
        numbers.insert(range.upperBound)
        if let applied { numbers.insert(applied.number) }
        // The newest blocks are all marked, so that a reorganisation rolls back no more than it has to.
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
        // A hash that changed since it was read is a reorganisation under way: next pass.
        guard found[range.upperBound]?.id == end,
            events.allSatisfy({ found[$0.block.number]?.id == $0.block })
        else { return giveUp() }
        for (low, high) in zip(wanted, wanted.dropFirst()) where high == low + 1 {
            guard found[high]?.parent == found[low]?.id.hash else {
                return mistrust("a block whose parent is not the block below")
            }
        }
        let applied = events.map { event in
            AppliedEvent(
                log: event,
                time: ChainTime(seconds: found[event.block.number]?.timestamp ?? 0)
            )
        }
        return apply(range, end: end, applied, marks: wanted.compactMap { found[$0]?.id })
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

    private mutating func search() -> [Directive] { search(below: window.marks.count) }

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
            // All as it was: the chain changed back while it was being compared.
            return ancestor == applied ? giveUp() : rollBack(to: ancestor)
        }
        if first > 0 { return search(below: first) }
        // Only another block at the height of the oldest mark proves another chain; an endpoint
        // that does not know that height is merely behind.
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
