import Market
import Support
import Testing

extension NumberRanges {
    static func of(_ numbers: [UInt64]) -> NumberRanges {
        var ranges = NumberRanges()
        for number in numbers { ranges.insert(number) }
        return ranges
    }
}

struct NumberRangesTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `ranges hold the same numbers as a set, in any order`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var numbers: Set<UInt64> = []
        var ranges = NumberRanges()
        for _ in 0..<200 {
            let number = UInt64.random(in: 1...90, using: &random)
            numbers.insert(number)
            ranges.insert(number)
            let held = ranges.ranges.flatMap { Array($0) }
            #expect(held == numbers.sorted(), "seed \(seed)")
            #expect(NumberRanges(ranges.ranges) == ranges, "seed \(seed)")
        }
    }

    @Test func `consecutive numbers form one range, and gaps cost a bounded amount`() {
        #expect(NumberRanges.of(Array(1...12_000)).ranges == [1...12_000])
        let odd = NumberRanges.of((0..<1_000).map { 2 * $0 + 1 })
        #expect(odd.ranges.count == NumberRanges.rangesMax)
        #expect(odd.contains(1_999) && !odd.contains(1))
        #expect(NumberRanges.of([.max, .max - 1]).ranges == [UInt64.max - 1...UInt64.max])
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `ranges agree with sets on additions and removals`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        func numbers() -> Set<UInt64> {
            Set((0..<40).map { _ in UInt64.random(in: 1...90, using: &random) })
        }
        for _ in 0..<200 {
            let (one, other) = (numbers(), numbers())
            let last = UInt64.random(in: 0...100, using: &random)
            var ranges = NumberRanges.of(Array(one))
            let left = ranges.subtracting(.of(Array(other)), through: last)
            let expected = one.subtracting(other).filter { $0 <= last }
            #expect(left.flatMap { Array($0) } == expected.sorted(), "seed \(seed)")
            let others = NumberRanges.of(Array(other))
            let common = others.parts(of: ranges.ranges).flatMap { Array($0) }
            #expect(common == one.intersection(other).sorted(), "seed \(seed)")
            #expect(ranges.isSubset(of: others) == one.isSubset(of: other), "seed \(seed)")
            let union = ranges.union(others)
            #expect(union == .of(Array(one.union(other))), "seed \(seed)")
            #expect(ranges.isSubset(of: union), "seed \(seed)")
            var rest = union
            rest.remove(others.ranges)
            #expect(rest == .of(Array(one.subtracting(other))), "seed \(seed)")
            ranges.cover(others.ranges)
            #expect(ranges == .of(Array(one.union(other))), "seed \(seed)")
        }
    }

    @Test func `covered numbers stay covered, even beyond the limit of ranges`() {
        var ranges = NumberRanges.of([1, 3])
        ranges.cover((2..<66).map { 2 * $0 + 1...2 * $0 + 1 })
        #expect(ranges.ranges.count == NumberRanges.rangesMax)
        #expect(ranges.ranges.first == 1...5)
        ranges.cover([.max - 1 ... .max])
        ranges.cover([1...UInt64.max])
        #expect(ranges.ranges == [1...UInt64.max])
    }

    @Test func `a union of too many ranges drops the lowest ones`() {
        let even = NumberRanges.of((1...64).map { 4 * $0 })
        let odd = NumberRanges.of((1...64).map { 4 * $0 + 2 })
        let union = even.union(odd)
        #expect(union.ranges.count == NumberRanges.rangesMax)
        #expect(union.contains(258) && union.contains(132) && !union.contains(130))
    }

    @Test(arguments: [[3...4, 1...1], [1...2, 3...4], [0...1], [1...5, 5...6]])
    func `refuses ranges that are unsorted, touch or begin with 0`(
        ranges: [ClosedRange<UInt64>]
    ) {
        #expect(NumberRanges(ranges) == nil)
    }
}
