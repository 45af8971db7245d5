/// An IPv4 or IPv6 address.
///
/// Source: RFC 4291, section 2.2 for reading; RFC 5952 for writing.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Takes 4 or 16 bytes; `nil` for any other number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads four decimal numbers with dots, without leading zeros.
    package init?(ip4 text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in UInt8(part).flatMap { "\($0)" == part ? $0 : nil } }
        guard parts.count == 4, bytes.count == 4 else { return nil }
        self.bytes = bytes
    }

    /// Reads groups of hexadecimal digits with colons; `::` may stand once for a run of zeros.
    package init?(ip6 text: some StringProtocol) {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, !text.contains(":::"), let front = Self.groups(halves[0]),
            let back = halves.count == 2 ? Self.groups(halves[1]) : []
        else { return nil }
        let zeros = 16 - front.count - back.count
        guard halves.count == 2 ? zeros >= 2 : zeros == 0 else { return nil }
        bytes = front + Array(repeating: 0, count: zeros) + back
    }

    package var isIP4: Bool { bytes.count == 4 }

    package var text: String {
        guard !isIP4 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        let digits = groups.map { String($0, radix: 16) }
        guard let run = Self.longestZeros(in: groups) else { return digits.joined(separator: ":") }
        return digits[..<run.lowerBound].joined(separator: ":") + "::"
            + digits[run.upperBound...].joined(separator: ":")
    }

    private static func groups(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            guard (1...4).contains(part.utf8.count), !part.hasPrefix("+"),
                let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
        }
        return bytes.count <= 16 ? bytes : nil
    }

    /// The first of the longest runs of at least two zero groups.
    private static func longestZeros(in groups: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var start = 0
        for end in 1...groups.count {
            if groups[start] == 0, end < groups.count, groups[end] == 0 { continue }
            let run = start..<end
            if groups[start] == 0, run.count >= 2, run.count > best?.count ?? 0 { best = run }
            start = end
        }
        return best
    }
}
