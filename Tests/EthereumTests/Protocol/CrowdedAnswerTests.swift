import Ethereum
import Keys
import Support
import Testing

/// Answers with so many events that fewer blocks must be asked for.
struct CrowdedAnswerTests {
    private static let contract = Address([UInt8](repeating: 9, count: 20)) ?? .zero

    private func twin(logsMax: Int) -> FollowerTwin {
        var limits = ChainLimits()
        limits.logsMax = logsMax
        return FollowerTwin(
            filter: LogFilter(addresses: [Self.contract], firstBlock: 1),
            limits: limits
        )
    }

    /// A chain of six blocks whose filters name everything, so that no block waits for more events.
    private func chain(events counts: [Int]) -> FakeChain {
        var chain = FakeChain(contract: Self.contract)
        for count in counts {
            chain.mine(events: count)
            chain.setBloom(.full)
        }
        return chain
    }

    /// - From endpoints: more than 10,000 events of one block, however often it is asked → it is
    ///   mistrusted, the next endpoint is asked
    @Test func `mistrusts an endpoint with too many events of one block`() {
        var chain = chain(events: [1, 0, 0, 0, 0, 4])
        var twin = twin(logsMax: 3)
        twin.pass(&chain) { _ in }
        #expect(twin.mistrusted == ["too many events of one block"])
        #expect(twin.follower.applied?.number == 5)
    }

    /// - From endpoints: many events in an answer about many blocks, and few about each of them → it is
    ///   mistrusted, the next endpoint is asked
    @Test func `mistrusts an endpoint whose blocks have fewer events one by one`() {
        var chain = chain(events: [2, 2, 2, 2, 2, 2])
        var twin = twin(logsMax: 10)
        twin.tamper = { $0.count > 10 ? $0 : [] }
        twin.tamperAgain = { _ in [] }
        twin.pass(&chain) { _ in }
        #expect(
            twin.mistrusted == ["fewer events of blocks in short answers than in a long one"]
        )
    }

    @Test(arguments: [[2, 2, 2, 2, 2, 2], [0, 0, 0, 0, 9, 3], [9, 9, 9, 9, 9, 9]])
    func `reads blocks with many events in shorter ranges`(counts: [Int]) {
        var chain = chain(events: counts)
        var twin = twin(logsMax: 10)
        twin.pass(&chain) { _ in }
        #expect(twin.mistrusted.isEmpty)
        #expect(twin.follower.isCaughtUp)
        #expect(twin.events == chain.allEvents)
    }
}
