/// A set of numbers, stored as rising ranges with gaps between them.
///
/// Its size depends on the number of gaps. If it would exceed `rangesMax`, the lowest range is
/// dropped.
package struct NumberRanges: Hashable, Sendable, Codable {
    package static let rangesMax = 64

    /// First and last numbers, both included; rising, and never adjacent.
    package private(set) var ranges: [ClosedRange<UInt64>] = []

    package init() {}

    /// Takes rising ranges that are not adjacent and do not contain 0; `nil` for others, or too
    /// many.
    package init?(_ ranges: [ClosedRange<UInt64>]) {
        guard ranges.count <= Self.rangesMax, ranges.first?.lowerBound != 0,
            zip(ranges, ranges.dropFirst()).allSatisfy({
                $0.upperBound < $1.lowerBound && $1.lowerBound - $0.upperBound > 1
            })
        else { return nil }
        self.ranges = ranges
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ number: UInt64) -> Bool { ranges.contains { $0.contains(number) } }

    /// Adds a number; the cost depends on the number of ranges.
    package mutating func insert(_ number: UInt64) {
        let index = ranges.firstIndex { $0.upperBound >= number } ?? ranges.count
        if index < ranges.count, ranges[index].contains(number) { return }
        let meetsLower = index > 0 && ranges[index - 1].upperBound + 1 == number
        let meetsUpper =
            index < ranges.count && number < .max && ranges[index].lowerBound == number + 1
        switch (meetsLower, meetsUpper) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
        case (false, true): ranges[index] = number...ranges[index].upperBound
        case (false, false): ranges.insert(number...number, at: index)
        }
        if ranges.count > Self.rangesMax { ranges.removeFirst() }
    }

    /// Returns the numbers up to `last` that `other` lacks; the cost depends on the ranges.
    package func subtracting(
        _ other: NumberRanges,
        through last: UInt64
    ) -> [ClosedRange<UInt64>] {
        Self.subtract(other.ranges, from: ranges, through: last)
    }

    private static func subtract(
        _ holes: [ClosedRange<UInt64>],
        from ranges: [ClosedRange<UInt64>],
        through last: UInt64
    ) -> [ClosedRange<UInt64>] {
        var left: [ClosedRange<UInt64>] = []
        for range in ranges where range.lowerBound <= last {
            var rest: ClosedRange<UInt64>? = range.lowerBound...min(range.upperBound, last)
            for hole in holes {
                guard let part = rest, part.overlaps(hole) else { continue }
                if part.lowerBound < hole.lowerBound {
                    left.append(part.lowerBound...hole.lowerBound - 1)
                }
                let goesOn = hole.upperBound < part.upperBound
                rest = goesOn ? hole.upperBound + 1...part.upperBound : nil
            }
            if let rest { left.append(rest) }
        }
        return left
    }

    /// Returns the parts of rising ranges that are in here; the cost depends on the ranges.
    package func parts(of other: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
        other.flatMap { range in
            ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
        }
    }

    /// Returns the numbers of both; if there would be too many ranges, the lowest are dropped.
    package func union(_ other: NumberRanges) -> NumberRanges {
        var union = NumberRanges()
        union.ranges = Array(Self.merged(ranges + other.ranges).suffix(Self.rangesMax))
        return union
    }

    package func isSubset(of other: NumberRanges) -> Bool {
        ranges.allSatisfy { range in
            other.ranges.contains {
                $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
            }
        }
    }

    /// Removes numbers; if too many ranges would be left, the gaps between the lowest are closed.
    package mutating func remove(_ removed: [ClosedRange<UInt64>]) {
        let left = Self.subtract(removed, from: ranges, through: .max)
        ranges = []
        cover(left)
    }

    /// Adds ranges; the cost depends on their number.
    ///
    /// If there would be too many, the gaps between the lowest are closed: a number that was added
    /// is never missing again.
    package mutating func cover(_ added: [ClosedRange<UInt64>]) {
        ranges = Self.merged(ranges + added)
        let excess = ranges.count - Self.rangesMax
        guard excess > 0 else { return }
        let lowest = ranges[0].lowerBound...ranges[excess].upperBound
        ranges.replaceSubrange(0...excess, with: [lowest])
    }

    /// Returns the same numbers as rising ranges with gaps between them.
    private static func merged(_ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
        var merged: [ClosedRange<UInt64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, last.upperBound >= range.lowerBound - 1 {
                let end = max(last.upperBound, range.upperBound)
                merged[merged.count - 1] = last.lowerBound...end
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
