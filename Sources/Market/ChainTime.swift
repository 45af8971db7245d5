/// A time on a chain's clock, in seconds since 1970; deadlines are measured with it.
package struct ChainTime: Hashable, Sendable {
    package let seconds: UInt64

    package init(seconds: UInt64) {
        self.seconds = seconds
    }

    /// Returns the time `duration` later, or the maximum.
    package func advanced(by duration: Duration) -> ChainTime {
        let (sum, isOver) = seconds.addingReportingOverflow(duration.wholeSeconds)
        return ChainTime(seconds: isOver ? .max : sum)
    }

    package func elapsed(since other: ChainTime) -> Duration {
        guard self > other else { return .zero }
        return .seconds(Int64(clamping: seconds - other.seconds))
    }
}

extension ChainTime: Comparable {
    package static func < (left: ChainTime, right: ChainTime) -> Bool {
        left.seconds < right.seconds
    }
}
