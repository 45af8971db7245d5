import GossipProtocol
import Market
import Support
import Testing

struct BlobHoldersTests {
    private static func peer(_ number: Int) -> PeerID {
        PeerID(multihash: [0, 2, UInt8(number >> 8), UInt8(number & 255)])
    }

    /// Peers of these numbers, each in a subnet of its own unless one is stated.
    private static func holders(
        _ numbers: Range<Int>,
        subnet: UInt64? = nil,
        isSlow: Bool = false
    ) -> [BlobHolders.Candidate] {
        numbers.map { number in
            let place = subnet ?? UInt64(number) << 8
            return BlobHolders.Candidate(
                peer: peer(number),
                subnet: RecordOrigin(place: place, kind: 4),
                isSlow: isSlow
            )
        }
    }

    private static func at(_ milliseconds: Int) -> Moment { .start + .milliseconds(milliseconds) }

    @Test func `asks a few peers at a time, and more if too little arrives`() {
        let limits = BlobExchangeLimits()
        var holders = BlobHolders(Self.holders(0..<30), limits: limits, at: .start)
        let first = holders.fill(at: .start)
        #expect(first == (0..<4).map(Self.peer))
        holders.received(limits.bytesPerSecondMin / 2, from: first[0], isNew: true)
        let enough = holders.intervalPassed(at: Self.at(500))
        #expect(enough.ask.isEmpty && enough.leave.isEmpty)
        // What has come already counts for nothing.
        holders.received(limits.bytesPerSecondMin, from: first[0], isNew: false)
        #expect(holders.intervalPassed(at: Self.at(1_000)).ask.count == 4)
        holders.received(limits.bytesPerSecondMin / 2 - 1, from: first[0], isNew: true)
        #expect(holders.intervalPassed(at: Self.at(1_500)).ask.count == 8)
        #expect(holders.askedCount == limits.peersAtOnceIfSlowMax)
    }

    @Test(arguments: [24, 40, 63])
    func `abandons any number of slow peers until it reaches an honest one`(slow: Int) {
        let limits = BlobExchangeLimits()
        var holders = BlobHolders(Self.holders(0..<slow + 1), limits: limits, at: .start)
        let honest = Self.peer(slow)
        var asked = Set(holders.fill(at: .start))
        var milliseconds = 0
        while !asked.contains(honest), milliseconds < 60_000 {
            milliseconds += 500
            // Each brings a little less than its part.
            for peer in asked { holders.received(8_000, from: peer, isNew: true) }
            let (leave, ask) = holders.intervalPassed(at: Self.at(milliseconds))
            for peer in leave {
                holders.ended(peer)
                asked.remove(peer)
            }
            asked.formUnion(ask + holders.fill(at: Self.at(milliseconds)))
            #expect(asked.count <= limits.peersAtOnceIfSlowMax)
        }
        print("\(slow) slow peers: the honest one is asked after \(milliseconds) ms")
        #expect(milliseconds <= 1_500 + 500 * (slow - 16) / limits.peersLeftAtOnceMax)
    }

    @Test func `abandons no peer that delivers enough or is the only one left`() {
        let limits = BlobExchangeLimits()
        var holders = BlobHolders(Self.holders(0..<16), limits: limits, at: .start)
        _ = holders.fill(at: .start)
        for milliseconds in stride(from: 500, through: 10_000, by: 500) {
            #expect(holders.intervalPassed(at: Self.at(milliseconds)).leave.isEmpty)
        }
        var others = BlobHolders(Self.holders(0..<20), limits: limits, at: .start)
        var asked = others.fill(at: .start)
        for milliseconds in stride(from: 500, through: 5_000, by: 500) {
            // One of them brings nearly all.
            others.received(100_000, from: asked[0], isNew: true)
            let (leave, ask) = others.intervalPassed(at: Self.at(milliseconds))
            #expect(!leave.contains(asked[0]))
            for peer in leave { others.ended(peer) }
            asked += ask
        }
        #expect(asked.count == 20)
        #expect(others.mayRepeat(asked[1], at: Self.at(5_000)) == false)
    }

    @Test func `reserves one place for a peer of another subnet`() {
        let crowd = Self.holders(0..<20, subnet: 7 << 8)
        let limits = BlobExchangeLimits()
        var holders = BlobHolders(crowd + Self.holders(99..<100), limits: limits, at: .start)
        #expect(holders.fill(at: .start) == [0, 1, 2, 99].map(Self.peer))
        // If there is no other, all places are for the one.
        var alone = BlobHolders(crowd, limits: limits, at: .start)
        #expect(alone.fill(at: .start) == (0..<4).map(Self.peer))
    }

    @Test func `asks many of the slow peers at once, after the others`() {
        let limits = BlobExchangeLimits()
        let all = Self.holders(0..<2) + Self.holders(10..<40, isSlow: true)
        var holders = BlobHolders(all, limits: limits, at: .start)
        #expect(holders.fill(at: .start).count == limits.peersAtOnceIfSlowMax)
        for number in 0..<2 { holders.ended(Self.peer(number)) }
        #expect(holders.fill(at: .start).count == 2)
        #expect(!holders.isExhausted)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `asks every peer once and never more than the limit`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limits = BlobExchangeLimits()
        let count = Int.random(in: 1...64, using: &random)
        var holders = BlobHolders(Self.holders(0..<count), limits: limits, at: .start)
        var asked: [PeerID] = []
        var now = 0
        while !holders.isExhausted, now < 1_000_000 {
            now += 500
            asked += holders.fill(at: Self.at(now))
            if let peer = asked.randomElement(using: &random) {
                holders.received(
                    Int.random(in: 0...200_000, using: &random),
                    from: peer,
                    isNew: true
                )
            }
            let (leave, ask) = holders.intervalPassed(at: Self.at(now))
            for peer in leave { holders.ended(peer) }
            asked += ask
            #expect(holders.askedCount <= limits.peersAtOnceIfSlowMax)
            if let peer = asked.randomElement(using: &random) { holders.ended(peer) }
        }
        #expect(asked.count == count && Set(asked).count == count)
    }
}
