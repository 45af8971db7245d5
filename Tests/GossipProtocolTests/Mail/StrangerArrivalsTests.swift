import GossipProtocol
import Keys
import Market
import Support
import Testing

struct StrangerArrivalsTests {
    private let ana = MailSamples.ana.address
    private let now = MailSamples.now

    private func origin(_ number: Int) -> Bytes32 { Keccak256.hash("origin \(number)".utf8) }

    @Test func `counts a deposit for an hour even after it was collected`() {
        var arrivals = StrangerArrivals()
        for _ in 0..<16 { arrivals.note(2_500, for: ana, from: origin(1), at: now) }
        #expect(arrivals.percents(of: ana, from: origin(1), at: now) == (6, 50))
        #expect(arrivals.percents(of: ana, from: origin(2), at: now) == (6, 0))
        let later = now.advanced(by: .seconds(900))
        #expect(arrivals.percents(of: ana, from: origin(1), at: later) == (0, 25))
        let end = now.advanced(by: .seconds(1_800))
        #expect(arrivals.percents(of: ana, from: origin(1), at: end) == (0, 0))
    }

    @Test func `weighs an envelope by its size and refuses none for its size`() {
        var arrivals = StrangerArrivals()
        for number in 0..<32 { arrivals.note(67_000, for: ana, from: origin(number), at: now) }
        #expect(arrivals.percents(of: ana, from: origin(0), at: now) == (99, 28))
        #expect(arrivals.percents(of: MailSamples.bo.address, from: origin(0), at: now) == (0, 0))
    }

    @Test func `a clock that goes back changes no count`() {
        var arrivals = StrangerArrivals()
        for _ in 0..<16 { arrivals.note(100, for: ana, from: origin(1), at: now) }
        let before = Timestamp(milliseconds: now.milliseconds - 1_000_000)
        #expect(arrivals.percents(of: ana, from: origin(1), at: before) == (6, 50))
    }

    @Test func `remembers the origins with the most deposits`() {
        var arrivals = StrangerArrivals()
        for _ in 0..<10 { arrivals.note(100, for: ana, from: origin(0), at: now) }
        for number in 1...25_000 { arrivals.note(100, for: ana, from: origin(number), at: now) }
        #expect(arrivals.percents(of: ana, from: origin(0), at: now) == (99, 31))
    }
}
