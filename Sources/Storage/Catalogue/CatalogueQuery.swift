package import Keys
package import Market

/// A search for listings.
package struct CatalogueQuery: Sendable {
    /// Words, or beginnings of words, that must all occur, or an identifier; `nil` matches all.
    package var text: String?
    package var category: String?
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
    /// A place that the seller ships to or hands over at, as written in listings.
    package var place: String?
    /// A time at which listings must still be open: those that end then or earlier are left out.
    package var openAt: Timestamp?
    /// The number of results in a page, at most ``limitMax``.
    package var limit = 20
    /// The cursor of the page before.
    package var cursor: CatalogueCursor?

    package static let limitMax = 100

    package init(text: String? = nil) {
        self.text = text
    }

    /// The words as a query of FTS5; `nil` if all listings match, empty if the text has no words.
    var match: String? { text.map { CatalogueWords.match($0) } }
}

/// The position at which a page of results ended; the API uses its text form.
package struct CatalogueCursor: Equatable, Sendable {
    /// 0 for a match in title or identifier and 1 for others; in a query without words, the time.
    let rank: UInt64
    let row: Int64

    init(rank: UInt64, row: Int64) {
        (self.rank, self.row) = (rank, row)
    }

    /// Parses a cursor's ``text``; `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let rank = UInt64(parts[0], radix: 16),
            let row = Int64(parts[1], radix: 16), row >= 0
        else { return nil }
        self.init(rank: rank, row: row)
        guard self.text == text else { return nil }
    }

    package var text: String { String(rank, radix: 16) + "-" + String(row, radix: 16) }
}

/// The listings that match a query, as far as they were counted.
package struct CatalogueCount: Equatable, Sendable {
    /// The maximum number of listings that are looked at for a count.
    package static let rowsMax = 10_000

    /// For each match the sale that it names, `nil` if it names none.
    package let sales: [SaleReference?]
    /// Whether all that could match was looked at; otherwise more can match.
    package let isComplete: Bool
}

/// A page of results, in order.
package struct CataloguePage: Equatable, Sendable {
    /// A listing's record, and the cursor that continues after it.
    package struct Entry: Equatable, Sendable {
        package let id: RecordID
        package let cursor: CatalogueCursor
    }

    package let entries: [Entry]
    /// The cursor of the next page; `nil` if this is the last page.
    package let next: CatalogueCursor?

    package var ids: [RecordID] { entries.map(\.id) }
}
