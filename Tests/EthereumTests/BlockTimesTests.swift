import Ethereum
import Keys
import Market
import Testing

struct BlockTimesTests {
    private func block(_ number: UInt64, at time: UInt64, isProven: Bool) -> AnnouncedBlock {
        let header = BlockHeader(
            id: BlockID(number: number, hash: Bytes32(words: number, 0, 0, 1)),
            parent: .zero,
            timestamp: time
        )
        return AnnouncedBlock(
            header: header,
            bloom: isProven ? LogBloom([UInt8](repeating: 0, count: 256)) : nil
        )
    }

    private func hash(_ number: UInt64) -> Bytes32 { Bytes32(words: number, 0, 0, 1) }

    @Test func `a proven time counts before one that was told`() {
        let times = BlockTimes()
        times.note(block(1, at: 7, isProven: false).header)
        #expect(times.proven(hash(1)) == nil && times.told(hash(1)) == 7)
        let isRight = times.note([block(1, at: 12, isProven: true)])
        #expect(isRight)
        #expect(times.proven(hash(1)) == 12 && times.told(hash(1)) == 12)
        #expect(times.told(hash(2)) == nil)
    }

    @Test func `a proven time refutes another one, but not a block without proof`() {
        let times = BlockTimes()
        let isRight = times.note([
            block(1, at: 12, isProven: true), block(1, at: 12, isProven: false),
            block(2, at: 24, isProven: false),
        ])
        #expect(isRight && times.proven(hash(2)) == nil)
        let isRefuted = !times.note([block(1, at: 13, isProven: false)])
        #expect(isRefuted && times.proven(hash(1)) == 12)
    }

    @Test func `it remembers a bounded number of times`() {
        var limits = ChainLimits()
        (limits.provenTimesMax, limits.saidTimesMax) = (2, 2)
        let times = BlockTimes(limits: limits)
        for number in 1...3 as ClosedRange<UInt64> {
            times.note(block(number, at: number, isProven: false).header)
        }
        #expect((1...3).map { times.told(hash($0)) } == [nil, nil, 3])
        for number in 4...7 as ClosedRange<UInt64> {
            let isRight = times.note([block(number, at: number, isProven: true)])
            #expect(isRight)
        }
        #expect((4...7).map { times.proven(hash($0)) } == [nil, nil, nil, 7])
    }
}
