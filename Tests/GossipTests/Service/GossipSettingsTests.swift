import Gossip
import GossipProtocol
import Testing

struct GossipSettingsTests {
    @Test func `a node does not gossip with contradictory limits`() async {
        GossipSettings().check()
        await #expect(processExitsWith: .failure) {
            var settings = GossipSettings()
            settings.gossip.promisesMax = settings.gossip.promisesPerPeerMax - 1
            settings.check()
        }
    }
}
