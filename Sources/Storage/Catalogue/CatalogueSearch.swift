import Foundation
import GRDB
import Keys
import Market

/// Runs a query in SQL and turns the rows into a page.
///
/// By relevance, listings with all words in their title or identifier come first, then the others;
/// of both the newest first. Every match is in this order, however many there are: SQLite reads both
/// groups from the newest match on, and only as many as the page needs. (A rank by the rarity of
/// words, such as BM25, would have to visit every match of every word.) By price or end, words
/// select the newest ``CatalogueCount/rowsMax`` matches, which are sorted.
///
/// The user's words are always an argument, never part of the statement.
struct CatalogueSearch {
    /// The listings that are found by words: those with the words in the title, or the rest.
    private enum Group: UInt64, CaseIterable {
        case titled = 0
        case others = 1
    }

    let query: CatalogueQuery
    private(set) var conditions: [String] = []
    private(set) var arguments: [any DatabaseValueConvertible] = []

    init(_ query: CatalogueQuery) {
        self.query = query
        filter("l.chain = ?", query.chain?.stored)
        filter("l.currency = ?", query.currency?.address.bytes.data)
        filterPrice(">=", query.priceMin)
        filterPrice("<=", query.priceMax)
        filter("l.method = ?", query.method?.rawValue)
        filter("l.delivery = ?", query.delivery?.rawValue)
        filter("l.ends > ?", query.openAt?.stored)
    }

    func page(in database: Database) throws -> CataloguePage {
        guard CatalogueMatch.isNeeded(for: query) else {
            return page(of: try unworded(in: database))
        }
        guard let match = try CatalogueMatch(query, in: database) else {
            return CataloguePage(entries: [], next: nil)
        }
        switch query.order {
        case .relevance, .newest: return page(of: try matches(match, in: database))
        case .cheapest, .dearest, .ending:
            return page(
                of: try sorted(
                    from: """
                        (SELECT rowid AS row FROM texts WHERE texts MATCH ? ORDER BY rowid DESC
                        LIMIT ?) found CROSS JOIN listings l ON l.row = found.row
                        """,
                    [match.all, CatalogueCount.rowsMax],
                    in: database
                )
            )
        }
    }

    mutating func filter(
        _ condition: String,
        _ value: (some DatabaseValueConvertible)?
    ) {
        guard let value else { return }
        conditions.append(condition)
        arguments.append(value)
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

    private var limit: Int { min(max(query.limit, 1), CatalogueQuery.limitMax) }

    /// All conditions as SQL.
    private var filters: String {
        conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    }

    private func unworded(in database: Database) throws -> [CataloguePage.Entry] {
        var search = self
        search.filterUnworded()
        guard query.order == .relevance || query.order == .newest else {
            return try search.sorted(from: "listings l", [], in: database)
        }
        if let cursor = query.cursor {
            search.conditions.append("(l.time, l.row) < (?, ?)")
            search.arguments += [Int64(clamping: cursor.number), cursor.row]
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

    /// Returns rows of `source` by price or end.
    private func sorted(
        from source: String,
        _ selected: [any DatabaseValueConvertible],
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        var search = self
        let column = query.order == .ending ? "l.ends" : "l.price"
        let (comparison, direction) = query.order == .dearest ? ("<", "DESC") : (">", "ASC")
        if let cursor = query.cursor {
            search.conditions.append("(\(column), l.row) \(comparison) (?, ?)")
            if query.order == .ending {
                search.arguments.append(Int64(clamping: cursor.number))
            } else {
                search.arguments.append(cursor.rank.stored)
            }
            search.arguments.append(cursor.row)
        }
        return try entries(
            """
            SELECT l.id, l.row, \(column) FROM \(source) \(search.filters)
            ORDER BY \(column) \(direction), l.row \(direction) LIMIT ?
            """,
            selected + search.arguments + [limit + 1],
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
    private func entries(
        _ sql: String,
        _ arguments: [any DatabaseValueConvertible],
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        let rows = try Row.fetchCursor(
            try database.cachedStatement(sql: sql),
            arguments: StatementArguments(arguments)
        )
        let isByPrice = query.order == .cheapest || query.order == .dearest
        var entries: [CataloguePage.Entry] = []
        while let row = try rows.next() {
            guard let digest = try row.withUnsafeData(atIndex: 0, { $0.flatMap { Bytes32($0) } }),
                let rank = isByPrice
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
