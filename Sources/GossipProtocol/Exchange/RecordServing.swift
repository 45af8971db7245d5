package import Market

/// The answering side of an exchange: serves one peer's questions for records.
///
/// Pure; one question at a time, within the same limits for every peer.
///
/// Source: Docs/protocol.md, section 9.
package struct RecordServing: Sendable {
    package enum Event: Sendable {
        /// `isServed` says whether this node serves the question's topic.
        case received(RecordQuestion, isServed: Bool = true)
        /// Answers ``Directive/list(_:after:idsMax:)``; one more id than asked means that more
        /// follow.
        case listed([RecordID])
        /// Answers ``Directive/load(_:_:bytesMax:)``: the first stored records, in the order asked.
        case loaded([RecordExchange.Served])
    }

    package enum Directive: Equatable, Sendable {
        case list(Topic, after: RecordID?, idsMax: Int)
        case load(Topic, [RecordID], bytesMax: Int)
        case answer(RecordAnswer)
        case stop(ExchangeOffence)
    }

    private enum Phase {
        /// Becomes `listing`, `loading` or `ended`.
        case waiting
        case listing(idsMax: Int)
        case loading([RecordID], bytesMax: Int)
        /// Final.
        case ended
    }

    private let limits: ExchangeLimits
    private var phase = Phase.waiting
    private var questions = 0
    private var servedBytes = 0
    private var foreignPages = 0

    package init(limits: ExchangeLimits = ExchangeLimits()) {
        self.limits = limits
    }

    package mutating func handle(_ event: Event) -> [Directive] {
        switch (event, phase) {
        case (.received(let question, let isServed), .waiting): take(question, isServed)
        case (.received, .ended): []
        case (.received, _): stop(.notAsked)
        case (.listed(let ids), .listing(let idsMax)): list(ids, idsMax)
        case (.loaded(let records), .loading(let wanted, let bytesMax)):
            serve(records, of: wanted, bytesMax)
        case (.listed, _), (.loaded, _): []
        }
    }

    private mutating func take(_ question: RecordQuestion, _ isServed: Bool) -> [Directive] {
        questions += 1
        guard questions <= limits.questionsMax, servedBytes < limits.servedBytesMax else {
            return stop(.greedy)
        }
        guard isServed else { return refuse(question) }
        switch question {
        case .page(let topic, let after, let idsMax):
            let idsMax = min(idsMax, limits.pageIDsMax)
            phase = .listing(idsMax: idsMax)
            return [.list(topic, after: after, idsMax: idsMax + 1)]
        case .want(let topic, let ids, let bytesMax):
            // Fewer bytes than one record would make no progress.
            let bytesMax = min(max(bytesMax, limits.recordBytesMax), limits.batchBytesMax)
            phase = .loading(ids, bytesMax: bytesMax)
            return [.load(topic, ids, bytesMax: bytesMax)]
        }
    }

    /// Answers that there are no records of a topic that is not served here.
    ///
    /// An honest peer asks for the first page of each of its own topics once, and for nothing after
    /// that.
    private mutating func refuse(_ question: RecordQuestion) -> [Directive] {
        guard case .page = question, foreignPages < limits.foreignPagesMax else {
            return stop(.foreignTopic)
        }
        foreignPages += 1
        return [.answer(.page([], isLast: true))]
    }

    private mutating func list(_ ids: [RecordID], _ idsMax: Int) -> [Directive] {
        phase = .waiting
        servedBytes += 32 * ids.count
        return [.answer(.page(Array(ids.prefix(idsMax)), isLast: ids.count <= idsMax))]
    }

    /// Answers with the records that fit, and the number of wanted ids they cover.
    private mutating func serve(
        _ records: [RecordExchange.Served],
        of wanted: [RecordID],
        _ bytesMax: Int
    ) -> [Directive] {
        phase = .waiting
        var batch: [[UInt8]] = []
        var byteCount = 0
        var covered = wanted.count
        for record in records {
            guard byteCount + record.data.count <= bytesMax else {
                covered = wanted.firstIndex(of: record.id) ?? wanted.count
                break
            }
            byteCount += record.data.count
            batch.append(record.data)
        }
        // The record source stopped when `bytesMax` was reached, so the following ids were not
        // looked up.
        if byteCount == bytesMax, covered == wanted.count, let last = records.last?.id {
            covered = (wanted.firstIndex(of: last) ?? wanted.count - 1) + 1
        }
        servedBytes += byteCount
        return [.answer(.batch(batch, covered: covered))]
    }

    private mutating func stop(_ offence: ExchangeOffence) -> [Directive] {
        phase = .ended
        return [.stop(offence)]
    }
}
