import Answers
import Client
import Ethereum
import Market
import Testing
import Trade

struct SaleIndexTests {
    /// - From people: a stale chain, a wrong chain id, an endpoint that does not answer →
    ///   chain_stale, wrong_chain, chain_away
    @Test(arguments: [
        (ChainHealth.starting, ProblemCode.chainAway), (.unreachable, .chainAway),
        (.wrongChain(found: ChainID(5)), .wrongChain),
        (.wrongChain(found: ChainID(7)), .wrongChain), (.stale(.noNewBlock), .chainStale),
        (.stale(.oldTimestamp), .chainStale), (.stale(.behind), .chainStale),
        (.stale(.futureTimestamp), .chainStale), (.stale(.noRoom), .chainStale),
        (.catchingUp(applied: 3, head: 9), .chainStale), (.rescanning, .chainStale),
    ])
    func `refuses a chain that is not current, with the reason`(
        health: ChainHealth,
        code: ProblemCode
    ) {
        let refusal = SaleIndex.refusal(of: health, on: ChainID(7))

        #expect(refusal?.code == code)
        #expect(refusal?.detail.contains("7") == true)
    }

    @Test func `allows calls on a followed chain`() {
        #expect(SaleIndex.refusal(of: .following, on: ChainID(7)) == nil)
    }
}
