import Gossip
import Market
import Testing

struct LinkErrorTests {
    private static let peer = PeerID(multihash: [0, 1, 7])
    private static let nowhere = Multiaddr(host: .dns("nowhere.example"), port: 1)

    @Test(
        arguments: [
            (.unreachable(nowhere, reason: "refused"), "/dns/nowhere.example/tcp/1: refused"),
            (.notLinked(peer), "no link to \(peer.text)"),
            (.linkEnded(.tls(.wrongPeer(peer))), "another peer answered, \(peer.text)"),
            (.linkEnded(.tls(.expired)), "could not prove who it is (expired)"),
            (.full(.linksOfOneAddress), "limit of links from one address"),
            (.protocolsRefused(["/a/1", "/b/1"]), "does not speak /a/1 or /b/1"),
            (.timedOut, "no answer came in time"),
        ] as [(LinkError, String)]
    )
    func `says what went wrong in words`(error: LinkError, words: String) {
        #expect("\(error)".contains(words))
        #expect(!"\(error)".contains("Gossip."))
    }
}
