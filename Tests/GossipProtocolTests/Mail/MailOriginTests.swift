import GossipProtocol
import Keys
import Testing

struct MailOriginTests {
    @Test func `the IPv6 form of an IPv4 address is the same origin`() throws {
        let plain = try #require(IPAddress(ip4: "203.0.113.7"))
        let mapped = try #require(
            IPAddress(bytes: Array(repeating: 0, count: 10) + [255, 255] + plain.bytes)
        )
        #expect(MailOrigin.name(of: mapped) == MailOrigin.name(of: plain))
        let other = try #require(IPAddress(ip4: "203.0.113.8"))
        #expect(MailOrigin.name(of: other) != MailOrigin.name(of: plain))
    }

    @Test func `treats one customer's networks as one origin`() throws {
        func name(_ prefix: [UInt8]) throws -> Bytes32 {
            let bytes = prefix + [UInt8](repeating: 0, count: 15 - prefix.count) + [1]
            return MailOrigin.name(of: try #require(IPAddress(bytes: bytes)))
        }
        let home: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0x01, 0x00]
        #expect(try name(home + [0, 0]) == name(home + [0x12, 0x34]))
        #expect(try name(home) != name([0x20, 0x01, 0x0D, 0xB8, 0x01, 0x01]))
    }
}
