package import Client
package import Keys
package import Market
import Storage

/// A search for listings: its terms, whose fields are also its own, and what is to be found out.
@dynamicMemberLookup
package struct ListingQuery: Hashable, Sendable {
    package var terms: SearchTerms
    /// Whether to include listings that are sold, aborted on the chain, or ended.
    package var includesOver = false
    /// Whether to count the matches; a page with a count is not kept.
    package var countsMatches = false
    /// Whether to count the matches by their properties; such a page is not cached either.
    package var countsFacets = false
    /// Whether to tell who sells each listing; such a page is not kept, since stars change with
    /// time.
    package var showsSellers = false
    /// Whether to answer with rows (``Client/ListingRow``) instead of whole listings.
    package var asksForRows = false
    /// Where the caller wants it sent; a page with it is not kept.
    package var destination: Destination?
    /// Listings hidden from the caller; a page without them is not cached.
    package var hidden = HiddenListings()
    /// The account that asks, whose part in each sale is shown.
    package var caller: Address?
    package var limit = 20
    package var after: String?

    /// The maximum of ``SearchTerms/within``: no point is farther from another one.
    package static let kilometresMax = 20_000

    package init(_ terms: SearchTerms = SearchTerms()) { self.terms = terms }

    package subscript<Value>(dynamicMember field: WritableKeyPath<SearchTerms, Value>) -> Value {
        get { terms[keyPath: field] }
        set { terms[keyPath: field] = newValue }
    }

    /// Whether to find only what is shipped to the destination, handed over or delivered online.
    var reachesOnly: Bool { terms.reachesMe == true }

    /// The bytes of its texts.
    var byteCount: Int {
        [
            terms.text, terms.category, terms.tag, terms.author, terms.currency, terms.priceMin,
            terms.priceMax, terms.payment, terms.delivery, terms.shipsTo, terms.sort, after,
        ].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

/// A search at one time: the catalogue's query, and what is checked of each listing besides.
struct ListingFilter: Sendable {
    var query: CatalogueQuery
    let wanted: ListingQuery
    let time: ListingTimes

    /// Whether the price of a sale is within the query's; an unknown one is.
    func includes(_ price: Amount?) -> Bool {
        guard let price else { return true }
        return price >= query.priceMin ?? .zero && price <= query.priceMax ?? .max
    }
}
