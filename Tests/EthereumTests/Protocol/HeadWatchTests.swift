import Ethereum
import Keys
import Market
import Testing

struct HeadWatchTests {
    private static let now: UInt64 = 1_763_700_000

    private func health(_ timestamp: UInt64, leadMax: UInt64? = 900) -> ChainHealth {
        var watch = HeadWatch(
            headAgeMax: .seconds(180),
            headLagSecondsMax: 3_600,
            headLeadSecondsMax: leadMax
        )
        let header = BlockHeader(
            id: BlockID(number: 7, hash: .zero),
            parent: .zero,
            timestamp: timestamp
        )
        _ = watch.saw(header, at: .zero)
        return watch.health(
            of: ChainFollower(filter: LogFilter(addresses: [], firstBlock: 0)),
            at: .zero,
            wallClockSeconds: Self.now
        )
    }

    /// - From endpoints: a newest block whose time is more than 15 minutes ahead of the wall clock, on
    ///   a chain whose time nobody moves → chain_stale; no money moves and no deadline passes
    @Test func `a head far from the wall clock's time is not the present one`() {
        let coming = ChainHealth.catchingUp(applied: 0, head: 7)
        #expect(health(Self.now) == coming)
        #expect(health(Self.now + 900) == coming)
        #expect(health(Self.now + 901) == .stale(.futureTimestamp))
        #expect(health(.max) == .stale(.futureTimestamp))
        #expect(health(Self.now + 345_600, leadMax: nil) == coming)
        #expect(health(Self.now - 3_600) == coming)
        #expect(health(Self.now - 3_601) == .stale(.oldTimestamp))
    }

    @Test func `only a development chain may be far ahead`() throws {
        let endpoint = try Endpoint(url: "http://one.example")
        for (chain, most) in [(1, 900), (31_337, nil)] as [(UInt64, UInt64?)] {
            let configuration = ChainConfiguration(
                chain: ChainID(chain),
                endpoints: [endpoint],
                filter: LogFilter(addresses: [], firstBlock: 0)
            )
            #expect(configuration.headLeadSecondsMax == most)
        }
    }

    private func header(_ number: UInt64, _ timestamp: UInt64, branch: UInt64 = 1) -> BlockHeader {
        BlockHeader(
            id: BlockID(number: number, hash: Bytes32(words: number, branch, 0, 0)),
            parent: .zero,
            timestamp: timestamp
        )
    }

    /// - From endpoints: newest blocks that no second endpoint has → the chain's time goes on by the
    ///   newest one that two have
    @Test func `the chain's time goes by a head that two endpoints have`() throws {
        var watch = HeadWatch(
            headAgeMax: nil,
            headLagSecondsMax: nil,
            headLeadSecondsMax: 900,
            needsSecond: true
        )
        let now = Self.now
        func time(_ seconds: Int) -> UInt64? { watch.head?.time(at: .seconds(seconds)).seconds }
        // At first nothing is known but that no block comes from the future.
        _ = watch.saw(header(7, now + 800), at: .zero, wallClockSeconds: now)
        #expect(time(0) == now && time(5) == now + 5)
        _ = watch.saw(header(7, now - 3, branch: 2), at: .seconds(5), wallClockSeconds: now + 5)
        #expect(time(5) == now - 3)
        let honest = try #require(watch.unconfirmed(upTo: 7))
        #expect(honest.timestamp == now - 3)
        watch.confirm(honest)
        #expect(time(5) == now - 3 && watch.unconfirmed(upTo: 7) == nil)
        _ = watch.saw(header(8, now + 850), at: .seconds(9), wallClockSeconds: now + 9)
        #expect(watch.head?.header.number == 8)
        #expect(time(9) == now + 1)
        // It goes by the newest head while no other endpoint answers.
        watch.needsSecond = false
        #expect(time(9) == now + 850)
        watch.needsSecond = true
        #expect(watch.unconfirmed(upTo: 7) == nil)
        watch.confirm(try #require(watch.unconfirmed(upTo: 8)))
        #expect(time(9) == now + 850)
    }
}
