import GossipProtocol
import Testing

@testable import Gossip
@testable import GossipProtocol

/// Whether a peer is slow.
struct ActiveExchangeTests {
    @Test func `a peer may take one round trip for each answer`() {
        var result = ActiveExchange.Result()
        (result.waited, result.waits, result.answeredBytes) = (.seconds(4), 5, 100)
        #expect(!result.isSlow(by: ExchangeLimits()))
        result.waited = .seconds(6)
        #expect(result.isSlow(by: ExchangeLimits()))
        result.answeredBytes = 200_000
        #expect(!result.isSlow(by: ExchangeLimits()))
    }
}
