import Market
import Testing

@testable import Gossip
@testable import GossipProtocol

struct AdvertisedAddressesTests {
    private let peer = PeerID(multihash: [0, 1, 7])
    private let machine =
        ["127.0.0.1", "192.168.1.7", "203.0.113.9"]
        .compactMap { IPAddress(ip4: $0) }
        + ["::1", "fe80::1", "2001:db8::9"]
        .compactMap { IPAddress(ip6: $0) }

    private func texts(_ listening: [String], announced: [String] = []) -> [String] {
        var place = AdvertisedAddresses(peer: peer, startedAt: 1)
        place.listening = listening.compactMap { Multiaddr(text: $0) }
        place.announced = announced.compactMap { Multiaddr(text: $0) }
        place.look(at: machine)
        return place.addresses.map { $0.expecting(nil).description }
    }

    @Test func `a node that listens everywhere announces the machine's addresses`() {
        #expect(
            texts(["/ip4/0.0.0.0/tcp/4001"])
                == ["/ip4/203.0.113.9/tcp/4001", "/ip4/192.168.1.7/tcp/4001"]
        )
        #expect(
            texts(["/ip6/::/tcp/4001"]) == [
                "/ip4/203.0.113.9/tcp/4001", "/ip6/2001:db8::9/tcp/4001",
                "/ip4/192.168.1.7/tcp/4001",
            ]
        )
        #expect(texts(["/ip4/192.168.1.7/tcp/1"]) == ["/ip4/192.168.1.7/tcp/1"])
    }

    @Test func `announces the loopback address if there is no network`() throws {
        let socket = try #require(Multiaddr(text: "/ip4/0.0.0.0/tcp/1"))
        let own = try #require(IPAddress(ip4: "127.0.0.1"))
        let told = try #require(Multiaddr(text: "/ip4/127.0.0.1/tcp/1"))
        #expect(AdvertisedAddresses.dialled(socket, peer, by: [own]) == [told.expecting(peer)])
    }

    @Test func `announces the operator's addresses instead of its own`() {
        let announced = ["/dns4/stoa.example/tcp/4001"]
        #expect(texts(["/ip4/0.0.0.0/tcp/4001"], announced: announced) == announced)
    }

    @Test func `a record's sequence is its time and never goes back`() {
        var place = AdvertisedAddresses(peer: peer, startedAt: 100)
        place.look(at: 160)
        let made = PeerRecord(peer: peer, sequence: place.sequence, addresses: [])
        #expect(made.madeAt == 160)
        place.look(at: [])
        place.look(at: 120)
        #expect(PeerRecord(peer: peer, sequence: place.sequence, addresses: []).madeAt == 160)
    }

    @Test func `a new or lost interface causes a newer record`() {
        var place = AdvertisedAddresses(peer: peer, startedAt: 1)
        place.listening = [Multiaddr(text: "/ip4/0.0.0.0/tcp/1")].compactMap { $0 }
        place.look(at: machine)
        let first = place.sequence
        place.look(at: machine)
        #expect(place.sequence == first)
        place.look(at: [])
        #expect(place.sequence > first)
        #expect(place.addresses.isEmpty)
    }
}
