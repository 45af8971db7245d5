import Client

extension Page {
    /// Lines that say how many there are and how to see the next page; empty on the last page.
    var more: String {
        guard let next else { return "" }
        // A count leaves out what matches only some of the words.
        let all = total.flatMap { $0 < items.count ? nil : $0 }.map {
            "\nFound: \(Self.text($0, isLowerBound: totalIsLowerBound ?? false))"
        }
        return (all ?? "") + "\nMore: --after \(next)"
    }

    /// Formats a count, such as `1,234`, or `10,000+` if there can be more.
    private static func text(_ count: Int, isLowerBound: Bool) -> String {
        var digits = String(count)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return digits + (isLowerBound ? "+" : "")
    }
}
