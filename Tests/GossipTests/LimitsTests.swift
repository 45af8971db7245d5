import Gossip
import Testing

struct LimitsTests {
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

    @Test func `a node does not gossip with contradictory limits`() async {
        GossipSettings().check()
        await #expect(processExitsWith: .failure) {
            var settings = GossipSettings()
            settings.gossip.promisesMax = settings.gossip.promisesPerPeerMax - 1
            settings.check()
        }
    }
}
