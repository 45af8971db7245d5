package import Market

/// Decides in which order questions for records are answered, and how fast all of them together.
///
/// One question is answered at a time, so that answers, however many wait, occupy at most one
/// thread. The next is one of the address that has had least: each address has as large a part as
/// any other, and what one leaves unused goes to the rest. On this machine each peer counts
/// alone. The cost of a question is the number of look-ups that it takes.
///
/// Pure: the caller passes in the time.
///
/// Source: Goyal, Vin and Cheng, "Start-time Fair Queueing", 1996; Docs/protocol.md, section 9.5.
package struct AnswerTurns: Sendable {
    /// A question that waits for its turn, or has it.
    package typealias Ticket = UInt64

    private struct Question {
        let cost: Int
        let origin: RecordOrigin
        /// The time of its origin's part at which its turn begins.
        let start: Int
    }

    /// Addresses remembered that nobody asks from now.
    private static let idleMax = 1_024

    private let limits: ExchangeLimits
    private var waiting: [Ticket: Question] = [:]
    private var served: Ticket?
    /// The start of the question that was served last.
    private var time = 0
    /// Where the part of each origin ends that it has used.
    private var ends: [RecordOrigin: Int] = [:]
    /// Look-ups that may be made at once; below 0 after a question that cost more.
    private var level: Double
    private var at = Moment.start

    package init(limits: ExchangeLimits = ExchangeLimits()) {
        self.limits = limits
        level = Double(limits.lookUpsBurst)
    }

    /// The number of questions that wait.
    package var waitingCount: Int { waiting.count }

    /// Adds a question after those of its origin; of two that are equal the lesser ticket is first.
    package mutating func ask(_ ticket: Ticket, costing cost: Int, by origin: RecordOrigin) {
        let start = max(time, ends[origin] ?? time)
        ends[origin] = start + cost
        waiting[ticket] = Question(cost: cost, origin: origin, start: start)
    }

    /// Gives the turn to the next question, unless another one has it.
    ///
    /// The question may be answered after `delay`, which keeps all of them together to their rate.
    package mutating func next(at now: Moment) -> (ticket: Ticket, delay: Duration)? {
        guard served == nil,
            let (ticket, question) = waiting.min(by: {
                ($0.value.start, $0.key) < ($1.value.start, $1.key)
            })
        else { return nil }
        waiting[ticket] = nil
        served = ticket
        time = question.start
        forgetIdle()
        return (ticket, delay(of: question.cost, at: now))
    }

    /// Ends a question's turn, or its waiting.
    package mutating func end(_ ticket: Ticket) {
        waiting[ticket] = nil
        if served == ticket { served = nil }
    }

    /// Takes the cost of a question from what may be looked up.
    private mutating func delay(of cost: Int, at now: Moment) -> Duration {
        let rate = Double(limits.lookUpsPerSecond)
        let seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = max(at, now)
        level = min(Double(limits.lookUpsBurst), level + seconds * rate)
        let missing = max(0, -level)
        level -= Double(cost)
        return .seconds(missing / rate)
    }

    /// Forgets origins that have no more used of their part than a new one.
    private mutating func forgetIdle() {
        ends = ends.filter { $0.value > time }
        guard ends.count > Self.idleMax else { return }
        let busy = Set(waiting.values.map(\.origin))
        let idle = ends.filter { !busy.contains($0.key) }
            .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (origin, _) in idle.prefix(ends.count - Self.idleMax) { ends[origin] = nil }
    }
}

extension RecordQuestion {
    /// The look-ups that its answer costs; a page finds its ids in a row.
    package func cost(limits: ExchangeLimits) -> Int {
        switch self {
        case .page(_, _, let idsMax): 16 + min(idsMax, limits.pageIDsMax) / 8
        case .want(_, let ids, _): 16 + ids.count
        }
    }
}
