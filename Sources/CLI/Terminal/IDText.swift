/// Ids as people read and type them: a beginning that the node completes.
enum IDText {
    private static let digits = 8

    /// The first digits of an id; of a listing those of its own part, behind its author.
    ///
    /// The node refuses a beginning that several ids have, so that what is shown is safe to type.
    static func short(_ id: String) -> String {
        let part = id.split(separator: ".").last.map(String.init) ?? id
        let isHex = part.hasPrefix("0x")
        let digits = isHex ? part.dropFirst(2) : part[...]
        guard digits.count > Self.digits else { return id }
        return String(digits.prefix(Self.digits))
    }

    /// An id in a table: short on a screen, whole for a program.
    static func cell(_ id: String, on screen: Screen = .output) -> String {
        screen.columns == nil ? id : short(id)
    }

    /// An address between other words, such as `0x12ab…9f3c`.
    static func address(_ address: String) -> String {
        guard address.count > 14 else { return address }
        return "\(address.prefix(6))…\(address.suffix(4))"
    }
}
