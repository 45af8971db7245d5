package import Market

/// The asking side of an exchange: fetches the records of a topic that this node lacks.
///
/// It walks all the peer's ids page by page, so its cost grows with the set. A reconciliation whose
/// cost grows with the difference could replace it within the same service. Pure: it owns no stream
/// and no store. One question is outstanding at a time, and it never requests more bytes than this
/// side takes: that is its flow control.
///
/// Source: Docs/protocol.md, section 9.
package struct RecordExchange: Sendable {
    package enum Event: Sendable {
        case begun
        case received(RecordAnswer)
        /// The answer to ``Directive/compare(_:)``; the missing ids are in order of arrival.
        case compared(missing: [RecordID], refused: Int)
        /// The answer to ``Directive/validate(_:)``, one for each record.
        case validated([Verdict])
    }

    package enum Directive: Equatable, Sendable {
        case ask(RecordQuestion)
        /// Find out which of these this node lacks and has not refused before.
        case compare([RecordID])
        /// Validate these; each is the record that its id names.
        case validate([Served])
        /// The walk reached the end of the peer's ids.
        case finish
        /// The peer broke a rule: end the exchange and charge the peer.
        case stop(ExchangeOffence)
    }

    /// A record as the peer served it.
    package struct Served: Hashable, Sendable {
        package let id: RecordID
        package let data: [UInt8]

        package init(id: RecordID, data: [UInt8]) {
            (self.id, self.data) = (id, data)
        }
    }

    /// The position of a walk over a peer's ids that stopped early, to be resumed.
    package struct Position: Hashable, Sendable {
        package let after: RecordID
        package let counts: ExchangeCounts
    }

    /// The state of the exchange.
    private enum Phase {
        /// Nothing is asked yet. Becomes `paging`.
        case idle
        /// Waits for a page. Becomes `comparing`, or `ended`.
        case paging(after: RecordID?)
        /// Waits for the comparison of a page. Becomes `fetching`, `paging` or `ended`.
        case comparing([RecordID], isLast: Bool)
        /// Waits for records. Becomes `validating` or `ended`.
        case fetching(wanted: [RecordID], rest: ArraySlice<RecordID>, next: Next)
        /// Waits for verdicts. Becomes `fetching`, `paging` or `ended`.
        case validating(rest: ArraySlice<RecordID>, next: Next)
        /// Final.
        case ended
    }

    /// The action once all records of a page are handled.
    private enum Next {
        case page(after: RecordID)
        case end
    }

    package let topic: Topic
    /// The counts of the walk, over all exchanges it has taken so far.
    package private(set) var counts: ExchangeCounts
    /// Where the next exchange resumes; `nil` at the beginning and after the end.
    package private(set) var position: Position?
    /// Bytes that this exchange made the peer send, of records and of missing ids.
    package private(set) var fetchedBytes = 0

    private let limits: ExchangeLimits
    private let fetchedBytesMax: Int
    private let before: ExchangeCounts
    private var offered = 0
    private var batchBytes: Int
    private let identify: @Sendable ([UInt8]) -> RecordID?
    private var phase = Phase.idle
    private var questions = 0

    /// Creates an exchange; `identify` returns the id of a record from its bytes alone.
    ///
    /// It fetches at most `fetchedBytesMax` bytes, if that is less than the limits allow.
    package init(
        topic: Topic,
        limits: ExchangeLimits = ExchangeLimits(),
        goingOnFrom position: Position? = nil,
        fetchedBytesMax: Int = .max,
        identify: @escaping @Sendable ([UInt8]) -> RecordID?
    ) {
        self.topic = topic
        self.limits = limits
        self.position = position
        self.fetchedBytesMax = min(fetchedBytesMax, limits.fetchedBytesMax)
        before = position?.counts ?? ExchangeCounts()
        counts = before
        batchBytes = min(limits.firstBatchBytesMax, limits.batchBytesMax)
        self.identify = identify
    }

    package mutating func handle(_ event: Event) -> [Directive] {
        switch (event, phase) {
        case (.begun, .idle): askPage(after: position?.after)
        case (.received(.page(let ids, let isLast)), .paging(let after)):
            take(ids, after: after, isLast: isLast)
        case (
            .received(.batch(let records, let covered)), .fetching(let wanted, let rest, let next)
        ):
            take(records, covered: covered, of: wanted, rest: rest, next: next)
        case (.received, .ended): []
        case (.received, _): stop(.notAsked)
        case (.compared(let missing, let refused), .comparing(let ids, let isLast)):
            compared(ids, missing: missing, refused: refused, isLast: isLast)
        case (.validated(let verdicts), .validating(let rest, let next)):
            validated(verdicts, rest: rest, next: next)
        case (.begun, _), (.compared, _), (.validated, _): []
        }
    }

    /// The number of records that this exchange delivered.
    package var accepted: Int { counts.accepted - before.accepted }

    /// Rejected records of this exchange; earlier ones were charged already.
    private var rejected: Int { counts.rejected - before.rejected }

    private mutating func askPage(after: RecordID?) -> [Directive] {
        questions += 1
        position = after.map { Position(after: $0, counts: counts) }
        guard questions <= limits.questionsMax, isWithinBounds else {
            return finish(isComplete: false)
        }
        phase = .paging(after: after)
        return [.ask(.page(topic, after: after, idsMax: limits.pageIDsMax))]
    }

    private mutating func take(
        _ ids: [RecordID],
        after: RecordID?,
        isLast: Bool
    ) -> [Directive] {
        guard ids.count <= limits.pageIDsMax else { return stop(.oversized) }
        guard ids.isStrictlyRising, after.map({ $0 < ids.first ?? $0 || ids.isEmpty }) ?? true
        else { return stop(.outOfOrder) }
        if ids.isEmpty { return isLast ? finish(isComplete: true) : stop(.emptyPage) }
        counts.offered += ids.count
        offered += ids.count
        phase = .comparing(ids, isLast: isLast)
        return [.compare(ids)]
    }

    private mutating func compared(
        _ ids: [RecordID],
        missing: [RecordID],
        refused: Int,
        isLast: Bool
    ) -> [Directive] {
        counts.held += ids.count - missing.count - refused
        counts.refused += refused
        fetchedBytes += RecordQuestion.idBytes * (missing.count + refused)
        let next = isLast ? Next.end : ids.last.map(Next.page) ?? .end
        return goOn(missing[...], next)
    }

    private mutating func goOn(_ rest: ArraySlice<RecordID>, _ next: Next) -> [Directive] {
        guard !rest.isEmpty else {
            return switch next {
            case .page(let after): askPage(after: after)
            case .end: finish(isComplete: true)
            }
        }
        questions += 1
        guard questions <= limits.questionsMax, isWithinBounds else {
            return finish(isComplete: false)
        }
        let wanted = Array(rest.prefix(limits.wantIDsMax))
        phase = .fetching(wanted: wanted, rest: rest.dropFirst(wanted.count), next: next)
        return [.ask(.want(topic, wanted, bytesMax: batchBytes))]
    }

    private mutating func take(
        _ records: [[UInt8]],
        covered: Int,
        of wanted: [RecordID],
        rest: ArraySlice<RecordID>,
        next: Next
    ) -> [Directive] {
        let byteCount = records.reduce(0) { $0 + $1.count }
        // A peer may always send at least one record, however few bytes were requested.
        guard covered > 0, covered <= wanted.count, records.count <= covered,
            byteCount <= max(batchBytes, limits.recordBytesMax)
        else { return stop(.oversized) }
        fetchedBytes += byteCount
        // Batches start small, so that a slow peer's answer does not delay others for long.
        batchBytes = min(batchBytes * 2, limits.batchBytesMax)
        var open = wanted.prefix(covered)
        var served: [Served] = []
        for data in records {
            guard let id = identify(data), let place = open.firstIndex(of: id) else {
                return stop(.otherRecord)
            }
            open = open[(place + 1)...]
            served.append(Served(id: id, data: data))
        }
        counts.unproven += covered - served.count
        guard counts.unproven - before.unproven <= limits.unprovenMax else {
            return stop(.unproven)
        }
        let left = wanted.dropFirst(covered) + rest
        phase = .validating(rest: left, next: next)
        return served.isEmpty ? validated([], rest: left, next: next) : [.validate(served)]
    }

    private mutating func validated(
        _ verdicts: [Verdict],
        rest: ArraySlice<RecordID>,
        next: Next
    ) -> [Directive] {
        for verdict in verdicts {
            switch verdict {
            case .accept: counts.accepted += 1
            case .ignore, .ignoreForNow: counts.refused += 1
            case .reject: counts.rejected += 1
            }
        }
        guard rejected <= limits.rejectedMax else { return stop(.rejected) }
        return goOn(rest, next)
    }

    /// Whether more may be requested from the peer in this exchange.
    private var isWithinBounds: Bool {
        fetchedBytes < fetchedBytesMax && offered < limits.offeredMax
    }

    private mutating func finish(isComplete: Bool) -> [Directive] {
        phase = .ended
        counts.isComplete = isComplete
        if isComplete { position = nil }
        return rejected > 0 ? [.stop(.rejected)] : [.finish]
    }

    private mutating func stop(_ offence: ExchangeOffence) -> [Directive] {
        phase = .ended
        position = nil
        return [.stop(offence)]
    }
}
