import GossipProtocol
import Market
import Testing

struct HandshakePaceTests {
    private static func group(_ bytes: UInt8...) -> AddressGroup {
        guard let address = IPAddress(bytes: bytes) else {
            preconditionFailure("four bytes are an address")
        }
        return AddressGroup(address)
    }

    private static func admitted(
        _ pace: inout HandshakePace,
        _ group: AddressGroup,
        at seconds: Int
    ) -> Int {
        let now = Moment(sinceStart: .seconds(seconds))
        return (0..<1_000).count { _ in pace.admits(group, at: now) }
    }

    /// - From peers: continuous handshakes from one address, or one /24 or /48 → sockets are
    ///   closed before the first byte is read
    @Test func `limits handshakes per second: twice as many per subnet as per address`() {
        var pace = HandshakePace(limits: LinkLimits())
        #expect(Self.admitted(&pace, Self.group(203, 0, 113, 1), at: 0) == 32)
        #expect(Self.admitted(&pace, Self.group(203, 0, 113, 1), at: 10) == 32)
        #expect(Self.admitted(&pace, Self.group(203, 0, 113, 2), at: 10) == 32)
        #expect(Self.admitted(&pace, Self.group(203, 0, 113, 3), at: 10) == 0)
        #expect(Self.admitted(&pace, Self.group(203, 0, 113, 1), at: 11) == 4)
        #expect(Self.admitted(&pace, Self.group(203, 0, 114, 1), at: 11) == 32)
    }

    @Test func `a whole market on one machine may start at once`() {
        var pace = HandshakePace(limits: LinkLimits())
        #expect(Self.admitted(&pace, Self.group(127, 0, 0, 1), at: 0) == 1_000)
    }
}
