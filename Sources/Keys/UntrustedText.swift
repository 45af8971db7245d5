/// Cleans texts from other parties so that they can be logged and shown.
///
/// Source: Unicode Standard, sections 4.5 "General Category" and 5.21 "Ignoring Characters in
/// Processing"; ECMA-48, section 8.3.
package enum UntrustedText {
    /// The replacement of an unsafe character.
    package static let replacement: Unicode.Scalar = "\u{FFFD}"

    /// Characters kept of a text from another program, such as an endpoint of a chain.
    package static let charactersMax = 300

    /// Whether a character is invisible, or changes how others are shown.
    ///
    /// Those are controls (C0, DEL, C1), line and paragraph separators, marks of the writing
    /// direction, and characters without width. Variation selectors, which choose the look of an
    /// emoji, are allowed.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default:
            scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isVariationSelector
        }
    }

    /// Returns the text on one line, at most `charactersMax` Unicode scalars long, made safe.
    ///
    /// Each unsafe character is replaced; a shortened text ends with "…".
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
