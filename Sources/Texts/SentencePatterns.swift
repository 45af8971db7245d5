import CTexts
package import Foundation

/// The patterns of one language's texts for people, by their codes.
///
/// Each file of `Texts` has the patterns of one language; `{name}` stands for a value.
package struct SentencePatterns: Sendable {
    /// The English patterns, which are part of the program.
    package static let english = SentencePatterns(
        json: Data(unsafe String(cString: stoa_english_texts()).utf8)
    )

    private let patterns: [String: String]

    /// Reads a file of `Texts`; one that cannot be read has no patterns.
    package init(json: Data) {
        patterns = (try? JSONDecoder().decode([String: String].self, from: json)) ?? [:]
    }

    /// Makes the text of a code.
    ///
    /// - Parameters:
    ///   - code: A key of `Texts/en.json`.
    ///   - values: The texts that stand in it, by their names in the pattern.
    /// - Returns: The text; an unknown code itself.
    package func text(_ code: String, _ values: [String: String] = [:]) -> String {
        guard let pattern = patterns[code] else { return code }
        // A value is not searched again: braces in it are only text.
        return pattern.replacing(/\{(\w+)\}/) { values[String($0.output.1)] ?? "" }
    }

    /// Finds the words for a value of the API, such as a phase.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - area: The first part of its code, such as `phase`.
    /// - Returns: The words; an unknown value itself.
    package func words(for value: String, in area: String) -> String {
        patterns["\(area).\(value)"] ?? value
    }
}
