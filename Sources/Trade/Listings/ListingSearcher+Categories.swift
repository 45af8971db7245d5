package import Client
import Market
import Texts

extension ListingSearcher {
    /// The category of what fits nowhere else; it comes last.
    private static let other = "other"

    /// Returns the categories to choose from: those with names in `Texts`, in alphabetical order,
    /// then others that listings have, the most frequent first.
    ///
    /// The counts are those of the facets: of listings that are not over, among the newest.
    package func categories() async throws -> [ListingCategory] {
        var wanted = ListingQuery()
        wanted.countsFacets = true
        let time = saleIndexes.time(by: clock)
        let query = try query(for: wanted, at: time.wall)
        let filter = ListingFilter(query: query, wanted: wanted, time: time)
        let found = try await facets(of: filter).facets.categories
        let counts = Dictionary(uniqueKeysWithValues: found.map { ($0.value, $0.count) })
        let named = SentencePatterns.english.values(in: "category")
        let ids = named.filter { $0 != Self.other } + named.filter { $0 == Self.other }
        return ids.map { id in
            ListingCategory(id: id, name: Sentence("category.\(id)"), listings: counts[id] ?? 0)
        }
            + found.filter { !named.contains($0.value) }.map { found in
                ListingCategory(id: found.value, name: nil, listings: found.count)
            }
    }
}
