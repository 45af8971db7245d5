import GossipProtocol
import Market
import Testing

struct MultiaddrTests {
    @Test(arguments: [
        "/ip4/127.0.0.1/tcp/4001",
        "/ip4/0.0.0.0/tcp/0",
        "/ip6/::1/tcp/65535",
        "/ip6/2001:db8::8:800:200c:417a/tcp/1",
        "/dns4/stoa.example/tcp/443",
        "/dns6/stoa.example/tcp/443",
        "/dns/stoa.example/tcp/443/p2p/QmfXbAwNjJLXfesgztEHe8HwgVDCMMpZ9Eax1HYq6hn9uE",
        "/ip4/10.1.2.3/tcp/1/p2p/12D3KooWM6CgA9iBFZmcYAHA6A2qvbAxqfkmrYiRQuz3XEsk4Ksv",
        "/ip4/10.1.2.3/tcp/1/p2p/16Uiu2HAkutTMoTzDw1tCvSRtu6YoixJwS46S1ZFxW8hSx9fWHiPs",
    ])
    func `an address survives as text and as bytes`(text: String) throws {
        let address = try #require(Multiaddr(text: text))
        #expect(address.description == text)
        #expect(Multiaddr(bytes: address.bytes) == address)
        for end in 0..<address.bytes.count {
            let cut = Multiaddr(bytes: Array(address.bytes[..<end]))
            #expect(cut == nil || cut == address.expecting(nil))
        }
    }

    @Test func `encodes addresses as in the table`() throws {
        let address = try #require(Multiaddr(text: "/ip4/127.0.0.1/tcp/4001"))
        #expect(address.bytes == [4, 127, 0, 0, 1, 6, 0x0F, 0xA1])
    }

    @Test(arguments: [
        "", "/", "ip4/127.0.0.1/tcp/1", "/ip4/127.0.0.1", "/ip4/127.0.0.256/tcp/1",
        "/ip4/127.0.0.01/tcp/1", "/ip4/127.0.0/tcp/1", "/ip4/127.0.0.1/udp/1",
        "/ip4/127.0.0.1/tcp/65536", "/ip4/127.0.0.1/tcp/+1", "/ip4/127.0.0.1/tcp/1/",
        "/ip4/127.0.0.1/tcp/1/p2p/", "/ip4/127.0.0.1/tcp/1/p2p/Qm", "/ip6/1::2::3/tcp/1",
        "/ip6/:::/tcp/1", "/ip6/12345::/tcp/1", "/ip6/1:2:3:4:5:6:7/tcp/1", "/dns4//tcp/1",
        "/dns4/a b/tcp/1", "/ip4/127.0.0.1/tcp/1/ws",
    ])
    func `refuses text that is not an address`(text: String) {
        #expect(Multiaddr(text: text) == nil)
    }

    @Test(arguments: [
        ("::", "::"), ("1::", "1::"), ("::1", "::1"), ("0:0:1:0:0:0:1:0", "0:0:1::1:0"),
        ("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"), ("ABCD:0:1:2:3:4:5:6", "abcd:0:1:2:3:4:5:6"),
    ])
    func `writes an IPv6 address in canonical form`(text: String, written: String) {
        #expect(IPAddress(ip6: text)?.text == written)
    }
}
