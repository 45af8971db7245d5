import GossipProtocol
import Testing

struct PeerOffenceTests {
    @Test func `charges a peer for breaking its link's rules, not for losing the link`() {
        #expect(PeerOffence(.mux(.tooManyStreams)) == .streamChurn)
        #expect(PeerOffence(.mux(.windowOverrun))?.tolerance == .low)
        #expect(PeerOffence(.tls(.tooManyKeyUpdates))?.tolerance == .low)
        let blameless: [LinkEnd] = [
            .stopped, .replaced, .idle, .closedByPeer, .lost, .silent, .refused(.links),
            .tls(.truncated), .offended("rejected_message"),
        ]
        for end in blameless { #expect(PeerOffence(end) == nil) }
    }
}
