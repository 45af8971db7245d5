package import Keys
package import Market

/// Records which blocks' events two endpoints confirm, and which endpoint delivered the others.
///
/// Pure. The follower applies the events of one endpoint; none is final before another endpoint has
/// the same logs. This type and ``LogDifference`` decide which questions to ask the other endpoint,
/// and the consequences of its answers.
///
/// Source: Docs/operations.md, section 5.5.
package struct SourceLedger: Equatable, Sendable {
    /// A range of blocks whose events another endpoint must confirm.
    package struct Question: Equatable, Sendable {
        package let range: ClosedRange<UInt64>
        /// The endpoint that delivered the range's events; `nil` if it is no longer known.
        ///
        /// Without it, two endpoints must confirm the events.
        package let source: EndpointName?
    }

    /// The endpoint that delivered the events from a height on.
    struct BlockSource: Equatable, Sendable {
        let from: UInt64
        let source: EndpointName?
    }

    /// The maximum number of changes of the delivering endpoint that are kept.
    static let sourcesMax = 32
    /// The maximum number of disputed blocks; beyond that no later block becomes final.
    package static let disputesMax = 64

    /// The block up to which two endpoints have the same events, except for the disputes.
    package private(set) var confirmed: BlockID?
    package private(set) var disputes: [SourceDispute] = []
    private var sources: [BlockSource] = []

    package init() {}

    /// Records that an endpoint delivers the events from a height on.
    ///
    /// - Returns: Whether the ledger changed, so that it must be stored before the events.
    package mutating func note(source: EndpointName, from height: UInt64) -> Bool {
        if let last = sources.last, last.source == source, last.from <= height { return false }
        sources.removeAll { $0.from >= height }
        sources.append(BlockSource(from: height, source: source))
        if sources.count > Self.sourcesMax {
            sources = [BlockSource(from: sources[0].from, source: nil)]
        }
        return true
    }

    /// Returns the next blocks to confirm; `nil` if all up to `applied` are confirmed, or there are
    /// too many disputes.
    package func question(
        applied: UInt64,
        first: UInt64,
        blocksMax: UInt64
    ) -> Question? {
        let start = confirmed.map { $0.number + 1 } ?? first
        guard start <= applied, disputes.count < Self.disputesMax else { return nil }
        var end = min(applied, start + max(1, blocksMax) - 1)
        if let next = sources.first(where: { $0.from > start }) { end = min(end, next.from - 1) }
        return Question(range: start...end, source: source(of: start))
    }

    /// Returns the endpoint that delivered the events of a height.
    package func source(of height: UInt64) -> EndpointName? {
        sources.last { $0.from <= height }.flatMap(\.source)
    }

    /// Records that two endpoints have the same events up to `block`, except for the disputes
    /// found.
    package mutating func confirm(upTo block: BlockID, except found: [SourceDispute] = []) {
        confirmed = block
        disputes += found
        while sources.count > 1, sources[1].from <= block.number + 1 { sources.removeFirst() }
    }

    /// Removes a dispute, because two endpoints now have the same events of its block.
    package mutating func settle(_ dispute: SourceDispute) {
        disputes.removeAll { $0 == dispute }
    }

    /// Forgets everything above `block`; everything if it is `nil`.
    package mutating func truncate(to block: BlockID?) {
        guard let block else {
            self = SourceLedger()
            return
        }
        if let confirmed, confirmed.number > block.number { self.confirmed = block }
        disputes.removeAll { $0.block.number > block.number }
        sources.removeAll { $0.from > block.number }
    }
}

/// A block for which two endpoints have different events.
package struct SourceDispute: Hashable, Sendable {
    package let block: BlockID
    /// The endpoint that delivered the applied events, if it is known.
    package let source: EndpointName?
    /// The endpoint that contradicts it.
    package let other: EndpointName
    /// The indices of applied logs that the other endpoint does not have.
    package let lacking: [UInt64]
    /// The topics, without the first of each log, of the logs that only the other endpoint has.
    package let missing: [Bytes32]

    /// The maximum number of topics that are kept; a market has fewer in one block.
    static let missingMax = 1_024

    package init(
        block: BlockID,
        source: EndpointName?,
        other: EndpointName,
        lacking: [UInt64],
        missing: [Bytes32] = []
    ) {
        (self.block, self.source, self.other) = (block, source, other)
        (self.lacking, self.missing) = (lacking, missing)
    }

    /// Creates the dispute about a difference that no third endpoint decides.
    package init(_ difference: LogDifference, source: EndpointName?, other: EndpointName) {
        let topics = Set(difference.onlyOther.flatMap { $0.topics.dropFirst() })
        self.init(
            block: difference.block,
            source: source,
            other: other,
            lacking: difference.onlyOwn.map(\.index).sorted(),
            missing: Array(topics.sorted().prefix(Self.missingMax))
        )
    }
}

/// The difference between two endpoints' events of one block.
package struct LogDifference: Equatable, Sendable {
    package let block: BlockID
    package let onlyOwn: Set<ContractEvent>
    package let onlyOther: Set<ContractEvent>
    /// The other endpoint's time of the block, if only the times differ.
    package var otherTime: ChainTime?

    /// Returns the difference in the lowest block that differs; `nil` if there is none.
    package static func first(own: [ContractEvent], other: [ContractEvent]) -> LogDifference? {
        let (own, other) = (Set(own), Set(other))
        let onlyOwn = own.subtracting(other)
        let onlyOther = other.subtracting(own)
        guard let lowest = onlyOwn.union(onlyOther).min(by: ContractEvent.isBefore) else {
            return nil
        }
        let isThere = { (log: ContractEvent) in log.block.number == lowest.block.number }
        return LogDifference(
            block: onlyOwn.first(where: isThere)?.block ?? lowest.block,
            onlyOwn: onlyOwn.filter(isThere),
            onlyOther: onlyOther.filter(isThere)
        )
    }

    /// Compares the times of blocks whose logs are the same.
    ///
    /// - Parameters:
    ///   - applied: The events.
    ///   - times: The times of their blocks according to others, in seconds since 1970.
    /// - Returns: The lowest block that differs; `nil` if there is none.
    package static func first(
        own applied: [AppliedEvent],
        times: [BlockID: UInt64]
    ) -> LogDifference? {
        let wrong = applied.filter { event in
            times[event.log.block].map { $0 != event.time.seconds } ?? false
        }
        guard let block = wrong.map(\.log.block).min(by: { $0.number < $1.number }) else {
            return nil
        }
        return LogDifference(
            block: block,
            onlyOwn: Set(wrong.map(\.log).filter { $0.block == block }),
            onlyOther: [],
            otherTime: times[block].map { ChainTime(seconds: $0) }
        )
    }

    /// Whether another reading can settle the difference: the other endpoint has more than was
    /// applied, or another time.
    package var mayBeSettled: Bool { !onlyOther.isEmpty || otherTime != nil }

    /// Whether the two endpoints have different blocks at this height.
    package var isFork: Bool { onlyOther.contains { $0.block != block } }
}

extension SourceLedger: StoredValue {
    /// The version of the stored form, which is its first byte.
    private static let version: UInt8 = 2

    package func write(to writer: inout StoredWriter) {
        writer.write(Self.version)
        writer.write(optional: confirmed) { $0.write($1) }
        writer.write(disputes)
        writer.write(sources)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownForm(version) }
        confirmed = try reader.optional { reader throws(StoredValueError) in
            try BlockID(from: &reader)
        }
        disputes = try reader.values(of: SourceDispute.self)
        sources = try reader.values(of: BlockSource.self)
    }
}

extension SourceLedger.BlockSource: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(from)
        writer.write(optional: source) { $0.write($1.description) }
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        from = try reader.number()
        source = try reader.optional { reader throws(StoredValueError) in
            EndpointName(try reader.text())
        }
    }
}

extension SourceDispute: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(block)
        writer.write(optional: source) { $0.write($1.description) }
        writer.write(other.description)
        writer.write(UInt64(lacking.count))
        for index in lacking { writer.write(index) }
        writer.write(UInt64(missing.count))
        for topic in missing { writer.write(topic) }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        block = try BlockID(from: &reader)
        source = try reader.optional { reader throws(StoredValueError) in
            EndpointName(try reader.text())
        }
        other = EndpointName(try reader.text())
        var lacking: [UInt64] = []
        for _ in 0..<(try reader.number()) { lacking.append(try reader.number()) }
        self.lacking = lacking
        var missing: [Bytes32] = []
        for _ in 0..<(try reader.number()) { missing.append(try reader.hash()) }
        self.missing = missing
    }
}
