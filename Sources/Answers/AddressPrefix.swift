package import Keys

/// A shortened address: its first digits, or its first and last digits as tables show it.
package struct AddressPrefix: Hashable, Sendable {
    /// The lowest and the highest address that begin with it.
    package let first: Address
    package let last: Address
    private let end: String

    /// Reads `0x` and 4 to 40 hexadecimal digits, such as `0x12ab`, with an optional `…` and the
    /// last digits after it, such as `0x12ab…9f3c`.
    ///
    /// Returns `nil` for any other text.
    package init?(_ text: some StringProtocol) {
        let parts = text.lowercased().split(
            separator: "…",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let start = parts.first, start.hasPrefix("0x") else { return nil }
        let digits = start.dropFirst(2)
        let end = parts.count == 2 ? parts[1] : ""
        let places = 2 * Address.byteCount
        guard digits.count >= IDPrefix.digitsMin, digits.count + end.count <= places,
            end.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        func filled(_ digit: String) -> Address? {
            // In small letters, so without a checksum.
            try? Address(
                text: "0x" + digits + String(repeating: digit, count: places - digits.count)
            )
        }
        guard let first = filled("0"), let last = filled("f") else { return nil }
        (self.first, self.last, self.end) = (first, last, String(end))
    }

    package func matches(_ address: Address) -> Bool {
        first <= address && address <= last && address.checksummed.lowercased().hasSuffix(end)
    }
}
