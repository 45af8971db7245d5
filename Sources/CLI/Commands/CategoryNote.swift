import Client
import Setup

/// Says that no listing has a category before one gets it: any is allowed, but few people look for
/// one that is mistyped.
///
/// Source: Docs/protocol.md, section 5.4.
enum CategoryNote {
    /// How many wrong letters are taken for typing errors.
    private static let typingErrorsMax = 2

    /// Returns a note on a category; `nil` if the node shows it among its own.
    static func text(_ category: String, among known: [ListingCategory]) -> String? {
        guard !known.contains(where: { $0.id == category }) else { return nil }
        let near = near(category, among: known).map { near in
            let name = near.name.map { " (\($0.detail))" } ?? ""
            return " Did you mean '\(DisplayText.line(near.id))'\(name)?"
        }
        return
            "No listing here has the category '\(DisplayText.line(category))'.\(near ?? "") It is "
            + "taken as it is; others are in: stoa listing categories"
    }

    /// Returns the category with the most similar id, or word of its name.
    private static func near(
        _ category: String,
        among known: [ListingCategory]
    ) -> ListingCategory? {
        let words = known.map { known in
            (known, [known.id] + (known.name?.detail ?? "").split(separator: " ").map(String.init))
        }
        let distances = words.map { known, words in
            (known, words.map { distance(category, $0) }.min() ?? .max)
        }
        let nearest = distances.min { $0.1 < $1.1 }
        let most = min(typingErrorsMax, (category.count - 1) / 2)
        return nearest.flatMap { $0.1 <= most ? $0.0 : nil }
    }

    /// Returns the number of wrong letters; the right ones in another order count as one.
    private static func distance(_ typed: String, _ word: String) -> Int {
        let edits = editDistance(typed, word)
        return edits > 1 && typed.sorted() == word.sorted() ? 1 : edits
    }
}

extension ListingDetailOptions {
    /// Prints a note if the category that is given is none that the node shows; programs get none.
    func noteCategory(_ node: StoaClient, _ output: Output) async {
        guard let storedCategory, !output.isJSON, let known = try? await node.categories(),
            let note = CategoryNote.text(storedCategory, among: known)
        else { return }
        output.note(note)
    }
}
