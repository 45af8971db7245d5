import GossipProtocol
import Testing

struct LinkLimitsTests {
    @Test func `the default limits are consistent`() {
        LinkLimits().check()
    }

    @Test func `a node does not start with contradictory limits`() async {
        await #expect(processExitsWith: .failure) {
            var limits = LinkLimits()
            limits.socketBytesLow = limits.socketBytesHigh
            limits.check()
        }
        await #expect(processExitsWith: .failure) {
            var limits = LinkLimits()
            limits.yamux.frameBytesMax = limits.yamux.initialWindowBytes + 1
            limits.check()
        }
        await #expect(processExitsWith: .failure) {
            var limits = LinkLimits()
            limits.yamux.grownBytesMax = limits.grownBytesMax + 1
            limits.check()
        }
    }
}
