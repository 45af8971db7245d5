import Foundation
import GRDB
import Keys
import Market

/// Runs a query in SQL and turns the rows into a page.
///
/// Listings with all words in their title or identifier come first, then the others; of both the
/// newest first. Every match is in this order, however many there are: SQLite reads both groups from
/// the newest match on, and only as many as the page needs; for the second group it also collects
/// the rows of the first one that are older than the cursor. (A rank by the rarity of words, such
/// as BM25, would have to visit every match of every word.)
///
/// The user's words are always an argument, never part of the statement.
struct CatalogueSearch {
    /// The listings that are found by words: those with the words in the title, or the rest.
    private enum Group: UInt64, CaseIterable {
        case titled = 0
        case others = 1

        var table: String {
            switch self {
            case .titled: "titles"
            case .others: "texts"
            }
        }
    }

    let query: CatalogueQuery
    private(set) var conditions: [String] = []
    private(set) var arguments: [any DatabaseValueConvertible] = []

    init(_ query: CatalogueQuery) {
        self.query = query
        filter("l.author = ?", query.author?.bytes.data)
        filter("l.chain = ?", query.chain?.stored)
        filter("l.currency = ?", query.currency?.address.bytes.data)
        filterPrice(">=", query.priceMin)
        filterPrice("<=", query.priceMax)
        filter("l.method = ?", query.method?.rawValue)
        filter("l.delivery = ?", query.delivery?.rawValue)
        filter("l.row IN (SELECT row FROM places WHERE place = ?)", query.place)
        filter("l.ends > ?", query.openAt?.stored)
    }

    func page(in database: Database) throws -> CataloguePage {
        guard let match = query.match else { return page(of: try newest(in: database)) }
        return match.isEmpty
            ? CataloguePage(entries: [], next: nil)
            : page(of: try matches(match, in: database))
    }

    mutating func filter(
        _ condition: String,
        _ value: (some DatabaseValueConvertible)?
    ) {
        guard let value else { return }
        conditions.append(condition)
        arguments.append(value)
    }

    private mutating func filterPrice(_ comparison: String, _ price: Amount?) {
        guard let price else { return }
        let kinds = query.movingPrices.map(\.rawValue)
        let marks = kinds.map { _ in "?" }.joined(separator: ", ")
        conditions.append("(l.price \(comparison) ? OR l.method IN (\(marks)))")
        arguments.append(price.stored)
        for kind in kinds { arguments.append(kind) }
    }

    /// The words and the category as a query of FTS5; `nil` if no listing can match.
    func match(_ words: String) -> String? {
        guard let category = query.category else { return words }
        // Every category is made of the letters that a mark is made of.
        guard category.utf8.allSatisfy(CatalogueWords.isOfCategory) else { return nil }
        return "(\(words)) AND \"\(CatalogueWords.mark(ofCategory: category))\""
    }

    private var limit: Int { min(max(query.limit, 1), CatalogueQuery.limitMax) }

    private func newest(in database: Database) throws -> [CataloguePage.Entry] {
        var search = self
        search.filter("l.category = ?", query.category)
        if let cursor = query.cursor {
            search.conditions.append("(l.time, l.row) < (?, ?)")
            search.arguments += [Int64(clamping: cursor.rank), cursor.row]
        }
        let filters =
            search.conditions.isEmpty
            ? "" : "WHERE " + search.conditions.joined(separator: " AND ")
        return try entries(
            """
            SELECT l.id, l.row, l.time FROM listings l \(filters)
            ORDER BY l.time DESC, l.row DESC LIMIT ?
            """,
            search.arguments + [limit + 1],
            in: database
        )
    }

    private func matches(
        _ words: String,
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        let first = query.cursor.map { Group(rawValue: $0.rank) ?? .others } ?? .titled
        var found: [CataloguePage.Entry] = []
        for group in Group.allCases where group.rawValue >= first.rawValue {
            let missing = limit + 1 - found.count
            guard missing > 0 else { break }
            let place = group == first ? query.cursor?.row : nil
            found += try matches(words, group, after: place, limit: missing, in: database)
        }
        return found
    }

    private func matches(
        _ words: String,
        _ group: Group,
        after row: Int64?,
        limit: Int,
        in database: Database
    ) throws -> [CataloguePage.Entry] {
        let table = group.table
        guard let match = match(words) else { return [] }
        var search = self
        search.conditions.insert("\(table) MATCH ?", at: 0)
        search.arguments.insert(match, at: 0)
        if group == .others {
            search.conditions.append(
                """
                texts.rowid NOT IN (SELECT rowid FROM titles WHERE titles MATCH ? AND rowid < ?)
                """
            )
            search.arguments += [match, row ?? .max]
        }
        search.filter("\(table).rowid < ?", row)
        return try entries(
            """
            SELECT l.id, l.row, \(group.rawValue)
            FROM \(table) CROSS JOIN listings l ON l.row = \(table).rowid
            WHERE \(search.conditions.joined(separator: " AND "))
            ORDER BY \(table).rowid DESC LIMIT ?
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
        var entries: [CataloguePage.Entry] = []
        while let row = try rows.next() {
            guard let digest = try row.withUnsafeData(atIndex: 0, { $0.flatMap { Bytes32($0) } })
            else { continue }
            entries.append(
                CataloguePage.Entry(
                    id: RecordID(digest),
                    cursor: CatalogueCursor(
                        rank: UInt64(clamping: row[2] as Int64),
                        row: row[1]
                    )
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
