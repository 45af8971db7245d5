import Foundation
import Market

/// Writes numbers for the command line, in the words that the node's own sentences have.
package enum PlainNumbers {
    /// Formats basis points, such as `40 %` or `2.5 %`.
    package static func percent(_ basisPoints: UInt64) -> String {
        NumberWords.percent(basisPoints)
    }

    /// Formats a duration, such as `3 days` or `one hour`.
    package static func duration(seconds: UInt64) -> String {
        NumberWords.duration(.seconds(Int64(clamping: seconds)))
    }
}

extension Date {
    /// The time in UTC as the command line shows it, such as `2027-01-31 18:00:00Z`.
    var inWords: String {
        formatted(
            ISO8601FormatStyle(dateTimeSeparator: .space, includingFractionalSeconds: false)
        )
    }
}
