import GossipProtocol
import Market
import Testing

struct RecordOriginTests {
    private static func origin(_ number: UInt8, _ text: String) throws -> RecordOrigin {
        let address: Multiaddr = try #require(Multiaddr(text: text))
        return RecordOrigin(PeerID(multihash: [0, 1, number]), at: address)
    }

    @Test func `treats peers of one address or /64 as one origin`() throws {
        let one = try Self.origin(1, "/ip4/203.0.113.7/tcp/4001")
        #expect(try Self.origin(2, "/ip4/203.0.113.7/tcp/9") == one)
        #expect(try Self.origin(1, "/ip4/203.0.113.8/tcp/4001") != one)
        #expect(try Self.origin(3, "/ip6/::ffff:cb00:7107/tcp/4001") == one)
        // With 6to4 an IPv4 address has 65,536 networks, and with Teredo as many ports.
        for text in ["2002:cb00:7107:1::1", "2002:cb00:7107:ffff::1", "2001:0:1:2:3:4:34ff:8ef8"] {
            #expect(try Self.origin(4, "/ip6/\(text)/tcp/4001") == one, "\(text)")
        }
        let six = try Self.origin(1, "/ip6/2001:db8:1:2::1/tcp/4001")
        #expect(try Self.origin(2, "/ip6/2001:db8:1:2:ffff::9/tcp/1") == six)
        #expect(try Self.origin(1, "/ip6/2001:db8:1:3::1/tcp/4001") != six)
    }

    @Test
    func `treats a /24 or /48 as one subnet; stored bytes count for the /48`() throws {
        let one = try Self.origin(1, "/ip4/203.0.113.7/tcp/4001")
        let near = try Self.origin(1, "/ip4/203.0.113.200/tcp/4001")
        #expect(one.wholeSubnet == near.wholeSubnet && one.holder != near.holder)
        #expect(try one.wholeSubnet != Self.origin(1, "/ip4/203.0.114.7/tcp/1").wholeSubnet)
        let six = try Self.origin(1, "/ip6/2001:db8:1:2::1/tcp/1")
        let sixNear = try Self.origin(1, "/ip6/2001:db8:1:ffff::1/tcp/1")
        let sixFar = try Self.origin(1, "/ip6/2001:db8:2:2::1/tcp/1")
        #expect(six.wholeSubnet == sixNear.wholeSubnet && six.holder == sixNear.holder)
        #expect(six.wholeSubnet != sixFar.wholeSubnet && six.holder != sixFar.holder)
        // The first address of a subnet is one of it, and does not stand for it.
        for text in ["/ip4/203.0.113.0/tcp/1", "/ip6/2001:db8:1::1/tcp/1"] {
            let first = try Self.origin(1, text)
            #expect(first.wholeSubnet != first)
            #expect(first.wholeSubnet.wholeSubnet == first.wholeSubnet)
        }
        let local = try Self.origin(1, "/ip4/127.0.0.1/tcp/1")
        #expect(local.wholeSubnet == local && local.holder == local)
        #expect(RecordOrigin.own.holder == .own && RecordOrigin.unknown.wholeSubnet == .unknown)
    }

    @Test func `counts peers on this machine and peers found by name individually`() throws {
        for text in ["/ip4/127.0.0.1/tcp/1", "/ip6/::1/tcp/1", "/dns4/stoa.example/tcp/1"] {
            let one = try Self.origin(1, text)
            #expect(try one == Self.origin(1, "/ip4/127.0.0.1/tcp/9"))
            #expect(try one != Self.origin(2, text))
        }
        #expect(RecordOrigin(PeerID(multihash: [1]), at: nil) == .unknown)
    }
}
