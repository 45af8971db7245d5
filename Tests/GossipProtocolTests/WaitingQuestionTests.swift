import GossipProtocol
import Market
import Testing

/// The rate of questions that wait for their answer.
struct WaitingQuestionTests {
    private let peers = (0..<200 as Range<UInt8>).map { PeerID(multihash: [0, 1, $0]) }
    private var meter = PeerMeter(burst: 10, every: .milliseconds(500))

    @Test mutating func `a peer asks a few questions at once, then a few each second`() {
        #expect(taken(of: nil, at: .start, by: peers[0]) == 10)
        #expect(taken(of: nil, at: .start + .seconds(3), by: peers[0]) == 6)
        #expect(taken(of: nil, at: .start + .seconds(3), by: peers[1]) == 10)
    }

    /// - From peers: endless questions for records under many keys from one address → they share
    ///   one
    ///   allowance
    @Test mutating func `fresh keys of one address share its questions`() {
        let group = IPAddress(ip4: "9.9.9.9").map(AddressGroup.init)
        #expect(peers.map { taken(of: group, at: .start, by: $0) }.reduce(0, +) == 40)
        let later = Moment.start + .seconds(1)
        #expect(peers.map { taken(of: group, at: later, by: $0) }.reduce(0, +) == 8)
    }

    /// - From peers: requests for records that are not here, under many keys from one address →
    ///   they share
    ///   four times the allowance of one
    @Test mutating func `fresh keys of one address share its requests for missing records`() {
        var unheld = PeerMeter(burst: 1_024, every: .milliseconds(250))
        let group = IPAddress(ip4: "9.9.9.9").map(AddressGroup.init)
        var granted = 0
        for peer in peers {
            while unheld.take(256, by: peer, of: group, at: .start) == .granted { granted += 1 }
        }
        #expect(granted == 16)
        // A key that keeps to its own allowance is not at fault for the others.
        let last = PeerID(multihash: [0, 1, 250])
        #expect(unheld.take(256, by: last, of: group, at: .start) == .crowdedOut)
        #expect(unheld.take(1_000, by: last, of: group, at: .start) == .overdrawn)
    }

    private mutating func taken(
        of group: AddressGroup?,
        at now: Moment,
        by peer: PeerID
    ) -> Int {
        var count = 0
        while count < 100, meter.takeWhole(by: peer, of: group, at: now) { count += 1 }
        return count
    }
}
