import Contracts
import Keys
import Market
import Testing

struct EndpointBoardTests {
    private let names = [EndpointName("http://a"), EndpointName("http://b")]

    /// The time of all endpoints' blocks, if not said otherwise.
    private static let now: UInt64 = 1_763_700_000

    private func header(_ number: UInt64, seconds: UInt64 = now) -> BlockHeader {
        BlockHeader(id: BlockID(number: number, hash: .zero), parent: .zero, timestamp: seconds)
    }

    private func board(_ heads: [(number: UInt64, seconds: UInt64)]) -> EndpointBoard {
        let names = ["http://a", "http://b", "http://c"].prefix(heads.count).map {
            EndpointName($0)
        }
        var board = EndpointBoard(names: names)
        for (index, head) in heads.enumerated() {
            board.verified(index)
            board.succeeded(index, latency: .zero)
            board.sawHead(
                header(head.number, seconds: head.seconds),
                of: index,
                at: .zero,
                wallClockSeconds: Self.now
            )
        }
        return board
    }

    @Test func `the first configured comes first`() {
        #expect(EndpointBoard(names: names).candidates(at: .zero) == [0, 1])
    }

    @Test func `one that fails waits, longer each time, and is asked the chain id again`() {
        var board = EndpointBoard(names: names)
        board.verified(0)
        board.failed(0, .timedOut(names[0], method: "m"), at: .zero)

        #expect(!board.isVerified(0))
        #expect(board.candidates(at: .zero) == [1])
        #expect(board.candidates(at: .milliseconds(500)) == [1, 0])
        board.failed(0, .timedOut(names[0], method: "m"), at: .milliseconds(500))
        #expect(board.candidates(at: .milliseconds(1_400)) == [1])
        #expect(board.candidates(at: .milliseconds(1_500)) == [1, 0])
    }

    @Test func `an endpoint that goes on failing is news once, and again when it answers`() {
        var board = EndpointBoard(names: names)
        let refused = EthereumError.unreachable(names[0], reason: "Connection refused")
        var news = [board.failed(0, refused, at: .zero)]
        for tenth in 1...80 {
            news.append(board.failed(0, refused, at: .milliseconds(100 * tenth)))
        }
        #expect(news == [true] + [Bool](repeating: false, count: 80))
        news = [
            board.failed(0, .httpStatus(names[0], 503), at: .seconds(9)),
            board.succeeded(0, latency: .zero), board.succeeded(0, latency: .zero),
            board.failed(0, refused, at: .seconds(10)),
        ]
        #expect(news == [true, true, false, true])
    }

    @Test func `one that answers over HTTP, but wrongly, is news once in an hour`() {
        var board = EndpointBoard(names: names)
        let wrong = EthereumError.malformed(names[0], method: "eth_getLogs", detail: "d")
        var news = [board.failed(0, wrong, at: .zero)]
        for second in 1..<60 {
            news.append(board.succeeded(0, latency: .zero))
            news.append(board.failed(0, wrong, at: .seconds(second)))
        }
        news.append(board.failed(0, wrong, at: .seconds(3_600)))
        #expect(news == [true] + [Bool](repeating: false, count: 118) + [true])
    }

    @Test func `one that succeeds again comes back to the front`() {
        var board = EndpointBoard(names: names)
        board.failed(0, .httpStatus(names[0], 500), at: .zero)
        for _ in 0..<4 { board.succeeded(0, latency: .milliseconds(1)) }

        #expect(board.candidates(at: .zero) == [0, 1])
        #expect(board.reports[0].latency == .milliseconds(1))
    }

    @Test func `where all fail, the soonest is tried all the same`() {
        var board = EndpointBoard(names: names)
        board.failed(0, .httpStatus(names[0], 500), at: .seconds(1))
        board.failed(1, .httpStatus(names[1], 500), at: .zero)

        #expect(board.candidates(at: .zero) == [1])
    }

    @Test func `one of another chain, or one that lied, is not tried before its time`() {
        var board = EndpointBoard(names: names)
        let wrong = EthereumError.wrongChain(
            names[0],
            expected: ChainID(1),
            found: ChainID(5)
        )
        board.failed(0, wrong, at: .zero)
        board.failed(1, .contradiction(names[1], detail: "d"), at: .zero)

        #expect(board.candidates(at: .seconds(299)) == [])
        #expect(board.candidates(at: .seconds(300)) == [0, 1])
        #expect(board.reports[0].standing == .wrongChain(ChainID(5)))
    }

    @Test func `one that is behind is passed over`() {
        let level = board([(100, Self.now), (103, Self.now)])
        #expect(level.candidates(at: .zero) == [0, 1])
        #expect(level.toShow.isEmpty)

        var board = board([(100, Self.now - 60), (104, Self.now)])
        #expect(board.toShow.map(\.index) == [1])
        #expect(board.toShow.map(\.height) == [100])
        #expect(board.reports.map(\.standing) == [.good, .good])
        board.showed(header(100, seconds: Self.now - 48), by: 1)
        #expect(board.candidates(at: .zero) == [1, 0])
        #expect(board.reports.map(\.standing) == [.behind, .good])
    }

    @Test func `one whose head nothing bears out puts nobody behind and comes last`() {
        var board = board([(1_000_000, Self.now), (100, Self.now)])
        #expect(board.reports.map(\.standing) == [.good, .good])
        for shown in [header(100, seconds: Self.now - 5), nil] {
            board.showed(shown, by: 0)
            #expect(board.candidates(at: .zero) == [1, 0])
            #expect(board.reports.map(\.standing) == [.unproven, .good])
        }
        // A chain that was there years ago can be so far by now.
        board.showed(header(100, seconds: Self.now - 200_000), by: 0)
        #expect(board.reports.map(\.standing) == [.good, .behind])
    }

    @Test func `a head from the future bears nothing out unless all are`() {
        var board = board([(1_000_000, Self.now + 200_000), (100, Self.now)])
        board.showed(header(100), by: 0)
        #expect(board.reports.map(\.standing) == [.unproven, .good])

        var moved = self.board([(1_000, Self.now + 200_000), (100, Self.now + 100_000)])
        moved.showed(header(100, seconds: Self.now + 100_000), by: 0)
        #expect(moved.reports.map(\.standing) == [.good, .behind])
    }

    @Test func `what two endpoints say puts a third behind`() {
        let board = board([(500, Self.now), (100, Self.now), (501, Self.now)])
        #expect(board.toShow.isEmpty)
        #expect(board.reports.map(\.standing) == [.good, .behind, .good])
    }
}
