import GossipProtocol
import Keys
import Market
import Testing

/// Tests how much one exchange takes, and where the next one resumes.
struct RecordExchangeBoundsTests {
    private let topic = Topic("/stoa/test/1")

    /// A peer that offers new ids without end, and serves a record of equal size for each.
    private struct Run {
        var exchange: RecordExchange
        var pages: [RecordID?] = []
        var served = 0
        var asked: [Int] = []
        var verdict = Verdict.accept
        var isServing = true

        /// Plays until the exchange ends, and returns the last directive.
        mutating func play(recordBytes: Int, held: Bool = false) -> RecordExchange.Directive? {
            var directives = exchange.handle(.begun)
            var next = 0
            while let directive = directives.first {
                switch directive {
                case .ask(.page(_, let after, let count)):
                    pages.append(after)
                    next = after.map(number(of:)) ?? 0
                    let ids = (next + 1...next + count).map(id)
                    directives = exchange.handle(.received(.page(ids, isLast: false)))
                case .compare(let ids):
                    directives = exchange.handle(.compared(missing: held ? [] : ids, refused: 0))
                case .ask(.want(_, let ids, let bytesMax)):
                    asked.append(bytesMax)
                    let count = min(ids.count, max(1, bytesMax / recordBytes))
                    let shown = isServing ? ids.prefix(count) : []
                    let records = shown.map { record($0, recordBytes) }
                    served += records.count
                    directives = exchange.handle(.received(.batch(records, covered: count)))
                case .validate(let records):
                    directives = exchange.handle(.validated(records.map { _ in verdict }))
                case .finish, .stop: return directive
                }
            }
            return nil
        }
    }

    private func exchange(
        _ limits: ExchangeLimits,
        from position: RecordExchange.Position? = nil,
        bytesMax: Int = .max
    ) -> RecordExchange {
        RecordExchange(
            topic: topic,
            limits: limits,
            goingOnFrom: position,
            fetchedBytesMax: bytesMax
        ) { Bytes32($0.prefix(32)).map(RecordID.init) }
    }

    /// - From peers: endless records → the exchange is stopped; the next continues from there
    @Test func `stops a peer with endless records and later resumes there`() {
        var limits = ExchangeLimits()
        limits.pageIDsMax = 100
        limits.fetchedBytesMax = 1 << 20
        var run = Run(exchange: exchange(limits))
        #expect(run.play(recordBytes: 1_000) == .finish)
        #expect(run.exchange.fetchedBytes >= 1 << 20)
        #expect(run.exchange.fetchedBytes < 2 << 20)
        #expect(!run.exchange.counts.isComplete)
        let first = run.exchange

        run = Run(exchange: exchange(limits, from: first.position))
        #expect(run.play(recordBytes: 1_000) == .finish)
        #expect(run.pages.first == first.position?.after)
        #expect(run.exchange.counts.accepted > first.accepted)
        #expect(run.exchange.accepted == run.served)
    }

    @Test func `does not charge the next exchange for an earlier offence`() {
        var limits = ExchangeLimits()
        (limits.pageIDsMax, limits.questionsMax, limits.unprovenMax) = (2, 2, 3)
        var run = Run(exchange: exchange(limits))
        run.verdict = .reject
        #expect(run.play(recordBytes: 100) == .stop(.rejected))
        let first = run.exchange
        #expect(first.counts.rejected == 2)

        run = Run(exchange: exchange(limits, from: first.position))
        #expect(run.play(recordBytes: 100) == .finish)
        #expect(run.exchange.counts.rejected == 2)

        // Ids without records add up within one exchange only.
        var position: RecordExchange.Position?
        for _ in 0..<5 {
            run = Run(exchange: exchange(limits, from: position))
            run.isServing = false
            #expect(run.play(recordBytes: 100) == .finish)
            position = run.exchange.position
        }
        #expect(run.exchange.counts.unproven > limits.unprovenMax)
    }

    @Test func `an exchange fetches at most the rest of the peer's hourly allowance`() {
        var run = Run(exchange: exchange(ExchangeLimits(), bytesMax: 100_000))
        #expect(run.play(recordBytes: 1_000) == .finish)
        #expect(run.exchange.fetchedBytes < 100_000 + 128 << 10)
    }

    /// - From peers: endless ids → the exchange is stopped; the next continues from there
    @Test func `stops an endless list of ids and later resumes there`() {
        var limits = ExchangeLimits()
        limits.offeredMax = 5_000
        var run = Run(exchange: exchange(limits))
        #expect(run.play(recordBytes: 1_000, held: true) == .finish)
        #expect(run.pages.count == 5)
        #expect(run.exchange.fetchedBytes == 0)
        #expect(run.exchange.position?.after == id(5_000))
    }

    @Test func `asks a peer for a little first, and for more after each answer`() {
        var run = Run(exchange: exchange(ExchangeLimits(), bytesMax: 8 << 20))
        _ = run.play(recordBytes: 50_000)
        #expect(run.asked.prefix(5) == [128 << 10, 256 << 10, 256 << 10, 256 << 10, 256 << 10])
    }
}

private func id(_ number: Int) -> RecordID { RecordID(Bytes32(words: 0, 0, 0, UInt64(number))) }

private func number(of id: RecordID) -> Int {
    id.digest.bytes.suffix(8).reduce(0) { $0 << 8 | Int($1) }
}

private func record(_ id: RecordID, _ byteCount: Int) -> [UInt8] {
    id.digest.bytes + [UInt8](repeating: 0, count: byteCount - 32)
}
