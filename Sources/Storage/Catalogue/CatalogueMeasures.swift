/// Numbers with a unit or a name, which people write with or without a space: "256 GB", "256GB".
///
/// The index has both forms of each, so a query needs only the typed one.
enum CatalogueMeasures {
    /// Longer words are not units or names of models.
    private static let lettersMax = 8

    /// Returns the other forms of a text's words: the parts of a word with a number at its start or
    /// end, and a number joined with the word beside it.
    ///
    /// - Parameter words: The words of the text, in order.
    /// - Returns: The other forms, in the order of the text.
    static func others(of words: [String]) -> [String] {
        var others: [String] = []
        var last: (word: String, kind: Kind)?
        for word in words {
            let kind = kind(of: word)
            if case .both = kind {
                others += parts(of: word)
            } else if let last, isPair(last.kind, kind) {
                others.append(last.word + word)
            }
            last = (word, kind)
        }
        return others
    }

    /// Returns the number and the letters of a word that is a measure, in order; of another word,
    /// the word alone.
    static func parts(of word: String) -> [String] {
        guard case .both(let border) = kind(of: word) else { return [word] }
        return [String(word[..<border]), String(word[border...])]
    }

    private enum Kind {
        case number
        case letters
        /// One number and letters before or after it, with the boundary between them.
        case both(String.Index)
        case other
    }

    private static func isPair(_ first: Kind, _ second: Kind) -> Bool {
        switch (first, second) {
        case (.number, .letters), (.letters, .number): true
        default: false
        }
    }

    private static func kind(of word: String) -> Kind {
        guard word.utf8.contains(where: isDigit) else {
            return word.unicodeScalars.count <= lettersMax ? .letters : .other
        }
        let beginsWithNumber = word.utf8.first.map(isDigit) ?? false
        // A digit is in ASCII, so that its boundary is between letters.
        guard let border = word.utf8.firstIndex(where: { isDigit($0) != beginsWithNumber }) else {
            return .number
        }
        let rest = word.utf8[border...]
        guard rest.allSatisfy({ isDigit($0) != beginsWithNumber }) else { return .other }
        let letters = beginsWithNumber ? word[border...] : word[..<border]
        return letters.unicodeScalars.count <= lettersMax ? .both(border) : .other
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
