package import Client
import Market
import Storage

extension ListingSearcher {
    /// The number of listings whose titles are looked at for suggestions.
    private static let suggestingMax = 100
    private static let suggestionsMax = 10

    /// Returns words of titles that continue a text that is being typed, the most frequent first.
    ///
    /// Looks at the best ``suggestingMax`` listings that match.
    package func suggestions(for text: String) async throws -> [ListingSuggestion] {
        guard let typed = CatalogueCompletion(of: text) else { return [] }
        var query = CatalogueQuery(text: typed.text)
        query.limit = Self.suggestingMax
        let time = saleIndexes.time(by: clock)
        query.openAt = time.wall
        let found = try await catalogue.search(query)
        let titles = try store.read { transaction in
            try found.ids.compactMap { try transaction.record($0).flatMap { FoundListing($0) } }
        }.filter { !saleIndexes.state(of: $0.listing, at: time).isClosed }.map(\.listing.title)
        var counts: [String: Int] = [:]
        for title in titles {
            for word in Set(typed.words(in: title)) { counts[word, default: 0] += 1 }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .prefix(Self.suggestionsMax)
            .map { ListingSuggestion(text: typed.completed(by: $0.key), listings: $0.value) }
    }
}
