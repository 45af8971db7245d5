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
