import Client
import Market
import Records
import Testing

struct ClockComparisonTests {
    private static func chain(_ lead: Duration, isOfDevelopment: Bool = false)
        -> ClockComparison.ChainReading
    {
        ClockComparison.ChainReading(lead: lead, isOfDevelopment: isOfDevelopment)
    }

    /// Peers of as many subnets as there are leads, or of this machine.
    private static func peers(_ leads: Duration..., isHere: Bool = false)
        -> [ClockComparison.PeerReading]
    {
        leads.enumerated().map { number, lead in
            ClockComparison.PeerReading(lead: lead, subnet: isHere ? nil : [10, 0, UInt8(number)])
        }
    }

    @Test func `accepts a clock that agrees with the chain and the peers`() {
        let right = ClockComparison(
            chains: [Self.chain(.seconds(-12))],
            peers: Self.peers(.seconds(3))
        )
        #expect(right.warnings.isEmpty && !right.isUnusable)
        #expect(right.chainLead == .seconds(-12) && right.peersLead == .seconds(3))
        #expect(ClockComparison().warnings.isEmpty && !ClockComparison().isUnusable)
    }

    @Test func `shows a gap over two minutes and refuses one above the tolerance`() {
        let late = ClockComparison(chains: [Self.chain(.seconds(200))])
        #expect(
            late.warnings.detail
                == "This computer's clock is 3 minutes behind the chain's time. Set it, for instance by NTP."
        )
        #expect(!late.isUnusable)
        let days = ClockComparison(
            chains: [Self.chain(.seconds(172_900))],
            peers: Self.peers(.seconds(172_800))
        )
        #expect(days.isUnusable)
        #expect(
            days.warnings.detail.hasPrefix(
                "This computer's clock is 2 days behind the chain's time. "
                    + "This computer's clock is 2 days behind linked peers."
            )
        )
        #expect(days.warnings.detail.hasSuffix("until then nothing is published here."))
        let ahead = ClockComparison(chains: [Self.chain(.seconds(-601))])
        #expect(
            ahead.isUnusable && ahead.warnings.detail.contains("10 minutes ahead of the chain")
        )
        #expect(!ClockComparison(chains: [Self.chain(.seconds(-600))]).isUnusable)
    }

    @Test func `trusts peers without a chain only if they are in three subnets`() {
        let day = Duration.seconds(86_400)
        #expect(ClockComparison(peers: Self.peers(day, day, day)).isUnusable)
        #expect(!ClockComparison(peers: Self.peers(day, day)).isUnusable)
        #expect(ClockComparison(peers: Self.peers(day, day)).warnings.isEmpty)
        // Many keys of one subnet have one voice, and the middle of all counts.
        let many = Array(repeating: Self.peers(day), count: 9).flatMap(\.self)
        #expect(!ClockComparison(peers: many + Self.peers(.zero, .zero, .zero)).isUnusable)
        #expect(!ClockComparison(peers: Self.peers(day, .zero, .zero)).isUnusable)
    }

    @Test func `peers cannot overrule a real chain that agrees with the clock`() {
        let day = Duration.seconds(86_400)
        let comparison = ClockComparison(
            chains: [Self.chain(.seconds(-5)), Self.chain(.zero - day)],
            peers: Self.peers(day, day, day, day)
        )
        #expect(!comparison.isUnusable)
        #expect(comparison.warnings.detail.contains("behind linked peers"))
        let outvoted = ClockComparison(
            chains: [Self.chain(day)],
            peers: Self.peers(.zero, .zero, .zero)
        )
        #expect(!outvoted.isUnusable)
        #expect(
            outvoted.warnings.detail
                == "The chain's time is one day ahead of this computer's clock, with which linked "
                + "peers agree: use another endpoint in chain.rpc."
        )
    }

    @Test func `a development chain with a shifted clock does not block trades`() {
        let moved = Self.chain(.seconds(864_000), isOfDevelopment: true)
        #expect(ClockComparison(chains: [moved]).warnings.isEmpty)
        let local = ClockComparison(chains: [moved], peers: Self.peers(.zero, isHere: true))
        #expect(!local.isUnusable && local.warnings.isEmpty)
        // Together with a peer it shows that the clock is wrong.
        let both = ClockComparison(
            chains: [moved],
            peers: Self.peers(.seconds(864_000), isHere: true)
        )
        #expect(both.isUnusable && both.warnings.isEmpty == false)
    }
}
