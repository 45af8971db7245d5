/// Names that accounts choose for themselves, which must not look like the program's own words.
package enum ChosenName {
    /// The words that mean the reader, in the languages of the interfaces.
    package static let ownWords = ["you", "나", "저", "당신", "본인", "회원님"]

    /// Whether a name could be taken for the reader's own, for an address, for another account's
    /// name and address, or for the columns and marks of a list, whatever letters it is written
    /// with.
    package static func isMisleading(_ name: String) -> Bool {
        let text = name.lowercased()
        if text.hasPrefix("0x") || Lookalikes.hasBracketedAddress(name) { return true }
        if text.contains(where: { "[]".contains($0) || $0.isNewline }) { return true }
        // Also NBSP and the like; a comma is how a list marks the reader.
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmed }
        if words.contains(where: isOwn) { return true }
        let blanks = text.map(\.isWhitespace)
        return zip(blanks, blanks.dropFirst()).contains { $0 && $1 }
    }

    /// Whether a word looks like one that means the reader, with or without quotation marks.
    private static func isOwn(_ word: String) -> Bool {
        let letters = word.filter { $0.isLetter || $0.isNumber }
        return !Lookalikes.forms(of: letters).isDisjoint(with: ownForms)
    }

    private static let ownForms = Set(ownWords.flatMap(Lookalikes.forms))
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
