import Gossip
import Testing

struct MailOriginTests {
    @Test func `an IPv6 address that stands for an IPv4 one is no second origin`() throws {
        let plain = try #require(IPAddress(ip4: "203.0.113.7"))
        let mapped = try #require(
            IPAddress(bytes: Array(repeating: 0, count: 10) + [255, 255] + plain.bytes)
        )
        #expect(MailOrigin.name(of: mapped) == MailOrigin.name(of: plain))
        let other = try #require(IPAddress(ip4: "203.0.113.8"))
        #expect(MailOrigin.name(of: other) != MailOrigin.name(of: plain))
    }
}
