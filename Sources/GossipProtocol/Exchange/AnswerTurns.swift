import DequeModule
package import Market

/// Decides in which order and at what total rate questions for records are answered.
///
/// One question is answered at a time, so that answers, however many wait, occupy at most one
/// thread. The next question comes from the subnet that has had least, and within it from the
/// address that has had least: all subnets have equal shares, and so have the addresses within a
/// subnet; an unused share is divided among the others. On this machine each peer counts
/// separately. The cost of a question is the number of look-ups that it takes.
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
    }

    private let limits: ExchangeLimits
    private var waiting: [Ticket: Question] = [:]
    /// The tickets of each origin, in the order in which it asked.
    private var tickets: [RecordOrigin: Deque<Ticket>] = [:]
    private var subnets = FairTurns(idleMax: 1_024)
    /// The turns of the addresses of each subnet.
    private var origins: [RecordOrigin: FairTurns] = [:]
    private var served: Ticket?
    /// Look-ups that may be made at once; below 0 after a question that cost more.
    private var level: Double
    private var at = Moment.start

    package init(limits: ExchangeLimits = ExchangeLimits()) {
        self.limits = limits
        level = Double(limits.lookUpsBurst)
    }

    /// The number of questions that wait.
    package var waitingCount: Int { waiting.count }

    /// Adds a question after those of its origin.
    package mutating func ask(_ ticket: Ticket, costing cost: Int, by origin: RecordOrigin) {
        let subnet = origin.wholeSubnet
        waiting[ticket] = Question(cost: cost, origin: origin)
        tickets[origin, default: []].append(ticket)
        subnets.ask(subnet)
        origins[subnet, default: FairTurns(idleMax: 32)].ask(origin)
    }

    /// Gives the turn to the next question, unless another one has it.
    ///
    /// The question may be answered after `delay`, which keeps all of them together to their rate.
    package mutating func next(at now: Moment) -> (ticket: Ticket, delay: Duration)? {
        guard served == nil, let subnet = subnets.next, let origin = origins[subnet]?.next,
            let ticket = tickets[origin]?.first, let question = waiting[ticket]
        else { return nil }
        remove(ticket, question)
        served = ticket
        origins[subnet]?.serve(origin, question.cost)
        for idle in subnets.serve(subnet, question.cost) { origins[idle] = nil }
        return (ticket, delay(of: question.cost, at: now))
    }

    /// Ends a question's turn, or its waiting.
    package mutating func end(_ ticket: Ticket) {
        if let question = waiting[ticket] { remove(ticket, question) }
        if served == ticket { served = nil }
    }

    private mutating func remove(_ ticket: Ticket, _ question: Question) {
        waiting[ticket] = nil
        tickets[question.origin]?.removeAll { $0 == ticket }
        if tickets[question.origin]?.isEmpty == true { tickets[question.origin] = nil }
        let subnet = question.origin.wholeSubnet
        subnets.withdraw(subnet)
        origins[subnet]?.withdraw(question.origin)
    }

    /// Deducts the cost of a question from the lookup allowance.
    private mutating func delay(of cost: Int, at now: Moment) -> Duration {
        let rate = Double(limits.lookUpsPerSecond)
        let seconds = max(.zero, now.sinceStart - at.sinceStart) / Duration.seconds(1)
        at = max(at, now)
        level = min(Double(limits.lookUpsBurst), level + seconds * rate)
        let missing = max(0, -level)
        level -= Double(cost)
        return .seconds(missing / rate)
    }
}

/// The turns of origins: next is the origin that was served least since it asked.
private struct FairTurns {
    private struct Turn {
        /// The end of the share that it has used.
        var end: Int
        var waitingCount = 0
    }

    /// Remembered origins without open questions.
    private let idleMax: Int
    private var turns: [RecordOrigin: Turn] = [:]
    /// The start of the question that was served last.
    private var time = 0

    init(idleMax: Int) { self.idleMax = idleMax }

    var next: RecordOrigin? {
        turns.filter { $0.value.waitingCount > 0 }
            .min { ($0.value.end, $0.key) < ($1.value.end, $1.key) }?.key
    }

    mutating func ask(_ origin: RecordOrigin) {
        var turn = turns[origin] ?? Turn(end: time)
        if turn.waitingCount == 0 { turn.end = max(time, turn.end) }
        turn.waitingCount += 1
        turns[origin] = turn
    }

    mutating func withdraw(_ origin: RecordOrigin) { turns[origin]?.waitingCount -= 1 }

    /// Counts the cost of a question; returns the origins to forget: those that ask nothing and
    /// have used at most as much of their share as a new one, or those that are too many.
    @discardableResult
    mutating func serve(_ origin: RecordOrigin, _ cost: Int) -> [RecordOrigin] {
        time = turns[origin].map { max(time, $0.end) } ?? time
        turns[origin]?.end = time + cost
        let idle = turns.filter { $0.value.waitingCount == 0 }
        var gone = idle.filter { $0.value.end <= time }.map(\.key)
        if idle.count - gone.count > idleMax {
            gone = idle.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
                .prefix(idle.count - idleMax).map(\.key)
        }
        for key in gone { turns[key] = nil }
        return gone
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
