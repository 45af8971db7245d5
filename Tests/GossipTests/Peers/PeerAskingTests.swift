import Gossip
import GossipProtocol
import Market
import Testing

struct PeerAskingTests {
    private func peer(_ number: UInt8) -> PeerID { PeerID(multihash: [0, 1, number]) }

    @Test(arguments: 1...60)
    func `asks a peer with an unsteady link only as often as it allows`(life: Int) {
        let settings = GossipSettings()
        var asking = PeerAsking(beat: settings.heartbeat)
        var meter = PeerMeter(
            burst: settings.peerQuestionsBurst,
            every: settings.heartbeat * settings.peerQuestionBeats
        )
        var count = 0
        // The link ends after `life` seconds, and is back a second later.
        for second in 0..<7_200 where second % (life + 1) != life {
            let now = Moment.start + .seconds(second)
            guard asking.take(peer(1), at: now) else { continue }
            count += 1
            #expect(meter.take(by: peer(1), of: nil, at: now) == .granted)
        }
        #expect(count >= 60)
    }

    @Test func `asks a peer ever less often, and afresh after a long time`() {
        var asking = PeerAsking(beat: .seconds(1))
        func asked(in seconds: Range<Int>) -> [Int] {
            seconds.filter { asking.take(peer(1), at: .start + .seconds($0)) }
        }
        #expect(asked(in: 0..<200) == [0, 2, 6, 14, 30, 62, 126, 190])
        #expect(asked(in: 5_000..<5_008) == [5_000, 5_002, 5_006])
    }

    @Test func `a full table forgets the peer that was asked longest ago`() {
        var asking = PeerAsking(beat: .seconds(10), countMax: 2)
        for number in 1...3 as ClosedRange<UInt8> {
            let isAsked = asking.take(peer(number), at: .start + .seconds(Int(number)))
            #expect(isAsked)
        }
        #expect(asking.count == 2)
        let isAskedAgain = [3, 2].map { asking.take(peer($0), at: .start + .seconds(4)) }
        #expect(isAskedAgain == [false, false])
    }
}
