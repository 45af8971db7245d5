import GossipProtocol
import Market
import Testing

struct FetchAllowanceTests {
    private let gibibyte = 1 << 30
    private var allowance = FetchAllowance(limits: ExchangeLimits())

    private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    /// - From peers: records under many new keys from one address → together they get four times
    ///   the
    ///   hourly bytes of one peer
    @Test mutating func `fresh keys of one address get at most four hourly allowances`() throws {
        let group = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")))
        var fetched = 0
        for number in 0..<100 as Range<UInt8> {
            let byteCount = allowance.level(of: peer(number), at: group, now: .start)
            allowance.drain(byteCount, of: peer(number), at: group, now: .start)
            fetched += byteCount
        }
        #expect(fetched == 4 * gibibyte)
        let later = Moment.start + .seconds(900)
        #expect(allowance.level(of: peer(200), at: group, now: later) == gibibyte)
        let other = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.8/tcp/1")))
        #expect(allowance.level(of: peer(201), at: other, now: .start) == gibibyte)
    }

    @Test mutating func `a peer has its own hourly allowance, whatever its address`() throws {
        let groups = try (1...3).map {
            AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.\($0)/tcp/1")))
        }
        allowance.drain(gibibyte, of: peer(1), at: groups[0], now: .start)
        let levels = groups.map { allowance.level(of: peer(1), at: $0, now: .start) }
        #expect(levels == [0, 0, 0])
        #expect(allowance.level(of: peer(2), at: nil, now: .start) == gibibyte)
    }

    @Test mutating func `networks of one /48 share four addresses' hourly allowances`()
        throws
    {
        var fetched = 0
        for number in 0..<4_300 {
            let address = IPAddress(ip6: "2001:db8:1:\(String(number, radix: 16))::1")
            let group = AddressGroup(try #require(address))
            let one = PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
            let byteCount = min(gibibyte / 4, allowance.level(of: one, at: group, now: .start))
            allowance.drain(byteCount, of: one, at: group, now: .start)
            fetched += byteCount
        }
        #expect(fetched == 16 * gibibyte)
        let other = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.8/tcp/1")))
        #expect(allowance.level(of: peer(201), at: other, now: .start) == gibibyte)
    }
}
