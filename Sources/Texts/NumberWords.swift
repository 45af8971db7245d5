/// Writes numbers as people read them.
package enum NumberWords {
    /// Formats basis points as a percentage without trailing zeros: "40 %", "2.5 %", "33.33 %".
    package static func percent(_ basisPoints: UInt64) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return "\(whole) %" }
        let digits = (rest < 10 ? "0" : "") + "\(rest)"
        return "\(whole).\(digits.hasSuffix("0") ? String(digits.dropLast()) : digits) %"
    }

    /// Formats a duration in the largest unit that divides it: "3 days", "one day", "36 hours",
    /// "10 minutes".
    package static func duration(seconds: UInt64) -> String {
        SentencePatterns.english.duration(seconds: seconds)
    }
}
