import Texts

/// A time on a wall clock, in milliseconds since 1970, UTC.
///
/// An author's clock may be wrong or manipulated; nothing that moves money depends on it.
package struct Timestamp: Hashable, Sendable {
    package let milliseconds: UInt64

    package init(milliseconds: UInt64) {
        self.milliseconds = milliseconds
    }

    /// Returns the time `duration` later, or the maximum.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, isOver) = milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        return Timestamp(milliseconds: isOver ? .max : sum)
    }

    /// Returns the time from `other` to this; zero if this is earlier.
    package func elapsed(since other: Timestamp) -> Duration {
        guard self > other else { return .zero }
        return .milliseconds(Int64(clamping: milliseconds - other.milliseconds))
    }
}

extension Timestamp: Comparable {
    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Duration {
    package static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }

    /// Whole seconds, rounded down; 0 for a negative duration.
    package var wholeSeconds: UInt64 { UInt64(clamping: components.seconds) }

    /// See ``NumberWords/duration(seconds:)``.
    package var inWords: String { NumberWords.duration(seconds: wholeSeconds) }

    /// Whole milliseconds, rounded down; 0 for a negative duration.
    package var wholeMilliseconds: UInt64 {
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let (product, isOver) = wholeSeconds.multipliedReportingOverflow(by: 1_000)
        guard !isOver, components.attoseconds >= 0 else { return isOver ? .max : 0 }
        let rest = UInt64(components.attoseconds / attosecondsPerMillisecond)
        let (sum, isSumOver) = product.addingReportingOverflow(rest)
        return isSumOver ? .max : sum
    }
}
