package import Keys
package import Market

/// What someone looks for among the listings.
package struct CatalogueQuery: Sendable {
    /// Words, all of which must occur, perhaps only begun, or an identifier; `nil` lists all.
    package var text: String?
    package var category: String?
    package var author: Address?
    package var chain: ChainID?
    package var currency: Currency?
    /// In the smallest unit of the currency, which should be given too.
    package var priceMin: Amount?
    package var priceMax: Amount?
    package var method: PaymentMethod?
    package var delivery: Delivery.Method?
    /// A place the seller ships to or hands over at, as listings write it.
    package var place: String?
    /// Leaves out listings that end at or before this.
    package var openAt: Timestamp?
    /// At most ``limitMax`` count.
    package var limit = 20
    /// Where the page before ended.
    package var cursor: CatalogueCursor?

    package static let limitMax = 100

    package init(text: String? = nil) {
        self.text = text
    }

    /// The words as FTS5 takes them; `nil` if all listings are wanted, empty if there is nothing to
    /// look for.
    var match: String? { text.map { CatalogueWords.match($0) } }
}

/// Where a page of results ended; its text form travels through the API.
package struct CatalogueCursor: Equatable, Sendable {
    /// 0 for a match in the title and 1 for others, or the order time where there were no words.
    let rank: UInt64
    let row: Int64

    init(rank: UInt64, row: Int64) {
        (self.rank, self.row) = (rank, row)
    }

    /// Reads what `text` wrote; anything else is `nil`.
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

/// Some results in order.
package struct CataloguePage: Equatable, Sendable {
    /// A listing's record, and what goes on behind it.
    package struct Entry: Equatable, Sendable {
        package let id: RecordID
        package let cursor: CatalogueCursor
    }

    package let entries: [Entry]
    /// What the next page begins behind; `nil` if this is the last.
    package let next: CatalogueCursor?

    package var ids: [RecordID] { entries.map(\.id) }
}
