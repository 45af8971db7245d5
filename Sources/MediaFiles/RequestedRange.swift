/// The part of a file that a request asks for.
///
/// Source: RFC 9110, sections 14.1.2 and 14.2.
enum RequestedRange: Equatable, Sendable {
    /// No part, several parts, or an invalid range: the whole file is sent.
    case whole
    case part(Range<Int>)
    /// Nothing of the file is in it.
    case outside

    /// - Parameters:
    ///   - header: The value of `Range`.
    ///   - count: The size of the file, in bytes; not zero.
    init(_ header: String?, of count: Int) {
        self = .whole
        guard let header else { return }
        let halves = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else { return }
        let ends = halves[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1])
        else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let suffix?):
            self = suffix == 0 ? .outside : .part(max(0, count - suffix)..<count)
        case (let first?, nil): self = first < count ? .part(first..<count) : .outside
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < count ? .part(first..<min(last, count - 1) + 1) : .outside
        }
    }

    /// Returns a number; inside `nil` if the text is empty, and `nil` if it is something else.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
