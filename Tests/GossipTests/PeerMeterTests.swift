import Gossip
import Market
import Testing

struct PeerMeterTests {
    private let peers = (0..<200 as Range<UInt8>).map { PeerID(multihash: [0, 1, $0]) }

    @Test func `a peer asks so often at once, and once more after each interval`() {
        var meter = PeerMeter(burst: 3, every: .seconds(10))
        let seconds = [0, 0, 0, 0, 9, 10]
        let taken = seconds.map { meter.take(by: peers[0], of: nil, at: .start + .seconds($0)) }
        #expect(taken == [true, true, true, false, false, true])
        let isOther = meter.take(by: peers[1], of: nil, at: .start)
        #expect(isOther)
    }

    @Test func `all keys of one address together ask four times as often`() throws {
        var meter = PeerMeter(burst: 3, every: .seconds(10))
        let group = AddressGroup(of: try #require(Multiaddr(text: "/ip4/9.9.9.9/tcp/1")))
        #expect(peers.filter { meter.take(by: $0, of: group, at: .start) }.count == 12)
        let later = Moment.start + .seconds(10)
        #expect(peers.filter { meter.take(by: $0, of: group, at: later) }.count == 4)
    }
}
