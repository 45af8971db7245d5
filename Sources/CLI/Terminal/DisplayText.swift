import Client
import Foundation
import Node

/// Makes texts that strangers wrote fit to be shown.
enum DisplayText {
    /// The text without characters that do something to a screen; line breaks stay.
    ///
    /// Those are colours, the cursor, the bell, the direction of writing, and what is not seen. Of
    /// the latter the two joiners stay, which emoji and some scripts are written with.
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

    /// A value as JSON that does nothing to a screen: what ``safe(_:)`` replaces, and the joiners,
    /// are written as `\uXXXX`, so that a parser reads the same value.
    ///
    /// Source: RFC 8259, section 7.
    static func json(_ value: some Encodable) throws -> String {
        let text = String(decoding: try WireCoding.encoder().encode(value), as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.isUnsafeToShow) else { return text }
        // Outside of strings JSON is ASCII, and there the encoder writes no control characters.
        var escaped = ""
        for scalar in text.unicodeScalars {
            guard scalar.isUnsafeToShow else {
                escaped.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return escaped
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n", "\u{200C}", "\u{200D}": false
        default: scalar.isUnsafeToShow
        }
    }
}
