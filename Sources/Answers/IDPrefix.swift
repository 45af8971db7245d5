package import Keys

/// The first digits of a 32-byte id, as a person types them instead of all 64.
package struct IDPrefix: Hashable, Sendable {
    /// With fewer digits, a word such as `add` would be one.
    package static let digitsMin = 4

    /// The lowest and the highest id that begin with it.
    package let first: Bytes32
    package let last: Bytes32

    /// Reads 4 to 64 hexadecimal digits, with or without `0x`, and an optional `…` at the end.
    ///
    /// Returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        var digits = text.lowercased()[...]
        if digits.hasSuffix("…") { digits = digits.dropLast() }
        if digits.hasPrefix("0x") { digits = digits.dropFirst(2) }
        let places = 2 * Bytes32.byteCount
        guard (Self.digitsMin...places).contains(digits.count) else { return nil }
        func filled(_ digit: String) -> Bytes32? {
            Bytes32(hex: digits + String(repeating: digit, count: places - digits.count))
        }
        guard let first = filled("0"), let last = filled("f") else { return nil }
        (self.first, self.last) = (first, last)
    }

    package func matches(_ id: Bytes32) -> Bool { first <= id && id <= last }
}
