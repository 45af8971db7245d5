import Foundation
import Market

/// Normalises words for the index and for queries, so that different spellings match.
///
/// This covers accents, the sharp s, umlauts written as two letters, and scripts that are written
/// without spaces, of which every two letters that follow each other are indexed.
///
/// Source: Unicode Standard Annex 15 (NFKD); DIN 5007, variants 1 and 2, for umlauts.
enum CatalogueWords {
    /// A unit of the index.
    enum Term: Hashable {
        /// A word of a script with spaces; it can be found by its prefix.
        case word(String)
        /// Two letters of a script without spaces.
        case pair(String)
        /// The last letter of a text without spaces.
        case letter(String)

        var text: String {
            switch self {
            case .word(let text), .pair(let text), .letter(let text): text
            }
        }
    }

    /// Adds the terms of a text in all its spellings to `terms`, each once.
    static func index(_ text: String, into terms: inout [Term], seen: inout Set<String>) {
        let words = words(in: text)
        for word in words + CatalogueMeasures.others(of: words)
        where seen.insert(word).inserted {
            if isPlain(word) {
                terms.append(.word(word))
                continue
            }
            for term in spellings(of: word).flatMap(self.terms) {
                if term.text != word, !seen.insert(term.text).inserted { continue }
                terms.append(term)
            }
        }
    }

    /// Returns the terms of one spelling of a word.
    ///
    /// Letters of scripts without spaces give one term for every two that follow each other, and
    /// one for the last, so that each letter begins a term.
    static func terms(of word: String) -> [Term] {
        if isPlain(word) { return [.word(word)] }
        var terms: [Term] = []
        var run = String.UnicodeScalarView()
        var isSpaceless = false
        func end() {
            guard !run.isEmpty else { return }
            if isSpaceless {
                let letters = Array(run)
                for (first, second) in zip(letters, letters.dropFirst()) {
                    terms.append(.pair(String(first) + String(second)))
                }
                if let last = letters.last { terms.append(.letter(String(last))) }
            } else {
                terms.append(.word(String(run)))
            }
            run = String.UnicodeScalarView()
        }
        for scalar in word.unicodeScalars {
            // A mark belongs to the letter before it.
            if !scalar.properties.generalCategory.isMark || run.isEmpty {
                let isOfSpaceless = Self.isSpaceless(scalar)
                if isOfSpaceless != isSpaceless { end() }
                isSpaceless = isOfSpaceless
            }
            run.append(scalar)
        }
        end()
        return terms
    }

    /// Splits a text into its words; those in ASCII are in small letters.
    ///
    /// No spelling of a word has a space or a bracket: a character that stands for several words,
    /// or for one in brackets, is split as its compatibility form is.
    static func words(in text: String) -> [String] {
        // Most text is ASCII, for which the bytes are enough: Unicode's tables take most of the
        // time of indexing.
        guard isPlain(text) else {
            return runs(in: text).flatMap { word in
                if isPlain(word) { return [word.lowercased()] }
                guard word.unicodeScalars.contains(where: canStandForWords) else { return [word] }
                let form = word.decomposedStringWithCompatibilityMapping
                guard form.unicodeScalars.contains(where: { !isOfWord($0) }) else { return [word] }
                return runs(in: form).map { isPlain($0) ? $0.lowercased() : $0 }
            }
        }
        var words: [String] = []
        var word: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                word.append(byte | 0x20)
            default:
                guard !word.isEmpty else { continue }
                words.append(String(decoding: word, as: UTF8.self))
                word.removeAll(keepingCapacity: true)
            }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    private static func runs(in text: String) -> [String] {
        text.unicodeScalars.split { !isOfWord($0) }.map { String(String.UnicodeScalarView($0)) }
    }

    /// Whether the character may decompose into more than letters, digits and marks: a fraction, a
    /// number in brackets, a mark on a space, a ligature of whole words.
    private static func canStandForWords(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xBC...0xBE, 0x013F...0x0140, 0x037A, 0x2000...0x2FFF, 0x3200...0x33FF,
            0xFB00...0xFEFF, 0x1F100...0x1F2FF:
            true
        default: false
        }
    }

    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || scalar.properties.generalCategory.isMark
    }

    /// Whether the letter is of a script that is written without spaces, or, as Korean, with few.
    ///
    /// Source: Unicode Standard, Blocks.
    private static func isSpaceless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1100...0x11FF, 0x2E80...0x2FDF,
            0x3005...0x3007, 0x3040...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Returns the word with plain letters, and also with umlauts as two letters if that differs.
    static func spellings(of word: String) -> [String] {
        // Most words have plain letters only.
        guard !isPlain(word) else { return [word.lowercased()] }
        let small = word.precomposedStringWithCanonicalMapping.lowercased()
        let simple = simplified(small) { single[$0] }
        let written = simplified(small) { double[$0] ?? single[$0] }
        return simple == written ? [simple] : [simple, written]
    }

    private static func simplified(
        _ word: String,
        _ replacement: (Unicode.Scalar) -> String?
    ) -> String {
        var letters = ""
        for scalar in word.unicodeScalars {
            if let new = replacement(scalar) {
                letters += new
            } else {
                letters.unicodeScalars.append(scalar)
            }
        }
        var plain = String.UnicodeScalarView()
        var base: Unicode.Scalar = " "
        for scalar in letters.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.properties.generalCategory == .nonspacingMark {
                if isOptional(scalar, after: base) { continue }
            } else {
                base = scalar
            }
            plain.append(scalar)
        }
        return String(plain).precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Whether people leave out this mark of a letter; in other cases it makes a different letter.
    ///
    /// Latin, Greek, Hebrew and Arabic: all marks. Cyrillic: the dots of ё, and the stress, which
    /// is not part of ѓ and ќ. Devanagari: the dot of letters of foreign words.
    private static func isOptional(_ mark: Unicode.Scalar, after letter: Unicode.Scalar) -> Bool {
        switch letter.value {
        case 0..<0x80, 0x0370...0x03FF, 0x0590...0x06FF: true
        case 0x0400...0x052F:
            letter == "е" && mark == "\u{308}"
                || ["\u{300}", "\u{301}"].contains(mark) && letter != "г" && letter != "к"
        case 0x0900...0x097F: mark == "\u{93C}" && ["क", "ख", "ग", "ज", "फ"].contains(letter)
        default: false
        }
    }

    /// Letters that do not decompose into a plain letter and a mark.
    private static let single: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i",
        "ł": "l", "ŋ": "n", "þ": "th", "ŧ": "t", "ə": "e", "ς": "σ",
        // Forms of a letter at the end of a Hebrew word.
        "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ",
        // Arabic letters that are written for each other, their forms in Persian, and a stretched
        // line.
        "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ـ": "",
    ]

    /// The two letters that people write if they cannot type these.
    private static let double: [Unicode.Scalar: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe",
    ]
}

extension Unicode.GeneralCategory {
    var isMark: Bool {
        self == .nonspacingMark || self == .spacingMark || self == .enclosingMark
    }
}
