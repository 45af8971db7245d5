import Ethereum
import Keys
import Market
import Testing

struct EndpointPoolTests {
    private let names = [EndpointName("http://a"), EndpointName("http://b")]

    /// The time of all endpoints' blocks, if not said otherwise.
    private static let now: UInt64 = 1_763_700_000

    private func header(_ number: UInt64, seconds: UInt64 = now) -> BlockHeader {
        BlockHeader(id: BlockID(number: number, hash: .zero), parent: .zero, timestamp: seconds)
    }

    private func pool(_ heads: [(number: UInt64, seconds: UInt64)]) -> EndpointPool {
        let names = ["http://a", "http://b", "http://c"].prefix(heads.count).map {
            EndpointName($0)
        }
        var pool = EndpointPool(names: names)
        for (index, head) in heads.enumerated() {
            pool.verified(index)
            pool.succeeded(index, begun: .zero, latency: .zero)
            pool.sawHead(
                header(head.number, seconds: head.seconds),
                of: index,
                at: .zero,
                wallClockSeconds: Self.now
            )
        }
        return pool
    }

    @Test func `prefers the first configured endpoint`() {
        #expect(EndpointPool(names: names).candidates(at: .zero) == [0, 1])
    }

    @Test func `a failing endpoint waits ever longer, then must name its chain again`() {
        var pool = EndpointPool(names: names)
        pool.verified(0)
        pool.failed(0, .timedOut(names[0], method: "m"), at: .zero)

        #expect(!pool.isVerified(0))
        #expect(pool.candidates(at: .zero) == [1])
        #expect(pool.candidates(at: .milliseconds(500)) == [1, 0])
        pool.failed(0, .timedOut(names[0], method: "m"), at: .milliseconds(500))
        #expect(pool.candidates(at: .milliseconds(1_400)) == [1])
        #expect(pool.candidates(at: .milliseconds(1_500)) == [1, 0])
    }

    @Test func `reports a failing endpoint once, and once when it answers again`() {
        var pool = EndpointPool(names: names)
        let refused = EthereumError.unreachable(names[0], reason: "Connection refused")
        var news = [pool.failed(0, refused, at: .zero)]
        for tenth in 1...80 {
            news.append(pool.failed(0, refused, at: .milliseconds(100 * tenth)))
        }
        #expect(news == [true] + [Bool](repeating: false, count: 80))
        news = [
            pool.failed(0, .httpStatus(names[0], 503), at: .seconds(9)),
            pool.succeeded(0, begun: .seconds(9), latency: .zero),
            pool.succeeded(0, begun: .seconds(9), latency: .zero),
            pool.failed(0, refused, at: .seconds(10)),
            pool.failed(0, refused, at: .seconds(3_600)),
            pool.succeeded(0, begun: .seconds(3_601), latency: .zero),
        ]
        #expect(news == [true, true, false, false, true, true])
    }

    /// - From endpoints: some calls answered and others refused for their number, in turn → one line
    ///   of the log for each kind of failure and one for the answer, an hour
    @Test func `reports an endpoint that fails in turn at most once an hour`() {
        var pool = EndpointPool(names: names)
        var news: [Bool] = []
        for second in 0..<60 {
            let status: UInt = second.isMultiple(of: 2) ? 429 : 503
            let busy = EthereumError.busy(names[0], status: status, retryAfter: nil)
            news.append(pool.failed(0, busy, at: .seconds(second)))
            news.append(pool.succeeded(0, begun: .seconds(second), latency: .zero))
        }
        #expect(news == [true, true, true, true] + [Bool](repeating: false, count: 116))
    }

    @Test func `reports an endpoint with wrong answers at most once an hour`() {
        var pool = EndpointPool(names: names)
        let wrong = EthereumError.malformed(names[0], method: "eth_getLogs", detail: "d")
        var news = [pool.failed(0, wrong, at: .zero)]
        for second in 1..<60 {
            news.append(pool.succeeded(0, begun: .seconds(second), latency: .zero))
            news.append(pool.failed(0, wrong, at: .seconds(second)))
        }
        news.append(pool.failed(0, wrong, at: .seconds(3_600)))
        #expect(news == [true] + [Bool](repeating: false, count: 118) + [true])
    }

    @Test func `an endpoint that succeeds again returns to the front`() {
        var pool = EndpointPool(names: names)
        pool.failed(0, .httpStatus(names[0], 500), at: .zero)
        for _ in 0..<4 { pool.succeeded(0, begun: .zero, latency: .milliseconds(1)) }

        #expect(pool.candidates(at: .zero) == [0, 1])
        #expect(pool.reports[0].latency == .milliseconds(1))
    }

    @Test func `tries the endpoint with the shortest wait if all fail`() {
        var pool = EndpointPool(names: names)
        pool.failed(0, .httpStatus(names[0], 500), at: .seconds(1))
        pool.failed(1, .httpStatus(names[1], 500), at: .zero)

        #expect(pool.candidates(at: .zero) == [1])
    }

    @Test func `does not retry a foreign or lying endpoint before its time`() {
        var pool = EndpointPool(names: names)
        let wrong = EthereumError.wrongChain(
            names[0],
            expected: ChainID(1),
            found: ChainID(5)
        )
        pool.failed(0, wrong, at: .zero)
        pool.failed(1, .contradiction(names[1], detail: "d"), at: .zero)

        #expect(pool.candidates(at: .seconds(299)) == [])
        #expect(pool.candidates(at: .seconds(300)) == [0, 1])
        #expect(pool.reports[0].status == .wrongChain(ChainID(5)))
    }

    /// - From endpoints: an answer that was under way when the endpoint failed → the failure stands
    @Test func `an answer in flight ends no wait`() {
        let pauses: [(EthereumError, Duration)] = [
            (.contradiction(names[0], detail: "d"), .seconds(300)),
            (.wrongChain(names[0], expected: ChainID(1), found: ChainID(5)), .seconds(300)),
            (.busy(names[0], status: 429, retryAfter: .seconds(60)), .seconds(60)),
            (.httpStatus(names[0], 500), .milliseconds(500)),
        ]
        for (error, pause) in pauses {
            var pool = EndpointPool(names: names)
            let start = Duration.seconds(10)
            pool.failed(0, error, at: start)
            let late = start - .milliseconds(1)
            let isNews = pool.succeeded(0, begun: late, latency: .milliseconds(7))
            #expect(!isNews)
            #expect(pool.candidates(at: start + pause - .milliseconds(1)) == [1], "\(error)")
            #expect(pool.reports[0].latency == .milliseconds(7))
            guard pause > .seconds(1) else { continue }
            // Nor does one that was asked while the endpoint should have been left alone.
            pool.succeeded(0, begun: start + .seconds(1), latency: .zero)
            #expect(pool.candidates(at: start + pause - .milliseconds(1)) == [1], "\(error)")
            #expect(pool.wait(of: 0, at: start + pause - .milliseconds(1)) == error)
            #expect(pool.wait(of: 0, at: start + pause) == nil)
            pool.succeeded(0, begun: start + pause, latency: .zero)
            #expect(pool.reports[0].status == .untried)
        }
    }

    @Test func `the only endpoint is mistrusted for a short time at first`() {
        let name = names[0]
        var pool = EndpointPool(names: [name])
        let odd = EthereumError.contradiction(name, detail: "d")
        var now = Duration.zero
        for pause in [30, 60, 120, 240, 300, 300] as [Int64] {
            // Several questions at one time are one fault.
            for _ in 0..<3 { pool.failed(0, odd, at: now) }
            #expect(pool.candidates(at: now + .seconds(pause - 1)) == [])
            now += .seconds(pause)
            #expect(pool.candidates(at: now) == [0])
            pool.succeeded(0, begun: now, latency: .zero)
        }
        // What is long past does not count.
        now += .seconds(3_600)
        pool.failed(0, odd, at: now)
        #expect(pool.candidates(at: now + .seconds(30)) == [0])
    }

    @Test func `skips an endpoint that is behind`() {
        let level = pool([(100, Self.now), (103, Self.now)])
        #expect(level.candidates(at: .zero) == [0, 1])
        #expect(level.toShow.isEmpty)

        var pool = pool([(100, Self.now - 60), (104, Self.now)])
        #expect(pool.toShow.map(\.index) == [1])
        #expect(pool.toShow.map(\.height) == [100])
        #expect(pool.reports.map(\.status) == [.good, .good])
        pool.showed(header(100, seconds: Self.now - 48), by: 1)
        #expect(pool.candidates(at: .zero) == [1, 0])
        #expect(pool.reports.map(\.status) == [.behind, .good])
    }

    @Test func `an unconfirmed head ranks last and marks no endpoint as behind`() {
        var pool = pool([(1_000_000, Self.now), (100, Self.now)])
        #expect(pool.reports.map(\.status) == [.good, .good])
        for shown in [header(100, seconds: Self.now - 5), nil] {
            pool.showed(shown, by: 0)
            #expect(pool.candidates(at: .zero) == [1, 0])
            #expect(pool.reports.map(\.status) == [.unproven, .good])
        }
        // A chain that was there years ago can be so far by now.
        pool.showed(header(100, seconds: Self.now - 200_000), by: 0)
        #expect(pool.reports.map(\.status) == [.good, .behind])
    }

    /// - From endpoints: a head whose time is in the future, from a clock that is wrong → it proves
    ///   nothing about other endpoints, unless all heads are such
    @Test func `a head from the future confirms nothing unless all heads are`() {
        var pool = pool([(1_000_000, Self.now + 200_000), (100, Self.now)])
        pool.showed(header(100), by: 0)
        #expect(pool.reports.map(\.status) == [.unproven, .good])

        var moved = self.pool([(1_000, Self.now + 200_000), (100, Self.now + 100_000)])
        moved.showed(header(100, seconds: Self.now + 100_000), by: 0)
        #expect(moved.reports.map(\.status) == [.good, .behind])
    }

    /// - From endpoints: a newest block whose time is more than 15 minutes ahead of the wall clock, and
    ///   of another endpoint's → the other one is asked first
    @Test func `a head from the future ranks behind one of the present`() {
        let future = pool([(100, Self.now + 901), (99, Self.now)])
        #expect(future.candidates(at: .zero) == [1, 0])
        #expect(future.reports.map(\.status) == [.unproven, .good])
        for heads in [
            [(100, Self.now + 900), (99, Self.now)], [(100, Self.now + 901), (99, Self.now + 901)],
        ] as [[(number: UInt64, seconds: UInt64)]] {
            #expect(pool(heads).candidates(at: .zero) == [0, 1])
        }
    }

    @Test func `two endpoints that agree mark a third as behind`() {
        let pool = pool([(500, Self.now), (100, Self.now), (501, Self.now)])
        #expect(pool.toShow.isEmpty)
        #expect(pool.reports.map(\.status) == [.good, .behind, .good])
    }

    /// - From endpoints: a newest block far above those of two others, which no other one confirms → the
    ///   endpoint is asked last, and the others do not count as behind
    @Test func `a lead that no second endpoint confirms makes nobody late`() {
        var pool = pool([(105, Self.now), (100, Self.now), (101, Self.now)])
        #expect(pool.hasThree)
        #expect(pool.toShow.map(\.index) == [0])
        pool.foundAlone(0)
        #expect(pool.reports.map(\.status) == [.unproven, .good, .good])
        #expect(pool.candidates(at: .zero) == [1, 2, 0])
        #expect(pool.isAlone(0))
        for index in [1, 2] {
            #expect(!isLeft(index, in: pool))
            #expect(!isLeft(index, in: pool, ageMax: nil))
        }
        // It is forgotten once another one comes near.
        pool.sawHead(header(102), of: 2, at: .zero, wallClockSeconds: Self.now)
        pool.forgetLeads()
        #expect(!pool.isAlone(0))
        #expect(pool.reports.map(\.status) == [.good, .good, .good])
        pool.sawHead(header(105), of: 2, at: .zero, wallClockSeconds: Self.now)
        #expect(pool.reports.map(\.status) == [.good, .behind, .good])
        #expect(isLeft(1, in: pool))
    }

    /// - From endpoints: a newest block far above that of the only other one → the other one counts as
    ///   away only if its own newest block is old
    @Test func `one of two is left behind only by its own age`() {
        for (seconds, isOld) in [(Self.now - 180, false), (Self.now - 181, true)] {
            let pool = pool([(105, Self.now), (100, seconds)])
            #expect(isLeft(1, in: pool) == isOld)
            #expect(isLeft(1, in: pool, ageMax: nil))
        }
    }

    private func isLeft(
        _ index: Int,
        in pool: EndpointPool,
        ageMax: Duration? = .seconds(180)
    ) -> Bool {
        pool.isLeftBehind(index, wallClockSeconds: Self.now, headAgeMax: ageMax)
    }
}
