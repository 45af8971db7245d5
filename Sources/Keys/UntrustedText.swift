/// Texts that others wrote, made fit to be logged and shown.
///
/// Source: Unicode Standard, sections 4.5 "General Category" and 5.21 "Ignoring Characters in
/// Processing"; ECMA-48, section 8.3.
package enum UntrustedText {
    /// What an unsafe character becomes.
    package static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// The most of a text of another program, such as a chain's endpoint, that is kept.
    package static let charactersMax = 300

    /// Whether a character changes how others are shown, or is not seen itself.
    ///
    /// Those are controls (C0, DEL, C1), line and paragraph separators, marks of the direction of
    /// writing, and characters without width. Variation selectors, which choose the look of an
    /// emoji, are not among them.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default:
            scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }

    /// The text on one line, at most `charactersMax` Unicode scalars long, with each unsafe
    /// character replaced.
    package static func line(
        _ text: some StringProtocol,
        charactersMax: Int = charactersMax
    ) -> String {
        var line = String.UnicodeScalarView()
        var rest = text.unicodeScalars.makeIterator()
        for _ in 0..<charactersMax {
            guard let scalar = rest.next() else { return String(line) }
            line.append(isUnsafe(scalar) ? replacement : scalar)
        }
        return String(line) + (rest.next() == nil ? "" : "…")
    }
}
