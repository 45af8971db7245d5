import Market
import Support
import Testing
import Trade

/// When a move is tried again that could not be made.
extension DeadlineWatchTests {
    @Test func `tries a failing move three times, then gives up`() {
        let watch = Watch()
        let sales = [watched(rank: 0)]
        var time = end
        var begun: [String] = []
        for attempt in 0..<DeadlineWatch.attemptsMax {
            begun += keys(watch.look(at: sales, head: time, now: time))
            watch.begun(move(), operation: "\(attempt)", at: time)
            let isTriedAgain = watch.failed(move(), at: time)
            #expect(isTriedAgain == (attempt < 2))
            #expect(watch.look(at: sales, head: time, now: time).isEmpty)
            if isTriedAgain { time = watch.next ?? end }
        }
        #expect(begun == (0..<3).map { move().key(attempt: $0) })
        #expect(time == after(.seconds(600 + 3_600)))
        #expect(watch.look(at: sales, head: after(.days(9)), now: after(.days(9))).isEmpty)
    }

    @Test func `retries a refused free move ever less often and reports it once`() {
        let watch = Watch()
        let sales = [watched(rank: 0)]
        var time = end
        var waits: [UInt64] = []
        for round in 0..<5 {
            #expect(keys(watch.look(at: sales, head: time, now: time)).count == 1)
            #expect(watch.refused(move(), because: .lasting, at: time) == (round == 0))
            #expect(watch.look(at: sales, head: time, now: time).isEmpty)
            let next = watch.next ?? time
            waits.append(next.seconds - time.seconds)
            time = next
        }
        #expect(waits == [600, 3_600, 21_600, 21_600, 21_600])
        #expect(keys(watch.look(at: sales, head: time, now: time)) == [move().key(attempt: 0)])

        let other = Watch()
        _ = other.look(at: sales, head: end, now: end)
        #expect(!other.refused(move(), because: .passing, at: end))
        _ = other.look(at: sales, head: end, now: end)
        #expect(other.next == after(.seconds(60)))
    }

    @Test func `retries soon because of the fee, at most hourly, and reports it later`() {
        let watch = Watch()
        let sales = [watched(rank: 0)]
        var time = end
        var (waits, reports): ([UInt64], [Int]) = ([], [])
        for round in 0..<9 {
            #expect(keys(watch.look(at: sales, head: time, now: time)).count == 1)
            if watch.refused(move(), because: .fee, at: time) { reports.append(round) }
            // No block in between has it asked again.
            let early = ChainTime(seconds: time.seconds + 59)
            #expect(watch.look(at: sales, head: early, now: early).isEmpty)
            let next = watch.next ?? time
            waits.append(next.seconds - time.seconds)
            time = next
        }
        #expect(waits == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
        #expect(reports == [3])
        // A move that was begun starts from the beginning, and other obstacles have their own waits.
        #expect(keys(watch.look(at: sales, head: time, now: time)).count == 1)
        watch.begun(move(), operation: "1", at: time)
        #expect(watch.failed(move(), at: time))
        time = watch.next ?? time
        #expect(keys(watch.look(at: sales, head: time, now: time)).count == 1)
        #expect(!watch.refused(move(), because: .fee, at: time))
        #expect(watch.next == time.advanced(by: .seconds(60)))
    }

    /// How the attempt to make a move can go.
    private enum Outcome: CaseIterable { case prevented, refused, failed, noHead }

    @Test func `each wait of a move ends at its documented time`() {
        let sales = [watched(rank: 0)]
        let count = Outcome.allCases.count
        for number in 0..<count * count * count * count {
            let watch = Watch()
            var (time, refusals, failures) = (end, 0, 0)
            for outcome in [number, number / 4, number / 16, number / 64].map({
                Outcome.allCases[$0 % count]
            }) {
                let head = outcome == .noHead ? nil : time
                let begun = keys(watch.look(at: sales, head: head, now: time))
                #expect(begun == (head == nil ? [] : [move().key(attempt: failures)]))
                var wait = 0
                switch outcome {
                case .prevented:
                    _ = watch.refused(move(), because: .passing, at: time)
                    wait = 60
                case .refused:
                    _ = watch.refused(move(), because: .lasting, at: time)
                    wait = [600, 3_600, 21_600][min(refusals, 2)]
                    refusals += 1
                case .failed:
                    watch.begun(move(), operation: "1", at: time)
                    refusals = 0
                    failures += 1
                    guard watch.failed(move(), at: time) else { break }
                    wait = [600, 3_600][failures - 1]
                case .noHead: break
                }
                // It gives up for good after the third failure.
                if failures == DeadlineWatch.attemptsMax { break }
                let next = watch.next
                #expect(next.map { $0 <= time.advanced(by: .seconds(wait)) } == true, "\(number)")
                // A signal in the meantime changes nothing.
                _ = watch.look(at: sales, head: nil, now: time)
                #expect(watch.next == next && next != nil, "\(number)")
                if wait > 0 { time = time.advanced(by: .seconds(wait)) }
            }
        }
    }

    @Test func `turns begin when the node could first move, however late that is`() {
        // The chain stood still, and the accounts' nodes know nothing of each other.
        let (first, second) = (Watch(), Watch())
        let one = [watched(rank: 0)]
        let other = [watched(by: bo, rank: 1)]
        let late = after(.days(1))
        for watch in [first, second] {
            #expect(watch.look(at: one + other, head: nil, now: late).isEmpty)
        }
        #expect(keys(first.look(at: one, head: late, now: late)).count == 1)
        #expect(keys(second.look(at: other, head: late, now: late)).isEmpty)
        #expect(second.next == late.advanced(by: .seconds(600)))
        let almost = late.advanced(by: .seconds(599))
        #expect(keys(second.look(at: other, head: almost, now: almost)).isEmpty)
        let turn = late.advanced(by: .seconds(600))
        #expect(keys(second.look(at: other, head: turn, now: turn)).count == 1)
    }
}
