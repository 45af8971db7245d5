package import Keys
package import Market

/// A search for listings.
package struct CatalogueQuery: Sendable {
    /// The order of the results.
    package enum Order: String, CaseIterable, Sendable {
        /// With words, those that have them in the title or identifier first; then by time.
        case relevance, newest, oldest
        /// By the listed price, for one currency.
        case cheapest, costliest
        /// Listings that end first; then those without an end.
        case ending
        /// Listings that ship around the point nearest to ``CatalogueQuery/point``; then those
        /// without a point.
        case nearest
        /// Listings with the most buyers, as ``CatalogueQuery/buyers`` says.
        case popular

        var isByPrice: Bool { self == .cheapest || self == .costliest }
    }

    /// How closely listings match the words of a query; no listing does in two ways.
    package enum Closeness: UInt8, CaseIterable, Sendable {
        /// They have all words.
        case whole
        /// They have all words, but one or more only as a part of a longer one.
        case parts
        /// They have some of the words or parts, but not all.
        case fewer
    }

    /// Words, or prefixes of words, that must all occur in the listing or in its seller's name, or
    /// an identifier; `nil` matches all.
    package var text: String?
    /// Which listings to find of those that have any of the words.
    package var closeness = Closeness.whole
    package var category: String?
    /// A tag as listings have it, which must be one of theirs.
    package var tag: String?
    package var author: Address?
    package var chain: ChainID?
    package var currency: Currency?
    /// The lowest price, in the smallest unit of the currency, which should be given too.
    package var priceMin: Amount?
    /// The highest price, in the same unit.
    package var priceMax: Amount?
    /// The kinds of sale that are found whatever their listed price, because it can have changed.
    package var movingPrices: [SaleKind] = []
    package var method: SaleKind?
    package var delivery: Delivery.Method?
    /// An identifier in normal form that the listing states.
    package var identifier: String?
    /// A place that the seller ships to or hands over at, as written in listings.
    package var place: String?
    /// The code of a country that it is shipped to.
    package var country: String?
    /// A time at which listings must still be open: those that end then or earlier are left out.
    package var openAt: Timestamp?
    package var order = Order.relevance
    /// Where the caller is; needed for the order by distance.
    package var point: ShippingLimits.Point?
    /// A distance from ``point``, in metres: only listings that ship around a point nearer than
    /// that.
    package var metresMax: Int?
    /// Returns how many have bought in each sale; needed for the order by buyers.
    package var buyers: (@Sendable ([SaleReference?]) -> [UInt64])?
    /// The number of results in a page, at most ``limitMax``.
    package var limit = 20
    /// The cursor of the previous page.
    package var cursor: CatalogueCursor?

    package static let limitMax = 100

    package init(text: String? = nil) {
        self.text = text
    }
}

/// The position at which a page of results ended; the API uses its text form.
package struct CatalogueCursor: Equatable, Sendable {
    /// By relevance, the number of a group of ``CatalogueMatch``; in a query without words, the
    /// time; by price, the price; by end, the end; by distance, the metres; by buyers, their
    /// number.
    let rank: Amount
    let row: Int64
    /// That of the query.
    package var closeness = CatalogueQuery.Closeness.whole

    init(rank: Amount, row: Int64) {
        (self.rank, self.row) = (rank, row)
    }

    init(rank: UInt64, row: Int64) { self.init(rank: Amount(small: rank), row: row) }

    /// Parses a cursor's ``text``; `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let rank = Self.amount(parts[0]),
            let row = Int64(parts[1], radix: 16), row >= 0,
            let closeness = UInt8(parts.count == 2 ? "0" : parts[2])
                .flatMap(CatalogueQuery.Closeness.init)
        else { return nil }
        self.init(rank: rank, row: row)
        self.closeness = closeness
        guard self.text == text else { return nil }
    }

    package var text: String {
        let digits = rank.minimalBytes.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        let shown = digits.drop { $0 == "0" }
        let end = closeness == .whole ? "" : "-\(closeness.rawValue)"
        return (shown.isEmpty ? "0" : String(shown)) + "-" + String(row, radix: 16) + end
    }

    /// The rank as a number of 64 bits, clamped to the largest one.
    var number: UInt64 {
        let bytes = rank.minimalBytes
        return bytes.count > 8 ? .max : bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func amount(_ text: Substring) -> Amount? {
        guard (1...64).contains(text.utf8.count) else { return nil }
        let digits = String(repeating: "0", count: 64 - text.utf8.count) + text
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return Amount(bigEndian: bytes)
    }
}

/// The listings that match a query, as far as they were counted.
package struct CatalogueCount: Equatable, Sendable {
    /// The maximum number of listings that are looked at for a count.
    package static let rowsMax = 10_000

    /// For each match the sale that it names, `nil` if it names none.
    package let sales: [SaleReference?]
    /// The places of those that stand for several pieces.
    package let placesOfPieces: [Int]
    /// Whether all that could match was looked at; otherwise more can match.
    package let isComplete: Bool
}

/// A page of results, in order; it can be short, or empty, before the last one.
package struct CataloguePage: Equatable, Sendable {
    /// A listing's record, and the cursor that continues after it.
    package struct Entry: Equatable, Sendable {
        package let id: RecordID
        package let cursor: CatalogueCursor
    }

    package let entries: [Entry]
    /// The cursor of the next page; `nil` if this is the last page.
    package let next: CatalogueCursor?
    /// Whether listings are missing because the index is being rebuilt.
    package var isPartial = false

    package var ids: [RecordID] { entries.map(\.id) }
}
