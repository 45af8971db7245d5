import Foundation

/// The words in a text that holds a recovery phrase.
enum PhraseText {
    /// Returns the words in lower case, without numbers and punctuation.
    ///
    /// Words that are numbered from 1 are put in the order of their numbers, because on a sheet
    /// with two columns the lines are not in that order.
    static func words(_ text: String) -> [String] {
        let plain = text.decomposedStringWithCompatibilityMapping.lowercased()
        let parts = plain.split { !$0.isLetter && !$0.isNumber }.flatMap(separated)
        let words = parts.filter { !isNumber($0) }
        let numbered = zip(parts, parts.dropFirst()).filter { isNumber($0) && !isNumber($1) }
        let numbers = numbered.compactMap { Int($0.0) }
        guard numbered.count == words.count, numbers.sorted() == Array(1...max(1, words.count))
        else { return words }
        return zip(numbers, numbered).sorted { $0.0 < $1.0 }.map { $0.1.1 }
    }

    /// Returns a number that stands directly before a word, and the word.
    private static func separated(_ part: Substring) -> [String] {
        let number = part.prefix { $0.isNumber }
        return [String(number), String(part.dropFirst(number.count))].filter { !$0.isEmpty }
    }

    private static func isNumber(_ part: String) -> Bool { part.allSatisfy(\.isNumber) }
}
