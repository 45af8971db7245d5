import Gossip
import Market
import Testing

struct MailMeterTests {
    private func peer(_ number: Int) -> PeerID {
        PeerID(multihash: [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func moment(_ seconds: Double) -> Moment {
        Moment(sinceStart: .seconds(seconds))
    }

    @Test func `a peer asks in bursts, then as fast as its bucket fills`() {
        var limits = MailLimits()
        limits.burstMax = 3
        limits.questionsPerSecond = 2
        var meter = MailMeter(limits: limits)
        let first = (0..<5).map { _ in meter.admit(peer(1), at: .start) }
        let other = meter.admit(peer(2), at: .start)
        let later = (0..<5).map { _ in meter.admit(peer(1), at: moment(1)) }

        #expect(first == [true, true, true, false, false])
        #expect(other)
        #expect(later == [true, true, false, false, false])
    }

    @Test func `peers beyond the table share one bucket, and full buckets make room`() {
        var limits = MailLimits()
        limits.burstMax = 2
        limits.questionsPerSecond = 1
        limits.meteredPeersMax = 10
        var meter = MailMeter(limits: limits)
        let table = (0..<10).map { meter.admit(peer($0), at: .start) }
        let crowd = (10..<20).map { meter.admit(peer($0), at: .start) }

        let peersThen = meter.peerCount
        let late = meter.admit(peer(30), at: moment(5))

        #expect(table.allSatisfy { $0 } && crowd.filter { $0 }.count == 2)
        #expect(peersThen == 10)
        #expect(late && meter.peerCount == 1)
    }
}
