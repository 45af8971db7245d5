import Contracts
import Keys
import Market
import Testing

struct EndpointBoardTests {
    private let names = [EndpointName("http://a"), EndpointName("http://b")]

    private func header(_ number: UInt64) -> BlockHeader {
        BlockHeader(id: BlockID(number: number, hash: .zero), parent: .zero, timestamp: 0)
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
        #expect(board.failed(0, refused, at: .zero))
        for tenth in 1...80 { #expect(!board.failed(0, refused, at: .milliseconds(100 * tenth))) }
        #expect(board.failed(0, .httpStatus(names[0], 503), at: .seconds(9)))
        #expect(board.succeeded(0, latency: .zero))
        #expect(!board.succeeded(0, latency: .zero))
        #expect(board.failed(0, refused, at: .seconds(10)))
    }

    @Test func `one that answers over HTTP, but wrongly, is news once in an hour`() {
        var board = EndpointBoard(names: names)
        let wrong = EthereumError.malformed(names[0], method: "eth_getLogs", detail: "d")
        #expect(board.failed(0, wrong, at: .zero))
        for second in 1..<60 {
            #expect(!board.succeeded(0, latency: .zero))
            #expect(!board.failed(0, wrong, at: .seconds(second)))
        }
        #expect(board.failed(0, wrong, at: .seconds(3_600)))
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
        var board = EndpointBoard(names: names)
        for index in 0...1 {
            board.verified(index)
            board.succeeded(index, latency: .zero)
        }
        board.sawHead(header(100), of: 0, at: .zero)
        board.sawHead(header(103), of: 1, at: .zero)
        #expect(board.candidates(at: .zero) == [0, 1])
        board.sawHead(header(104), of: 1, at: .zero)

        #expect(board.candidates(at: .zero) == [1, 0])
        #expect(board.reports.map(\.standing) == [.behind, .good])
    }
}
