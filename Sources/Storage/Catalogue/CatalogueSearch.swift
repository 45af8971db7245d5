import Foundation
import GRDB
import Keys
import Market

/// Runs a query in SQL and turns the rows into a page.
///
/// By relevance, listings with all words in their title or identifier come first, then the others;
/// of both the newest first. Every match is in this order, however many there are: SQLite reads both
/// groups from the newest match on, and only as many as the page needs. (A rank by the rarity of
/// words, such as BM25, would have to visit every match of every word.) By price or end, the newest
/// ``CatalogueCount/rowsMax`` matches are sorted.
///
/// The user's words are always an argument, never part of the statement.
struct CatalogueSearch {
    /// The listings that are found by words: those with the words in the title, or the rest.
    private enum Group: UInt64, CaseIterable {
        case titled = 0
        case others = 1
    }

    let query: CatalogueQuery
    let columns: CatalogueColumns
    private(set) var conditions: [String] = []
    private(set) var arguments: [any DatabaseValueConvertible] = []

    init(_ query: CatalogueQuery, _ columns: CatalogueColumns) {
        (self.query, self.columns) = (query, columns)
        filter("l.chain = ?", query.chain?.stored)
        if !CatalogueMatch.isNeeded(for: query) {
            filter("l.currency = ?", query.currency?.address.bytes.data)
        }
        filterPrice(">=", query.priceMin)
        filterPrice("<=", query.priceMax)
        filter("l.ends > ?", query.openAt?.stored)
    }

    func page(in database: Database) throws -> CataloguePage {
        switch query.order {
        case .cheapest, .dearest, .ending: return page(of: try sorted(in: database))
        case .relevance, .newest: break
        }
        guard CatalogueMatch.isNeeded(for: query) else {
            return page(of: try unworded(in: database))
        }
        guard let match = try CatalogueMatch(query, in: database) else { return page(of: []) }
        return page(of: try matches(match, in: database))
    }

    mutating func filter(
        _ condition: String,
        _ value: (some DatabaseValueConvertible)?
    ) {
        guard let value else { return }
        conditions.append(condition)
        arguments.append(value)
    }

    mutating func filter(_ condition: String, _ values: [any DatabaseValueConvertible]) {
        conditions.append(condition)
        arguments += values
    }

    /// Adds the conditions for the properties that words are not needed for.
    mutating func filterUnworded() {
        filter("l.author = ?", query.author?.bytes.data)
        filter("l.category = ?", query.category)
    }

    private mutating func filterPrice(_ comparison: String, _ price: Amount?) {
        guard let price else { return }
        let kinds = query.movingPrices.map(\.rawValue)
        let marks = kinds.map { _ in "?" }.joined(separator: ", ")
        conditions.append("(l.price \(comparison) ? OR l.method IN (\(marks)))")
        arguments.append(price.stored)
        for kind in kinds { arguments.append(kind) }
    }

    var limit: Int { min(max(query.limit, 1), CatalogueQuery.limitMax) }

    /// All conditions as SQL.
    var filters: String {
        conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }

    private func unworded(in database: Database) throws -> [CataloguePage.Entry] {
        var search = self
        search.filterUnworded()
        if let cursor = query.cursor {
            search.filter(
                "(l.time, l.row) < (?, ?)",
                [Int64(clamping: cursor.number), cursor.row]
            )
        }
        return try entries(
            """
            SELECT l.id, l.row, l.time FROM listings l \(search.filters)
            ORDER BY l.time DESC, l.row DESC LIMIT ?
            """,
            search.arguments + [limit + 1],
            in: database
        )
    }

    private func matches(
        _ match: CatalogueMatch,
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        guard query.order == .relevance, let titled = match.titled else {
            return try matches(match.all, .others, limit: limit + 1, in: database)
        }
        let first = query.cursor.map { Group(rawValue: $0.number) ?? .others } ?? .titled
        var found: [CataloguePage.Entry] = []
        for group in Group.allCases where group.rawValue >= first.rawValue {
            let missing = limit + 1 - found.count
            guard missing > 0 else { break }
            found += try matches(
                group == .titled ? titled : match.untitled,
                group,
                isFirst: group == first,
                limit: missing,
                in: database
            )
        }
        return found
    }

    /// Returns matches of a group, the newest first; of the first one, those after the cursor.
    private func matches(
        _ match: String,
        _ group: Group,
        isFirst: Bool = true,
        limit: Int,
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        var search = self
        search.conditions.insert("texts MATCH ?", at: 0)
        search.arguments.insert(match, at: 0)
        if isFirst { search.filter("texts.rowid < ?", query.cursor?.row) }
        return try entries(
            """
            SELECT l.id, l.row, \(group.rawValue)
            FROM texts CROSS JOIN listings l ON l.row = texts.rowid
            \(search.filters) ORDER BY texts.rowid DESC LIMIT ?
            """,
            search.arguments + [limit],
            in: database
        )
    }

    /// Returns the rows of a statement: the record's id, the row and the rank of each.
    func entries(
        _ sql: String,
        _ arguments: [any DatabaseValueConvertible],
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        let rows = try Row.fetchCursor(
            try database.cachedStatement(sql: sql),
            arguments: StatementArguments(arguments)
        )
        var entries: [CataloguePage.Entry] = []
        while let row = try rows.next() {
            guard let digest = try row.withUnsafeData(atIndex: 0, { $0.flatMap { Bytes32($0) } }),
                let rank = query.order.isByPrice
                    ? Amount(bigEndian: row[2] as Data)
                    : Amount(small: UInt64(clamping: row[2] as Int64))
            else { continue }
            entries.append(
                CataloguePage.Entry(
                    id: RecordID(digest),
                    cursor: CatalogueCursor(rank: rank, row: row[1])
                )
            )
        }
        return entries
    }

    /// The page of at most ``limit`` entries, of which one more was looked for.
    private func page(of entries: [CataloguePage.Entry]) -> CataloguePage {
        let shown = Array(entries.prefix(limit))
        return CataloguePage(
            entries: shown,
            next: entries.count > limit ? shown.last?.cursor : nil
        )
    }
}
