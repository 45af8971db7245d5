import Client
import Setup

/// A thing that a person's text may mean: its full id, and the names that a person knows it by.
package struct NamedID: Hashable, Sendable {
    /// The maximum number of things that a refusal names.
    package static let shownMax = 5

    package let id: String
    package let about: String

    package init(id: String, about: String) {
        (self.id, self.about) = (id, about)
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
        let shown = candidates.prefix(shownMax).map { "\($0.id) (\($0.about))" }
        throw Refusal(
            .ambiguousID,
            Sentence(
                candidates.count > shownMax ? "refusal.matchesMany" : "refusal.matchesSeveral",
                ["text": text.quoted, "found": shown.joined(separator: ", ")]
            ),
            field: field
        )
    }
}
