/// A moment by a chain's clock, in seconds since 1970: the time that deadlines are held to.
package struct ChainTime: Hashable, Sendable {
    package let seconds: UInt64

    package init(seconds: UInt64) {
        self.seconds = seconds
    }

    /// The moment `duration` later, or the last one there is.
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
