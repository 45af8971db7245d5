import Ethereum
import Keys
import Testing

struct DeliveredHeadsTests {
    private let one = EndpointName("http://a")
    private let other = EndpointName("http://b")

    private func heads() -> DeliveredHeads { DeliveredHeads(max: 3, openMax: 4) }

    /// A block of the chain; another one with another byte.
    private func block(_ number: UInt64, _ byte: UInt8 = 1) -> BlockID {
        BlockID(number: number, hash: Bytes32(repeating: byte))
    }

    private func compare(_ heads: inout DeliveredHeads, upTo number: UInt64) -> [EndpointName] {
        heads.compare(upTo: block(number)) { block($0) }
    }

    @Test func `blocks that others do not have count once their height is confirmed`() {
        var heads = heads()
        for number in 1...3 as ClosedRange<UInt64> {
            heads.delivered(block(number, 2), by: one)
            heads.delivered(block(number), by: other)
            #expect(compare(&heads, upTo: number - 1).isEmpty)
        }
        #expect(compare(&heads, upTo: 3) == [one])
        // Its count begins again.
        heads.delivered(block(4, 2), by: one)
        #expect(compare(&heads, upTo: 4).isEmpty)
    }

    @Test func `each block that others have takes one back`() {
        var heads = heads()
        for number in 1...40 as ClosedRange<UInt64> {
            heads.delivered(block(number, number % 2 == 0 ? 2 : 1), by: one)
            #expect(compare(&heads, upTo: number).isEmpty)
        }
        // Others than these do not make good for more.
        for number in 41...43 as ClosedRange<UInt64> {
            heads.delivered(block(number, 2), by: one)
            #expect(compare(&heads, upTo: number) == (number == 42 ? [one] : []))
        }
    }

    @Test func `blocks that their endpoint replaces count at once, and once`() {
        var heads = heads()
        for _ in 0..<2 {
            heads.delivered(block(5, 2), by: one)
            _ = compare(&heads, upTo: 4)
            heads.replaced(above: block(4), by: one)
        }
        #expect(compare(&heads, upTo: 9).isEmpty)
        heads.delivered(block(10, 2), by: one)
        heads.replaced(above: nil, by: one)
        #expect(compare(&heads, upTo: 9) == [one])
    }

    @Test func `the lowest blocks are kept, and blocks of unknown heights say nothing`() {
        var heads = heads()
        for number in [90, 91, 92, 93, 5, 6] as [UInt64] {
            heads.delivered(block(number, 2), by: one)
            _ = compare(&heads, upTo: 1)
        }
        #expect(heads.compare(upTo: block(6)) { _ in nil }.isEmpty)
        heads.delivered(block(7, 2), by: one)
        #expect(compare(&heads, upTo: 8).isEmpty)
        #expect(compare(&heads, upTo: 95) == [one])
    }
}
