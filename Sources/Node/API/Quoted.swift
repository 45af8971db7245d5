extension StringProtocol {
    /// The most characters of a stranger's text that a message repeats.
    private static var shownMax: Int { 90 }

    /// The text as a message repeats it: between quotation marks, short, on one line, and without
    /// characters that do something to the screen they are shown on.
    package var quoted: String {
        let scalars = prefix(Self.shownMax).unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: Character("\u{FFFD}")
            default: Character(scalar)
            }
        }
        let isCut = dropFirst(Self.shownMax).first != nil
        return "'\(String(scalars))\(isCut ? "…" : "")'"
    }
}
