import Foundation
import GRDB
import Keys
import Market

/// Pages by price or end: of the newest ``CatalogueCount/rowsMax`` matches, in memory, or, if nothing
/// selects listings, of all by an index.
extension CatalogueSearch {
    /// A row's place in an order.
    private struct Place {
        /// The price or the end.
        let rank: Amount
        let row: Int64
    }

    /// Returns matches by listed price, or by end, the first one first.
    ///
    /// With one price, they are in the order of rows; with one end, or none, the newest first.
    func sorted(in database: Database) throws -> [CataloguePage.Entry] {
        guard isSelected else {
            return query.order.isByPrice ? try priced(in: database) : try ending(in: database)
        }
        let precedes = order
        let after = query.cursor.map { cursor in
            let end = Int64(clamping: cursor.number)
            return Place(
                rank: query.order.isByPrice ? cursor.rank : Self.rank(end),
                row: cursor.row
            )
        }
        var first = FirstInOrder(limit + 1, by: precedes)
        let found = try found(rowsMax: CatalogueCount.rowsMax, in: database)
        for (number, row) in zip(found.numbers, found.rows) {
            let rank = query.order.isByPrice ? row.price : Self.rank(row.ends)
            let place = Place(rank: rank, row: number)
            if let after, !precedes(after, place) { continue }
            first.add(place)
        }
        return try first.sorted().compactMap { try entry($0, in: database) }
    }

    /// Whether words or properties select listings.
    private var isSelected: Bool {
        query.author != nil || query.category != nil || CatalogueMatch.isNeeded(for: query)
    }

    private var order: (Place, Place) -> Bool {
        switch query.order {
        case .dearest: { ($0.rank, $0.row) > ($1.rank, $1.row) }
        case .ending: { ($0.rank, $1.row) < ($1.rank, $0.row) }
        case .cheapest, .relevance, .newest: { ($0.rank, $0.row) < ($1.rank, $1.row) }
        }
    }

    private static func rank(_ end: Int64) -> Amount { Amount(small: UInt64(clamping: end)) }

    /// The entry of a row of this snapshot; `nil` if the index is damaged.
    private func entry(_ place: Place, in database: Database) throws -> CataloguePage.Entry? {
        let id = try Data.fetchOne(
            try database.cachedStatement(sql: "SELECT id FROM listings WHERE row = ?"),
            arguments: [place.row]
        )
        return id.flatMap { Bytes32($0) }.map {
            CataloguePage.Entry(
                id: RecordID($0),
                cursor: CatalogueCursor(rank: place.rank, row: place.row)
            )
        }
    }

    /// Pages through all listings by the index of prices.
    private func priced(in database: Database) throws -> [CataloguePage.Entry] {
        let (comparison, direction) = query.order == .dearest ? ("<", "DESC") : (">", "ASC")
        var search = self
        if let cursor = query.cursor {
            search.filter(
                "(l.price, l.row) \(comparison) (?, ?)",
                [cursor.rank.stored, cursor.row]
            )
        }
        return try entries(
            """
            SELECT l.id, l.row, l.price FROM listings l \(search.filters)
            ORDER BY l.price \(direction), l.row \(direction) LIMIT ?
            """,
            search.arguments + [limit + 1],
            in: database
        )
    }

    /// Pages through all listings by the index of ends, which has what ends alone; then the others.
    private func ending(in database: Database) throws -> [CataloguePage.Entry] {
        var search = self
        let after = query.cursor.map { (end: Int64(clamping: $0.number), row: $0.row) }
        if let after {
            search.filter(
                "l.ends >= ? AND (l.ends > ? OR l.row < ?)",
                [after.end, after.end, after.row]
            )
        }
        var found: [CataloguePage.Entry] = []
        if after?.end != .max {
            var some = search
            some.filter("l.ends < \(Int64.max)", [])
            found = try ending(some, by: "l.ends, l.row DESC", limit + 1, in: database)
        }
        guard found.count <= limit else { return found }
        search.filter("l.ends = \(Int64.max)", [])
        return found
            + (try ending(search, by: "l.row DESC", limit + 1 - found.count, in: database))
    }

    private func ending(
        _ search: CatalogueSearch,
        by order: String,
        _ limit: Int,
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        try entries(
            "SELECT l.id, l.row, l.ends FROM listings l \(search.filters) ORDER BY \(order) LIMIT ?",
            search.arguments + [limit],
            in: database
        )
    }
}
