import GossipProtocol
import Market
import Testing

/// Whose question for records is answered next, and how many are.
struct AnswerTurnsTests {
    private let strangers = (0..<25 as Range<UInt64>).map { RecordOrigin(place: $0 << 8, kind: 4) }
    private let honest = RecordOrigin(place: 99 << 8, kind: 4)
    private let cost =
        RecordQuestion.want(Topic("/stoa/test/1"), [], bytesMax: 0)
        .cost(limits: ExchangeLimits()) + 256
    private var turns = AnswerTurns()
    private var tickets: AnswerTurns.Ticket = 0
    private var origins: [AnswerTurns.Ticket: RecordOrigin] = [:]
    private var now = Moment.start

    /// - From peers: questions for records under many keys, to starve everything else → their
    ///   addresses take turns, at a bounded total rate
    @Test mutating func `200 questions from many keys delay another address by only a few`() {
        for _ in 0..<8 { for stranger in strangers { ask(by: stranger) } }
        for _ in 0..<1_000 { serve(.zero, askingAgain: true) }
        ask(by: honest)
        var before = 0
        while serve(.zero, askingAgain: true) != honest { before += 1 }
        // One of each address at most.
        #expect(before <= strangers.count)
    }

    @Test mutating func `an address gains no turns by asking with many keys`() {
        for _ in 0..<31 { ask(by: strangers[0]) }
        ask(by: honest)
        var counts: [RecordOrigin: Int] = [:]
        for _ in 0..<1_000 {
            counts[serve(.zero, askingAgain: true) ?? .unknown, default: 0] += 1
        }
        #expect(counts[honest].map { 499...501 ~= $0 } == true)
        #expect(counts[strangers[0]].map { 499...501 ~= $0 } == true)
    }

    @Test
    mutating func `a subnet with many addresses gains no turns and divides them`() {
        let crowd = (0..<983 as Range<UInt64>).map { RecordOrigin(place: 77 << 48 | $0, kind: 6) }
        for one in crowd { ask(by: one) }
        ask(by: honest)
        var counts: [RecordOrigin: Int] = [:]
        for _ in 0..<4_000 {
            counts[serve(.zero, askingAgain: true) ?? .unknown, default: 0] += 1
        }
        #expect(counts[honest].map { 1_998...2_002 ~= $0 } == true)
        #expect(crowd.allSatisfy { (1...4).contains(counts[$0] ?? 0) })
    }

    @Test mutating func `limits lookups per second over all peers`() {
        for stranger in strangers { ask(by: stranger) }
        var count = 0
        while now < .start + .seconds(10) {
            serve(.microseconds(10), askingAgain: true)
            count += 1
        }
        let limits = ExchangeLimits()
        let all = limits.lookUpsBurst + 10 * limits.lookUpsPerSecond
        #expect(count * cost <= all + 2 * cost && count * cost > all * 9 / 10)
        // Far more than one honest peer asks, which therefore never waits for the rate.
        #expect(limits.lookUpsPerSecond / cost > 10 * limits.questionsPerSecond)
    }

    @Test mutating func `only a peer that has left loses its turn`() {
        for stranger in strangers.prefix(3) { ask(by: stranger) }
        turns.end(2)
        #expect(serve(.zero) == strangers[0])
        #expect(serve(.zero) == strangers[2])
        #expect(turns.next(at: now) == nil && turns.waitingCount == 0)
    }

    @Test mutating func `serves one question at a time`() {
        ask(by: honest)
        ask(by: honest)
        let first = turns.next(at: now)
        #expect(first?.ticket == 1 && turns.next(at: now) == nil)
        turns.end(1)
        #expect(turns.next(at: now)?.ticket == 2)
    }

    private mutating func ask(by origin: RecordOrigin) {
        tickets += 1
        origins[tickets] = origin
        turns.ask(tickets, costing: cost, by: origin)
    }

    /// Answers the next question; its origin asks again at once if `askingAgain`.
    @discardableResult
    private mutating func serve(_ time: Duration, askingAgain: Bool = false) -> RecordOrigin? {
        guard let (ticket, delay) = turns.next(at: now), let origin = origins[ticket] else {
            return nil
        }
        now = now + delay + time
        turns.end(ticket)
        if askingAgain { ask(by: origin) }
        return origin
    }
}
