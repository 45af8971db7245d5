import Market
import Testing

@testable import GossipProtocol

struct IPAddressReachTests {
    @Test(
        arguments: [
            ("/ip4/8.8.8.8", .world), ("/ip4/127.0.0.1", .machine), ("/ip4/0.0.0.0", .machine),
            ("/ip4/10.1.2.3", .network), ("/ip4/172.31.0.1", .network),
            ("/ip4/192.168.1.1", .network), ("/ip4/169.254.1.1", .network),
            ("/ip4/100.64.0.1", .network), ("/ip4/198.18.0.1", .network),
            ("/ip4/224.0.0.1", .machine), ("/ip4/255.255.255.255", .machine),
            ("/ip6/::", .machine), ("/ip6/::1", .machine), ("/ip6/ff02::1", .machine),
            ("/ip6/fe80::1", .network), ("/ip6/fec0::1", .network), ("/ip6/fd00::1", .network),
            ("/ip6/2a00:1450::1", .world),
            // 127.0.0.1, 10.0.0.1 and 8.8.8.8 as IPv6 addresses: mapped, compatible, translated,
            // NAT64, 6to4, Teredo.
            ("/ip6/::ffff:7f00:1", .machine), ("/ip6/::ffff:a00:1", .network),
            ("/ip6/::ffff:808:808", .world), ("/ip6/::7f00:1", .machine),
            ("/ip6/::ffff:0:7f00:1", .machine), ("/ip6/64:ff9b::7f00:1", .machine),
            ("/ip6/64:ff9b::a00:1", .network), ("/ip6/64:ff9b::808:808", .world),
            ("/ip6/64:ff9b:1::808:808", .network), ("/ip6/2002:7f00:1::1", .machine),
            ("/ip6/2002:a00:1::1", .network), ("/ip6/2002:808:808::1", .world),
            ("/ip6/2001:0:808:808::80ff:fffe", .machine),
            ("/ip6/2001:0:7f00:1::f7f7:f7f7", .machine),
            ("/ip6/2001:0:808:808::f7f7:f7f7", .world),
            ("/dns4/127.0.0.1", .machine), ("/dns/10.0.0.1", .network),
            ("/dns6/8.8.8.8", .world), ("/dns/stoa.example", .world),
        ] as [(String, Reach)]
    )
    func `an address is as near as its nearest embedded one`(text: String, reach: Reach) throws {
        #expect(try #require(Multiaddr(text: text + "/tcp/1")).reach == reach)
    }

    @Test func `groups the addresses of one customer`() throws {
        func group(_ text: String) throws -> AddressGroup? {
            AddressGroup(of: try #require(Multiaddr(text: text + "/tcp/1")))
        }
        #expect(try group("/ip4/8.8.8.8") == group("/ip6/::ffff:808:808"))
        #expect(try group("/ip4/8.8.8.8") != group("/ip4/8.8.8.9"))
        #expect(try group("/ip6/2a00:1:2:3::1") == group("/ip6/2a00:1:2:3:ffff::9"))
        #expect(try group("/ip6/2a00:1:2:3::1") != group("/ip6/2a00:1:2:4::1"))
        #expect(try group("/ip4/127.0.0.1") == nil)
        #expect(try group("/ip6/::1") == nil)
        #expect(try group("/dns/stoa.example") == nil)
        #expect(try group("/ip6/2a00:1:2:3::1")?.description == "2a00:1:2:3::/64")
    }

    /// - From peers: a link from an address that a tunnel would turn into this machine's → the
    ///   bounds for strangers apply
    @Test(
        arguments: [
            "2002:7f00:1::1", "2002:7f01:203::9", "64:ff9b::7f00:1", "::7f00:1", "::ffff:0:7f00:1",
            "2001:0:808:808::80ff:fffe",
        ]
    )
    func `treats a tunnelled address of this machine as one stranger`(text: String) throws {
        let address = try #require(IPAddress(ip6: text))
        let group = AddressGroup(address)
        #expect(!group.isOfThisMachine)
        #expect(AddressGroup(of: Multiaddr(host: .ip6(address), port: 1)) == group)
        #expect(group == AddressGroup(try #require(IPAddress(ip6: "2002:7f00:1::1"))))
        #expect(address.standing == .world)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:7f00:1"])
    func `treats loopback as this machine, even as an IPv4-mapped address`(text: String) throws {
        let address = try #require(IPAddress(ip4: text) ?? IPAddress(ip6: text))
        #expect(AddressGroup(address).isOfThisMachine)
        #expect(address.standing == .machine)
    }

    @Test(arguments: ["0.0.0.0", "224.0.0.1", "::", "ff02::1"])
    func `does not treat an unspecified address as this machine`(text: String) throws {
        let address = try #require(IPAddress(ip4: text) ?? IPAddress(ip6: text))
        #expect(!AddressGroup(address).isOfThisMachine)
    }
}
