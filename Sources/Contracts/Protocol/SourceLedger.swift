package import Keys

/// Keeps which blocks' events two endpoints say alike, and which endpoint told the others.
///
/// Pure. The follower applies what one endpoint says; nothing of it is final before another
/// endpoint has the same logs. What that other endpoint is asked, and what follows from its
/// answers, is decided here and in ``LogDifference``.
///
/// Source: Docs/operations.md, section 2.7.
package struct SourceLedger: Equatable, Sendable {
    /// What another endpoint has to say alike.
    package struct Question: Equatable, Sendable {
        package let range: ClosedRange<UInt64>
        /// The endpoint that told the range's events; `nil` if that is not known any more: then two
        /// endpoints have to say the same.
        package let teller: EndpointName?
    }

    /// Blocks from a height on, as one endpoint told them.
    struct BlockSource: Equatable, Sendable {
        let from: UInt64
        let teller: EndpointName?
    }

    /// Changes of the telling endpoint that are kept.
    static let tellingsMax = 32
    /// Blocks about which endpoints differ; with more of them, nothing later is final.
    package static let disputesMax = 64

    /// Up to this block two endpoints say the same events, but for the disputes.
    package private(set) var confirmed: BlockID?
    package private(set) var disputes: [SourceDispute] = []
    private var tellings: [BlockSource] = []

    package init() {}

    /// Notes that an endpoint tells the events from a height on.
    ///
    /// - Returns: Whether that is news, and has to be kept before the events are.
    package mutating func told(from height: UInt64, by teller: EndpointName) -> Bool {
        if let last = tellings.last, last.teller == teller, last.from <= height { return false }
        tellings.removeAll { $0.from >= height }
        tellings.append(BlockSource(from: height, teller: teller))
        if tellings.count > Self.tellingsMax {
            tellings = [BlockSource(from: tellings[0].from, teller: nil)]
        }
        return true
    }

    /// The next blocks to be confirmed; `nil` if all up to `applied` are.
    package func question(
        applied: UInt64,
        first: UInt64,
        blocksMax: UInt64
    ) -> Question? {
        let start = confirmed.map { $0.number + 1 } ?? first
        guard start <= applied, disputes.count < Self.disputesMax else { return nil }
        var end = min(applied, start + max(1, blocksMax) - 1)
        if let next = tellings.first(where: { $0.from > start }) { end = min(end, next.from - 1) }
        return Question(range: start...end, teller: teller(of: start))
    }

    /// The endpoint that told the events of a height.
    package func teller(of height: UInt64) -> EndpointName? {
        tellings.last { $0.from <= height }.flatMap(\.teller)
    }

    /// Two endpoints say the same up to `block`, but for what is named.
    package mutating func confirm(upTo block: BlockID, except found: [SourceDispute] = []) {
        confirmed = block
        disputes += found
        while tellings.count > 1, tellings[1].from <= block.number + 1 { tellings.removeFirst() }
    }

    /// Two endpoints say the same of a disputed block by now.
    package mutating func settle(_ dispute: SourceDispute) {
        disputes.removeAll { $0 == dispute }
    }

    /// Forgets all above `block`, all of it for `nil`.
    package mutating func truncate(to block: BlockID?) {
        guard let block else {
            self = SourceLedger()
            return
        }
        if let confirmed, confirmed.number > block.number { self.confirmed = block }
        disputes.removeAll { $0.block.number > block.number }
        tellings.removeAll { $0.from > block.number }
    }
}

/// A block of which two endpoints say different events.
package struct SourceDispute: Hashable, Sendable {
    package let block: BlockID
    package let teller: EndpointName?
    /// The other endpoint.
    package let other: EndpointName
    /// The places of applied logs that the other endpoint has not; none if it has more.
    package let lacking: [UInt64]
    /// What the logs are about that only the other endpoint has: their topics but the first.
    package let missing: [Bytes32]

    /// More topics of one block than its market can have.
    static let missingMax = 1_024

    package init(
        block: BlockID,
        teller: EndpointName?,
        other: EndpointName,
        lacking: [UInt64],
        missing: [Bytes32] = []
    ) {
        (self.block, self.teller, self.other) = (block, teller, other)
        (self.lacking, self.missing) = (lacking, missing)
    }

    /// What follows from a difference that nothing decides.
    package init(_ difference: LogDifference, teller: EndpointName?, other: EndpointName) {
        let topics = Set(difference.onlyOther.flatMap { $0.topics.dropFirst() })
        self.init(
            block: difference.block,
            teller: teller,
            other: other,
            lacking: difference.onlyOwn.map(\.index).sorted(),
            missing: Array(topics.sorted().prefix(Self.missingMax))
        )
    }
}

/// How two endpoints differ about the events of one block.
package struct LogDifference: Equatable, Sendable {
    package let block: BlockID
    package let onlyOwn: Set<ContractEvent>
    package let onlyOther: Set<ContractEvent>

    /// The lowest block of which they differ; `nil` if they say the same.
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

    /// True if the two endpoints have different blocks at this height.
    package var isFork: Bool { onlyOther.contains { $0.block != block } }
}

extension SourceLedger: StoredValue {
    /// Of its form in bytes, of which it is the first.
    package static let version: UInt8 = 2

    package func write(to writer: inout StoredWriter) {
        writer.write(Self.version)
        writer.write(optional: confirmed) { $0.write($1) }
        writer.write(disputes)
        writer.write(tellings)
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        let version = try reader.byte()
        guard version == Self.version else { throw .unknownForm(version) }
        confirmed = try reader.optional { reader throws(StoredValueError) in
            try BlockID(from: &reader)
        }
        disputes = try reader.values(of: SourceDispute.self)
        tellings = try reader.values(of: BlockSource.self)
    }
}

extension SourceLedger.BlockSource: StoredValue {
    func write(to writer: inout StoredWriter) {
        writer.write(from)
        writer.write(optional: teller) { $0.write($1.description) }
    }

    init(from reader: inout StoredReader) throws(StoredValueError) {
        from = try reader.number()
        teller = try reader.optional { reader throws(StoredValueError) in
            EndpointName(try reader.text())
        }
    }
}

extension SourceDispute: StoredValue {
    package func write(to writer: inout StoredWriter) {
        writer.write(block)
        writer.write(optional: teller) { $0.write($1.description) }
        writer.write(other.description)
        writer.write(UInt64(lacking.count))
        for index in lacking { writer.write(index) }
        writer.write(UInt64(missing.count))
        for topic in missing { writer.write(topic) }
    }

    package init(from reader: inout StoredReader) throws(StoredValueError) {
        block = try BlockID(from: &reader)
        teller = try reader.optional { reader throws(StoredValueError) in
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
