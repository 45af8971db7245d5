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
}
