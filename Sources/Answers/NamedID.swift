package import Client
import Setup

/// A thing that a person's text may mean: its full id, and what a person knows it by.
package struct NamedID: Hashable, Sendable {
    /// The maximum number of things that a refusal names.
    package static let shownMax = 5

    package let id: String
    /// The id with what distinguishes the thing, as a refusal names it.
    package let words: Sentence

    package init(id: String, _ words: Sentence) {
        (self.id, self.words) = (id, words)
    }

    /// Chooses among the candidates.
    ///
    /// - Parameters:
    ///   - candidates: The things that were found.
    ///   - text: The text that a person entered.
    ///   - field: The field of the request that has the text.
    /// - Returns: The id of the only candidate, or `nil` if there is none.
    /// - Throws: ``Refusal`` with `ambiguous_id` if there are several, which names them.
    package static func only(
        _ candidates: [NamedID],
        _ text: String,
        field: String
    ) throws(Refusal) -> String? {
        guard candidates.count > 1 else { return candidates.first?.id }
        let shown = candidates.prefix(shownMax).map(\.words)
        let others = candidates.count > shownMax ? [Sentence("refusal.matchesOthers")] : []
        throw Refusal(
            .ambiguousID,
            [Sentence("refusal.matchesSeveral", ["text": text.quoted])] + shown + others
                + [Sentence("refusal.giveID")],
            field: field
        )
    }
}
