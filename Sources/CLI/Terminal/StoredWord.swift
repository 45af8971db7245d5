/// Writes categories and tags as listings have them: in lower-case letters.
///
/// Source: Docs/protocol.md, section 5.4.
enum StoredWord {
    /// Returns a category, with hyphens between its words.
    static func category(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: "-")
    }

    static func tag(_ text: String) -> String { text.lowercased() }
}
