import GRDB
import Market

/// Pages by price or end: of the newest ``CatalogueCount/rowsMax`` matches, or, if nothing selects
/// listings, of all by an index.
extension CatalogueSearch {
    /// Returns matches by listed price; with one price, in the order of rows.
    func priced(in database: Database) throws -> [CataloguePage.Entry] {
        guard let (source, selected) = try sorted(in: database) else { return [] }
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
            SELECT l.id, l.row, l.price FROM \(source) \(search.filters)
            ORDER BY l.price \(direction), l.row \(direction) LIMIT ?
            """,
            selected + search.arguments + [limit + 1],
            in: database
        )
    }

    /// Returns matches by end, the first one first; with one end, or none, the newest first.
    func ending(in database: Database) throws -> [CataloguePage.Entry] {
        guard let (source, selected) = try sorted(in: database) else { return [] }
        var search = self
        let after = query.cursor.map { (end: Int64(clamping: $0.number), row: $0.row) }
        if let after {
            search.filter(
                "l.ends >= ? AND (l.ends > ? OR l.row < ?)",
                [after.end, after.end, after.row]
            )
        }
        let order = "l.ends, l.row DESC"
        guard !isSelected else {
            return try ending(search, source, selected, order, limit + 1, database)
        }
        // The index has what ends alone.
        var found: [CataloguePage.Entry] = []
        if after?.end != .max {
            var some = search
            some.filter("l.ends < \(Int64.max)", [])
            found = try ending(some, source, selected, order, limit + 1, database)
        }
        guard found.count <= limit else { return found }
        search.filter("l.ends = \(Int64.max)", [])
        let missing = limit + 1 - found.count
        return found + (try ending(search, source, selected, "l.row DESC", missing, database))
    }

    /// Whether words or properties select listings.
    private var isSelected: Bool {
        query.author != nil || query.category != nil || CatalogueMatch.isNeeded(for: query)
    }

    private func ending(
        _ search: CatalogueSearch,
        _ source: String,
        _ selected: [any DatabaseValueConvertible],
        _ order: String,
        _ limit: Int,
        _ database: Database
    ) throws -> [CataloguePage.Entry] {
        try entries(
            "SELECT l.id, l.row, l.ends FROM \(source) \(search.filters) ORDER BY \(order) LIMIT ?",
            selected + search.arguments + [limit],
            in: database
        )
    }

    /// The listings to sort, as SQL with its arguments; `nil` if nothing matches.
    private func sorted(
        in database: Database
    ) throws -> (sql: String, arguments: [any DatabaseValueConvertible])? {
        guard isSelected else { return ("listings l", []) }
        guard let (sql, arguments) = try selection(in: database) else { return nil }
        return (
            "(\(sql) LIMIT ?) found CROSS JOIN listings l ON l.row = found.row",
            arguments + [CatalogueCount.rowsMax]
        )
    }
}
