import GossipProtocol
import Testing

struct MomentTests {
    @Test func `orders by time since the start`() {
        #expect(Moment.start < Moment.start + .milliseconds(1))
    }
}
