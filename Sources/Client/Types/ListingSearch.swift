/// A search for listings: its terms, whose fields are also its own, and the page.
@dynamicMemberLookup
public struct ListingSearch: Hashable, Sendable {
    public var terms: SearchTerms
    /// Whether to include listings that are sold or over.
    public var includesOver = false
    /// Whether to include listings hidden by the account's blocks and by lists that it follows.
    public var includesHidden = false
    /// Whether to count all matches, see ``Page/total``; it takes the node some milliseconds.
    public var countsMatches = false
    /// Whether to count the matches by their properties, see ``Page/facets``; likewise.
    public var countsFacets = false
    /// Whether to tell who sells each listing, see ``Listing/seller``.
    public var showsSellers = false
    /// At most 100.
    public var limit = 20
    /// The ``Page/next`` of the page before.
    public var after: String?

    public init(
        text: String? = nil,
        category: String? = nil,
        author: String? = nil,
        limit: Int = 20,
        after: String? = nil
    ) {
        self.init(SearchTerms(text: text, category: category, author: author))
        (self.limit, self.after) = (limit, after)
    }

    public init(_ terms: SearchTerms) { self.terms = terms }

    public subscript<Value>(dynamicMember field: WritableKeyPath<SearchTerms, Value>) -> Value {
        get { terms[keyPath: field] }
        set { terms[keyPath: field] = newValue }
    }
}
