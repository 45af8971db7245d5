import GossipProtocol
import Keys
import Market
import Testing

struct RecordExchangeTests {
    private let topic = Topic("/stoa/test/1")
    private var exchange = RecordExchange(topic: Topic("/stoa/test/1"), limits: small) {
        id(of: $0)
    }

    private static let small: ExchangeLimits = {
        var limits = ExchangeLimits()
        limits.pageIDsMax = 4
        limits.wantIDsMax = 3
        limits.unprovenMax = 2
        limits.rejectedMax = 0
        limits.batchBytesMax = 1 << 20
        limits.firstBatchBytesMax = 1 << 20
        return limits
    }()

    @Test mutating func `walks the pages and fetches missing records in batches`() {
        #expect(exchange.handle(.begun) == [.ask(.page(topic, after: nil, idsMax: 4))])
        #expect(receive(.page(ids(1...4), isLast: false)) == [.compare(ids(1...4))])
        let missing = ids(1...4)
        #expect(
            exchange.handle(.compared(missing: missing, refused: 0))
                == [.ask(.want(topic, ids(1...3), bytesMax: 1 << 20))]
        )
        #expect(receive(.batch([[1], [2]], covered: 2)) == [.validate([served(1), served(2)])])
        // Records that did not fit are requested again, before the rest of the page.
        #expect(
            exchange.handle(.validated([.accept, .ignore]))
                == [.ask(.want(topic, ids(3...4), bytesMax: 1 << 20))]
        )
        #expect(receive(.batch([[3], [4]], covered: 2)) == [.validate([served(3), served(4)])])
        #expect(
            exchange.handle(.validated([.accept, .accept]))
                == [.ask(.page(topic, after: id(4), idsMax: 4))]
        )
        #expect(receive(.page([id(9)], isLast: true)) == [.compare([id(9)])])
        #expect(exchange.handle(.compared(missing: [], refused: 0)) == [.finish])
        #expect(exchange.counts.isComplete)
        #expect(exchange.counts.accepted == 3)
        #expect(exchange.counts.refused == 1)
        #expect(exchange.counts.held == 1)
        #expect(exchange.counts.missing == 0)
    }

    @Test mutating func `ends at once with a peer that has nothing`() {
        _ = exchange.handle(.begun)
        #expect(receive(.page([], isLast: true)) == [.finish])
        #expect(exchange.counts.isComplete)
    }

    @Test(
        arguments: [
            (.page([id(2), id(1)], isLast: true), .outOfOrder),
            (.page([id(2), id(2)], isLast: true), .outOfOrder),
            (.page((1...5).map(id), isLast: true), .oversized),
            (.page([], isLast: false), .emptyPage),
            (.batch([[1]], covered: 1), .notAsked),
        ] as [(RecordAnswer, ExchangeOffence)]
    )
    mutating func `a false page ends the exchange`(answer: RecordAnswer, offence: ExchangeOffence) {
        _ = exchange.handle(.begun)
        #expect(receive(answer) == [.stop(offence)])
        #expect(receive(.page([], isLast: true)) == [])
    }

    @Test mutating func `refuses a page that does not begin after the previous one`() {
        _ = exchange.handle(.begun)
        _ = receive(.page(ids(5...6), isLast: false))
        _ = exchange.handle(.compared(missing: [], refused: 0))
        #expect(receive(.page(ids(6...7), isLast: true)) == [.stop(.outOfOrder)])
    }

    @Test(
        arguments: [
            (.batch([[9]], covered: 1), .otherRecord),
            (.batch([[2], [1]], covered: 2), .otherRecord),
            (.batch([[1], [1]], covered: 2), .otherRecord),
            // The second record is beyond the ids that the answer covers.
            (.batch([[2]], covered: 1), .otherRecord),
            (.batch([[1], [2]], covered: 1), .oversized),
            (.batch([[1]], covered: 4), .oversized),
            (.batch([], covered: 3), .unproven),
            (.page([], isLast: true), .notAsked),
        ] as [(RecordAnswer, ExchangeOffence)]
    )
    mutating func `a false batch ends the exchange`(
        answer: RecordAnswer,
        offence: ExchangeOffence
    ) {
        _ = exchange.handle(.begun)
        _ = receive(.page(ids(1...3), isLast: true))
        _ = exchange.handle(.compared(missing: ids(1...3), refused: 0))
        #expect(receive(answer) == [.stop(offence)])
    }

    @Test mutating func `counts records that a peer offers but does not serve`() {
        _ = exchange.handle(.begun)
        _ = receive(.page(ids(1...3), isLast: true))
        _ = exchange.handle(.compared(missing: ids(1...3), refused: 0))
        #expect(receive(.batch([[3]], covered: 3)) == [.validate([served(3)])])
        #expect(exchange.handle(.validated([.accept])) == [.finish])
        #expect(exchange.counts.unproven == 2)
    }

    @Test mutating func `charges the server for a record that everybody must refuse`() {
        _ = exchange.handle(.begun)
        _ = receive(.page(ids(1...1), isLast: true))
        _ = exchange.handle(.compared(missing: ids(1...1), refused: 0))
        _ = receive(.batch([[1]], covered: 1))
        #expect(exchange.handle(.validated([.reject])) == [.stop(.rejected)])
    }

    @Test func `questions and answers survive encoding`() {
        let limits = Self.small
        let questions: [RecordQuestion] = [
            .page(topic, after: nil, idsMax: 4), .page(topic, after: id(3), idsMax: 1),
            .want(topic, ids(1...3), bytesMax: 70_000),
        ]
        for question in questions {
            #expect(RecordQuestion(decoding: question.encoded(), limits: limits) == question)
        }
        let answers: [RecordAnswer] = [
            .page([], isLast: true), .page(ids(1...4), isLast: false), .batch([], covered: 3),
            .batch([[1], [2, 3]], covered: 2),
        ]
        for answer in answers {
            #expect(RecordAnswer(decoding: answer.encoded(), limits: limits) == answer)
        }
        let crowd = (0...RecordQuestion.wantedMax).map { number in
            RecordID(Bytes32(words: 0, 0, 0, UInt64(number)))
        }
        #expect(
            RecordQuestion(
                decoding: RecordQuestion.want(topic, crowd, bytesMax: 1).encoded(),
                limits: limits
            ) == nil
        )
        #expect(
            RecordAnswer(
                decoding: RecordAnswer.page(ids(1...5), isLast: true).encoded(),
                limits: limits
            ) == nil
        )
    }

    @Test func `serves as many whole records as fit, and says which is the last`() {
        var limits = ExchangeLimits()
        limits.recordBytesMax = 10
        limits.batchBytesMax = 10
        var serving = RecordServing(limits: limits)
        let wanted = ids(1...4)
        #expect(
            serving.handle(.received(.want(topic, wanted, bytesMax: 1)))
                == [.load(topic, wanted, bytesMax: 10)]
        )
        let six = [UInt8](repeating: 0, count: 6)
        let loaded = [2, 3].map { RecordExchange.Served(id: id($0), data: six) }
        #expect(serving.handle(.loaded(loaded)) == [.answer(.batch([six], covered: 2))])

        let ten = [UInt8](repeating: 0, count: 10)
        _ = serving.handle(.received(.want(topic, wanted, bytesMax: 10)))
        // The source stopped at the second record: the third and fourth were not looked up.
        #expect(
            serving.handle(.loaded([RecordExchange.Served(id: id(2), data: ten)]))
                == [.answer(.batch([ten], covered: 2))]
        )
        _ = serving.handle(.received(.want(topic, wanted, bytesMax: 10)))
        #expect(serving.handle(.loaded([])) == [.answer(.batch([], covered: 4))])
    }

    @Test func `serves pages and marks the last one`() {
        var serving = RecordServing(limits: Self.small)
        #expect(
            serving.handle(.received(.page(topic, after: nil, idsMax: 1_000)))
                == [.list(topic, after: nil, idsMax: 5)]
        )
        #expect(
            serving.handle(.listed(ids(1...5)))
                == [.answer(.page(ids(1...4), isLast: false))]
        )
        _ = serving.handle(.received(.page(topic, after: id(4), idsMax: 4)))
        #expect(serving.handle(.listed([id(5)])) == [.answer(.page([id(5)], isLast: true))])
    }

    @Test func `stops a peer that asks endlessly`() {
        var limits = ExchangeLimits()
        limits.questionsMax = 2
        var serving = RecordServing(limits: limits)
        for _ in 0..<2 {
            _ = serving.handle(.received(.page(topic, after: nil, idsMax: 1)))
            _ = serving.handle(.listed([]))
        }
        #expect(
            serving.handle(.received(.page(topic, after: nil, idsMax: 1))) == [.stop(.greedy)]
        )
    }

    /// - From peers: questions for records of a topic that is not served → answered that there are
    ///   none; then offence
    @Test func `does not ask again about a topic that the peer does not serve`() {
        var limits = ExchangeLimits()
        limits.foreignPagesMax = 2
        let page = RecordQuestion.page(Topic("/stoa/other/1"), after: nil, idsMax: 1)
        var serving = RecordServing(limits: limits)
        for _ in 0..<2 {
            let answer = serving.handle(.received(page, isServed: false))
            #expect(answer == [.answer(.page([], isLast: true))])
        }
        #expect(serving.handle(.received(page, isServed: false)) == [.stop(.foreignTopic)])

        // The peer was never offered an id of this topic.
        serving = RecordServing(limits: limits)
        let want = RecordQuestion.want(Topic("/stoa/other/1"), ids(1...2), bytesMax: 1)
        #expect(serving.handle(.received(want, isServed: false)) == [.stop(.foreignTopic)])
    }

    private mutating func receive(_ answer: RecordAnswer) -> [RecordExchange.Directive] {
        exchange.handle(.received(answer))
    }

    private func ids(_ numbers: ClosedRange<Int>) -> [RecordID] { numbers.map(id) }
    private func served(_ number: UInt8) -> RecordExchange.Served {
        RecordExchange.Served(id: id(Int(number)), data: [number])
    }
}

private func id(_ number: Int) -> RecordID { RecordID(Bytes32(repeating: UInt8(number))) }

private func id(of data: [UInt8]) -> RecordID? { data.first.map { id(Int($0)) } }
