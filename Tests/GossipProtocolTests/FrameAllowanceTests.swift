import GossipProtocol
import Testing

struct FrameAllowanceTests {
    private static func allowance() -> FrameAllowance {
        var limits = LinkLimits()
        limits.piecesBurst = 80
        limits.piecesPerSecond = 10
        limits.bytesOfOnePiece = 100
        return FrameAllowance(limits: limits)
    }

    private static func at(_ seconds: Int) -> Moment { .start + .seconds(seconds) }

    @Test func `reads a burst, then only at the refill rate`() {
        var allowance = Self.allowance()
        allowance.take(80, at: Self.at(0))
        #expect(allowance.pause == nil)
        allowance.take(1, at: Self.at(0))
        // Eleven pieces are missing until an eighth of the burst is there.
        #expect(allowance.pause == .seconds(1.1))
        allowance.take(0, at: Self.at(1))
        #expect(allowance.pause == nil)
        allowance.take(1_000, at: Self.at(3_600))
        #expect(allowance.pause == .seconds(93))
    }

    @Test func `useful data refunds its cost, up to the burst`() {
        var allowance = Self.allowance()
        for _ in 0..<1_000 {
            allowance.take(2, at: Self.at(0))
            allowance.giveBack(bytes: 200)
        }
        #expect(allowance.pause == nil)
        allowance.giveBack(bytes: 1 << 20)
        allowance.take(81, at: Self.at(0))
        #expect(allowance.pause != nil)
    }
}
