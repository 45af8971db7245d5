/// One page of a list.
public struct Page<Element: Codable & Hashable & Sendable>: Codable, Hashable, Sendable,
    DescribedType
{
    public var items: [Element]
    /// Send it as `after` for the next page; `nil` at the end.
    public var next: String?
    /// Whether the list ends here.
    public var isLast: Bool
    /// How many have all words of the search, and match the rest of it, if it asked for a count
    /// (``ListingSearch/countsMatches``).
    public var total: Int?
    /// Whether more than ``total`` can match, because not all were looked at.
    public var totalIsLowerBound: Bool?
    /// The matches by their properties, if the search asked for them
    /// (``ListingSearch/countsFacets``); together they count what ``total`` counts.
    public var facets: ListingFacets?
    /// The text that was searched for instead, because no listing contains one of the given words.
    public var corrected: String?
    /// How many of the first ``items`` have all words of the search; `nil` if all have.
    ///
    /// The others have some of the words.
    public var withAllWords: Int?
    /// Whether listings are missing, because the node is rebuilding its index; `nil` if not.
    public var isPartial: Bool?
    /// The block up to which all is shown, if the node could not read later final ones yet; `nil`
    /// if nothing is missing.
    public var completeTo: UInt64?

    package static var fields: [String: FieldFacts] {
        [
            "next": FieldFacts().form(.cursor),
            "total": .about(
                "The number of matches, with all words of 'search', if 'count=true' asked for it."
            ),
            "totalIsLowerBound": .about("Whether more than 'total' can match."),
            "facets": .about("The matches by their properties, if 'facets=true' asked for them."),
            "corrected": .about(
                "The text that was searched for instead, because no listing has a word of 'search'."
            ),
            "withAllWords": .about(
                "How many of the items, from the first on, have all words of 'search'; the others "
                    + "have some of them. Absent if all have."
            ),
            "isPartial": .about("Whether listings are missing while the index is rebuilt."),
            "completeTo": .about(
                "The block up to which all is shown, while later final ones are not read. Absent if "
                    + "nothing is missing."
            ),
        ]
    }

    public init(items: [Element], next: String?) {
        self.init(items: items, next: next, isLast: next == nil)
    }

    /// Makes a page of a list that may end although not all of it was returned.
    public init(items: [Element], next: String? = nil, isLast: Bool) {
        self.items = items
        self.next = next
        self.isLast = isLast
    }
}
