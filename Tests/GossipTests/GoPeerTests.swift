import Gossip
import GossipProtocol
import Market
import Testing

@Suite(.enabled(if: GoPeer.isHere, "Scripts/interop makes the peer"), .timeLimit(.minutes(2)))
struct GoPeerTests {
    @Test func `a Go peer and a node link, identify and ping, whoever dials`() async throws {
        let go = try GoPeer(topic: "interop/1")
        defer { go.stop() }
        let ready = try await go.hear("ready")
        let address = try #require(ready.addresses?.first.flatMap { Multiaddr(text: $0) })

        try await LinkPair.with { pair in
            let peer = try await pair.ana.dial(address)
            #expect(peer == address.peer)
            #expect(try await Ping.measure(peer, over: pair.ana) > .zero)
            let description = try await pair.ana.nextDescription()
            #expect(description.protocols.contains(Ping.protocolID))
            #expect(description.record?.peer == peer)

            try go.say("dial \(pair.address)")
            #expect(try await go.hear("connected").peer == pair.bo.localPeer.text)
            let identified = try await go.hear("identify")
            #expect(identified.agentVersion == "stoa/test")
            #expect(identified.protocols?.contains(Ping.protocolID) == true)
            #expect(try await go.hear("ping").microseconds != nil)
        }
        print("go peer: 2 cases")
    }
}
