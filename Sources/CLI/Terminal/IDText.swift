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

    /// Whether a text is the whole id of a sale, which fixes its price and terms.
    static func isWholeSale(_ text: String) -> Bool {
        text.lowercased().hasPrefix("0x") && text.count == 66
            && text.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// Whether a text is the whole id of a listing, which no other one can have.
    static func isWholeListing(_ text: String) -> Bool {
        let parts = text.lowercased().split(separator: ".", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("0x"), parts[0].count == 42 else { return false }
        let digits = parts[1].hasPrefix("0x") ? parts[1].dropFirst(2) : parts[1]
        return digits.count == 64 && (parts[0].dropFirst(2) + digits).allSatisfy(\.isHexDigit)
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
