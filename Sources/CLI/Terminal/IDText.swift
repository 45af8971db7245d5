/// Shortens ids and addresses for people; the node completes a shortened id.
enum IDText {
    private static let digits = 8

    /// Returns the first digits of an id; for a listing, of the part after its author's address.
    ///
    /// Safe to type: the node refuses a prefix that several ids share.
    static func short(_ id: String) -> String {
        let part = id.split(separator: ".").last.map(String.init) ?? id
        let isHex = part.hasPrefix("0x")
        let digits = isHex ? part.dropFirst(2) : part[...]
        guard digits.count > Self.digits else { return id }
        return String(digits.prefix(Self.digits))
    }

    /// Whether a text is the first digits of an id, or of the part after a listing's author, which
    /// another one can have too.
    static func isShortened(_ text: String) -> Bool {
        let parts = text.lowercased().split(separator: ".", maxSplits: 1)
        guard var digits = parts.last else { return false }
        if digits.hasPrefix("0x") { digits = digits.dropFirst(2) }
        if digits.hasSuffix("…") { digits = digits.dropLast() }
        guard (4...64).contains(digits.count), digits.allSatisfy(\.isHexDigit) else { return false }
        return parts.count < 2 || digits.count < 64 || parts[0].count < 42
    }

    /// Formats an id for a table: short on a screen, complete for a program.
    static func cell(_ id: String, on screen: Screen = .output) -> String {
        screen.columns == nil ? id : short(id)
    }

    /// Shortens an address within a text, such as `0x12ab…9f3c`.
    static func address(_ address: String) -> String {
        guard address.count > 14 else { return address }
        return "\(address.prefix(6))…\(address.suffix(4))"
    }
}
