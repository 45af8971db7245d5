import Client
import Foundation
import Setup

/// Makes text from other people safe to show on a terminal.
enum DisplayText {
    /// Replaces each character that could affect the terminal by U+FFFD; line breaks stay.
    ///
    /// These are control characters (colours, cursor, bell), marks of the direction of writing and
    /// invisible characters. The two joiners stay, because emoji and some scripts need them. The
    /// empty pattern of braille becomes a blank, which it looks like.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isHarmful($0) || $0 == brailleBlank }) else {
            return text
        }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(isHarmful(scalar) ? "\u{FFFD}" : scalar == brailleBlank ? " " : scalar)
        }
        return String(safe)
    }

    private static let brailleBlank: Unicode.Scalar = "\u{2800}"

    /// Replaces line breaks by spaces.
    static func line(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: " ")
    }

    /// Replaces line breaks by spaces, and several blanks by one: with more, a title could draw the
    /// columns of a table.
    static func cell(_ text: String) -> String {
        var line = ""
        for character in text {
            let isBlank = character.isWhitespace
            if isBlank, line.last?.isWhitespace == true { continue }
            line.append(isBlank ? " " : character)
        }
        return line
    }

    /// Indents every line after the first, so that none looks like output of the program itself.
    static func setIn(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\n    ")
    }

    /// Encodes a value as JSON that is safe to show on a terminal.
    ///
    /// The characters that ``safe(_:)`` replaces, and the joiners, are written as `\u` and
    /// four digits: a parser reads the same value.
    ///
    /// Source: RFC 8259, section 7.
    static func json(_ value: some Encodable) throws -> String {
        let text = String(decoding: try WireCoding.encoder().encode(value), as: UTF8.self)
        guard text.unicodeScalars.contains(where: \.isUnsafeToShow) else { return text }
        // Such characters occur in strings only: elsewhere the encoder writes printable ASCII.
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
