/// The rules for text that other people read.
///
/// It is limited in UTF-8 bytes and has no characters that disguise what is shown: control
/// characters, line separators in a line, and marks that change the writing direction. The sets are
/// fixed numbers, so that different versions of Unicode do not divide the network.
///
/// Source: Docs/protocol.md, section 5.1.
package enum PlainText {
    /// Checks one line without blanks at either end; it may be empty only if `mayBeEmpty`.
    static func line(
        _ text: String,
        _ field: PayloadField,
        byteCountMax: Int,
        mayBeEmpty: Bool = false
    ) throws(RuleFault) -> String {
        try check(text, field, byteCountMax: byteCountMax, mayBeEmpty: mayBeEmpty)
        guard !text.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else {
            throw .malformed(field)
        }
        return text
    }

    /// Checks any number of lines, without blanks at either end.
    static func lines(
        _ text: String,
        _ field: PayloadField,
        byteCountMax: Int,
        mayBeEmpty: Bool = false
    ) throws(RuleFault) -> String {
        try check(text, field, byteCountMax: byteCountMax, mayBeEmpty: mayBeEmpty)
        return text
    }

    /// Checks a name: one line in which every character is visible.
    static func name(
        _ text: String,
        _ field: PayloadField,
        byteCountMax: Int
    ) throws(RuleFault) -> String {
        _ = try line(text, field, byteCountMax: byteCountMax)
        guard !text.unicodeScalars.contains(where: isInvisible) else { throw .malformed(field) }
        return text
    }

    /// Whether a character is a control character or invisible.
    package static func isNotSeen(_ scalar: Unicode.Scalar) -> Bool {
        isHidden(scalar) || isInvisible(scalar) || scalar == "\t" || scalar == "\n"
    }

    /// Whether it is one line that can be seen, without blanks at either end.
    package static func isLine(_ text: String, byteCountMax: Int) -> Bool {
        isSeen(text) && (try? line(text, .name, byteCountMax: byteCountMax)) != nil
    }

    /// Whether the text has a visible character.
    package static func isSeen(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: false
            case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: false
            default: !isNotSeen(scalar)
            }
        }
    }

    private static func check(
        _ text: String,
        _ field: PayloadField,
        byteCountMax: Int,
        mayBeEmpty: Bool
    ) throws(RuleFault) {
        guard text.utf8.count <= byteCountMax else {
            throw .tooLong(field, byteCountMax: byteCountMax)
        }
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
            guard mayBeEmpty else { throw .missing(field) }
            return
        }
        guard !isBlank(first), !isBlank(last) else { throw .malformed(field) }
        // Most text is ASCII, for which a check of the bytes is enough.
        guard !isPlainASCII(text) else { return }
        guard !text.unicodeScalars.contains(where: isHidden), isSeen(text) else {
            throw .malformed(field)
        }
    }

    private static func isPlainASCII(_ text: String) -> Bool {
        unsafe text.utf8.withContiguousStorageIfAvailable { unsafe isPlainASCII($0) } ?? false
    }

    private static func isPlainASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Without a branch, many bytes are checked at once.
        var others: UInt8 = 0
        for index in text.indices {
            let byte = unsafe text[index]
            let isNoSign: UInt8 = byte &- 0x20 < 0x5F ? 0 : 1
            others |= isNoSign & (byte == 0x09 ? 0 : 1) & (byte == 0x0A ? 0 : 1)
        }
        return others == 0
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\n" || scalar == "\t" || scalar.value == 0xA0
            || scalar.value == 0x3000
    }

    /// Whether no text may contain the character.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Whether texts may contain the character and names may not: it is invisible.
    ///
    /// Joiners and variation selectors are allowed, since emoji and the names of some scripts need
    /// them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F: true
        case 0x206A...0x206F, 0x2800, 0x3164, 0xFFA0, 0xFFF0...0xFFFB: true
        case 0x1BCA0...0x1BCA3, 0x1D159, 0x1D173...0x1D17A: true
        case 0xE0080...0xE00FF, 0xE01F0...0xE0FFF: true
        default: false
        }
    }
}
