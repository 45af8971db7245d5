import Foundation
import Market

/// Normalises words for the index and for queries, so that different spellings match.
///
/// This covers accents, the sharp s, umlauts written as two letters, and identifiers with spaces.
///
/// Source: Unicode Standard Annex 15 (NFKD); DIN 5007, variants 1 and 2, for umlauts; SQLite,
/// "FTS5 Extension", section 3.
enum CatalogueWords {
    private static let wordsMax = 16
    private static let wordScalarsMax = 64
    /// A shorter word that is not the last must match whole: too many words begin with it.
    private static let begunScalarsMin = 3
    /// A shorter text is not looked for among identifiers: too many begin with it.
    private static let identifierBytesMin = 4

    /// Returns the words of texts in all their spellings, each once.
    static func indexed(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.flatMap { words(in: $0) }.filter { seen.insert($0).inserted }
            .flatMap { spellings(of: $0) }
    }

    /// Returns what the index has for a category, beside its words; search words cannot match it.
    static func mark(ofCategory category: String) -> String {
        // Generic replacing costs as much as the words.
        let hyphen = UInt8(ascii: "-")
        let underscore = UInt8(ascii: "_")
        let letters = category.utf8.map { $0 == hyphen ? underscore : $0 }
        return String(decoding: [underscore] + letters, as: UTF8.self)
    }

    /// Whether a category may contain this character.
    static func isOfCategory(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: "-")
        }
    }

    /// Returns the FTS5 query for a typed text: all of its words, or beginnings of words, or an
    /// identifier.
    ///
    /// Each word is quoted, so that none is taken for an operator or causes an error. The query is
    /// empty if the text has no words.
    static func match(_ text: String) -> String {
        let words = Self.words(in: text).prefix(wordsMax)
            .map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(wordScalarsMax))) }
            .filter { $0.unicodeScalars.contains { !$0.properties.generalCategory.isMark } }
        guard let last = words.last else { return "" }
        let terms = words.dropLast().map { term($0, isLast: false) } + [term(last, isLast: true)]
        let all = terms.joined(separator: " AND ")
        // Identifiers have no spaces in the index.
        guard words.count > 1, let identifier = try? ItemIdentifier(normalising: text),
            identifier.text.utf8.count >= identifierBytesMin
        else { return all }
        return "((\(all)) OR \"\(identifier)\" *)"
    }

    private static func term(_ word: String, isLast: Bool) -> String {
        let isBegun = isLast || word.unicodeScalars.count >= begunScalarsMin
        let terms = spellings(of: word).map { "\"\($0)\"" + (isBegun ? " *" : "") }
        return terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " OR ")))"
    }

    private static func words(in text: String) -> [String] {
        // Most text is ASCII, for which the bytes are enough: Unicode's tables take most of the
        // time of indexing.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.lowercased().utf8.split { !isLetterOrDigit($0) }.map {
                String(Substring($0))
            }
        }
        return text.unicodeScalars.split { !isOfWord($0) }.map {
            String(String.UnicodeScalarView($0))
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || scalar.properties.generalCategory.isMark
    }

    /// Returns the word with plain letters, and also with umlauts as two letters if that differs.
    private static func spellings(of word: String) -> [String] {
        // Most words have plain letters only.
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return [word.lowercased()] }
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
        var isLatin = false
        for scalar in letters.decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.properties.generalCategory == .nonspacingMark {
                // In other scripts a mark can make a different letter.
                if isLatin { continue }
            } else {
                isLatin = scalar.isASCII
            }
            plain.append(scalar)
        }
        return String(plain).precomposedStringWithCanonicalMapping.lowercased()
    }

    /// Letters that do not decompose into a plain letter and a mark.
    private static let single: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i",
        "ł": "l", "ŋ": "n", "þ": "th", "ŧ": "t",
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
