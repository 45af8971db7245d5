/// Makes texts that strangers wrote fit to be shown.
enum ShownText {
    /// The text without characters that do something to a screen; line breaks stay.
    ///
    /// Those are colours, the cursor, the bell, the direction of writing.
    ///
    /// Source: ECMA-48, section 8.3; Unicode Standard Annex 9, section 2.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { safe.append(isHarmful(scalar) ? "\u{FFFD}" : scalar) }
        return String(safe)
    }

    /// The text on one line.
    static func line(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: " ")
    }

    /// The text with each further line set in, so that none passes for one of the program's own.
    static func setIn(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\n    ")
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n": false
        case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: scalar.properties.generalCategory == .control
        }
    }
}
