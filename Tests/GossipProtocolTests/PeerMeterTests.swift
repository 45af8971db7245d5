import GossipProtocol
import Market
import Testing

struct PeerMeterTests {
    private let peers = (0..<200 as Range<UInt8>).map { PeerID(multihash: [0, 1, $0]) }

    @Test func `a peer may ask in a burst, then once each interval`() {
        var meter = PeerMeter(burst: 3, every: .seconds(10))
        let seconds = [0, 0, 0, 0, 9, 10]
        let taken = seconds.map { meter.take(by: peers[0], of: nil, at: .start + .seconds($0)) }
        #expect(taken == [.granted, .granted, .granted, .overdrawn, .overdrawn, .granted])
        let other = meter.take(by: peers[1], of: nil, at: .start)
        #expect(other == .granted)
    }

    @Test func `keys of one address together ask at most four times as often`() throws {
        var meter = PeerMeter(burst: 3, every: .seconds(10))
        let group = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")))
        #expect(peers.filter { meter.take(by: $0, of: group, at: .start) == .granted }.count == 12)
        let later = Moment.start + .seconds(10)
        let count = peers.filter { meter.take(by: $0, of: group, at: later) == .granted }.count
        #expect(count == 4)
    }

    /// - From peers: questions after other peers at the same address have used up its allowance →
    ///   refused, without fault
    @Test func `refuses a peer at a busy address without blaming it`() throws {
        var meter = PeerMeter(burst: 3, every: .seconds(10))
        let group = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")))
        for other in peers.dropFirst() { _ = meter.take(by: other, of: group, at: .start) }
        // One more in ten seconds, within its rate, while the others take everything.
        let answers = (0..<60).map { turn in
            let now = Moment.start + .seconds(10 * turn)
            for other in peers.dropFirst() { _ = meter.take(by: other, of: group, at: now) }
            return meter.take(by: peers[0], of: group, at: now)
        }
        #expect(answers == Array(repeating: .crowdedOut, count: 60))
        // A peer that does not stop is still at fault.
        let last = (0..<5).map { _ in meter.take(by: peers[1], of: group, at: .start) }
        #expect(last.last == .overdrawn)
    }

    @Test func `addresses of one subnet together ask as often as four of them`() throws {
        var meter = PeerMeter(burst: 3, every: .seconds(10))
        var granted = 0
        for number in 0..<4_300 {
            let address = IPAddress(ip6: "2001:db8:1:\(String(number, radix: 16))::1")
            let group = AddressGroup(try #require(address))
            let bytes = [UInt8(number >> 8), UInt8(number & 0xFF)]
            let answer = meter.take(by: PeerID(multihash: [0, 2] + bytes), of: group, at: .start)
            #expect(answer != .overdrawn)
            if answer == .granted { granted += 1 }
        }
        #expect(granted == 48)
        // Whoever comes from elsewhere asks as often as if nobody else had come.
        let other = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")))
        let answers = (0..<4).map { _ in meter.take(by: peers[0], of: other, at: .start) }
        #expect(answers == [.granted, .granted, .granted, .overdrawn])
    }
}
