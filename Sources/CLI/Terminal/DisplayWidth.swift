/// Computes how many columns of a terminal a text takes.
///
/// Source: Unicode Standard Annex 11, "East Asian Width"; UTS 51, "Emoji presentation".
enum DisplayWidth {
    /// Returns the columns of a text on one line.
    static func of(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// Returns the columns of one character, with its combining marks: 0, 1 or 2.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first(where: { !isZero($0) }) else { return 0 }
        if isWide(first) { return 2 }
        // A variation selector turns a sign such as ☎ into an emoji.
        return scalars.contains("\u{FE0F}") && first.properties.isEmoji ? 2 : 1
    }

    /// Returns the most columns that a text takes, also on a terminal that shows the parts of a
    /// joined emoji side by side.
    static func most(of text: some StringProtocol) -> Int {
        let apart = text.unicodeScalars.reduce(0) { $0 + (isZero($1) ? 0 : isWide($1) ? 2 : 1) }
        return max(of(text), apart)
    }

    /// Cuts the text to at most `columns`, with `…` at the end if anything was cut.
    static func cut(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        var kept = ""
        var width = 0
        for character in text {
            width += of(character)
            guard width < columns else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Breaks the text at its blanks into lines of at most `columns`; a longer word is broken
    /// anywhere.
    static func lines(_ text: String, of columns: Int) -> [String] {
        guard of(text) > columns else { return [text] }
        var (lines, current): ([String], String) = ([], "")
        for word in text.split(separator: " ") {
            let longer = current.isEmpty ? String(word) : current + " " + word
            if of(longer) <= columns {
                current = longer
                continue
            }
            if !current.isEmpty { lines.append(current) }
            current = ""
            for character in word {
                if of(current) + of(character) > columns {
                    lines.append(current)
                    current = ""
                }
                current.append(character)
            }
        }
        return lines + [current]
    }

    /// Appends spaces until the text takes at least `columns`.
    static func pad(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - of(text)))
    }

    private static func isZero(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        // The vowels and final consonants of a Korean syllable combine with its first consonant.
        default: (0x1160...0x11FF).contains(scalar.value)
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x1100 { return false }
        return scalar.properties.isEmojiPresentation || wide.contains { $0 ~= scalar.value }
    }

    /// Ranges of non-emoji characters of width W and F, and of unassigned ones between them.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
