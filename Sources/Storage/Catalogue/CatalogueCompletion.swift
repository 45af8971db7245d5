import Foundation

/// A text that is being typed, whose last word is not complete.
package struct CatalogueCompletion: Sendable {
    /// The words that are looked for.
    package let text: String
    private let before: [String]
    private let beginnings: [String]

    /// - Returns: `nil` for a text without words.
    package init?(of text: String) {
        let words = CatalogueMatch.words(in: text)
        guard let last = words.last else { return nil }
        self.text = words.joined(separator: " ")
        before = Array(words.dropLast())
        beginnings = CatalogueWords.spellings(of: last)
    }

    /// Returns the words of a title that begin with the last word, in small letters as written.
    package func words(in title: String) -> [String] {
        CatalogueWords.words(in: title).filter { word in
            let spellings = CatalogueWords.spellings(of: word)
            return beginnings.contains { beginning in
                spellings.contains { $0.hasPrefix(beginning) }
            }
        }.map { $0.precomposedStringWithCanonicalMapping.lowercased() }
    }

    /// The text with this word as its last.
    package func completed(by word: String) -> String {
        (before + [word]).joined(separator: " ")
    }
}
