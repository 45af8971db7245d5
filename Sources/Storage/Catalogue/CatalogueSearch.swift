import Foundation
import GRDB
import Keys
import Market

/// Runs a query in SQL and turns the rows into a page.
///
/// The user's words are always an argument, never part of the statement.
struct CatalogueSearch {
    /// How many of the newest matches are ranked, which bounds the work for common words.
    ///
    /// Listings with all words in their title or identifier come first; equal ones are ordered
    /// newest first. (A rank by the rarity of words, such as BM25, would have to visit every match
    /// of every word.)
    private static let rankedMax = 2_000

    private let query: CatalogueQuery
    private var conditions: [String] = []
    private var arguments: StatementArguments = []

    init(_ query: CatalogueQuery) {
        self.query = query
        filter("l.category = ?", query.category)
        filter("l.author = ?", query.author?.bytes.data)
        filter("l.chain = ?", query.chain?.stored)
        filter("l.currency = ?", query.currency?.address.bytes.data)
        filter("l.price >= ?", query.priceMin?.stored)
        filter("l.price <= ?", query.priceMax?.stored)
        filter("l.method = ?", query.method?.rawValue)
        filter("l.delivery = ?", query.delivery?.rawValue)
        filter("l.row IN (SELECT row FROM places WHERE place = ?)", query.place)
        filter("l.ends > ?", query.openAt?.stored)
    }

    func page(in database: Database) throws -> CataloguePage {
        guard let match = query.match else { return try newest(in: database) }
        return match.isEmpty
            ? CataloguePage(entries: [], next: nil) : try ranked(match, in: database)
    }

    private mutating func filter(_ condition: String, _ value: (some DatabaseValueConvertible)?) {
        guard let value else { return }
        conditions.append(condition)
        arguments += [value]
    }

    private var limit: Int { min(max(query.limit, 1), CatalogueQuery.limitMax) }

    private func newest(in database: Database) throws -> CataloguePage {
        var conditions = conditions
        var arguments = arguments
        if let cursor = query.cursor {
            conditions.append("(l.time, l.row) < (?, ?)")
            arguments += [Int64(clamping: cursor.rank), cursor.row]
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT l.id, l.row, l.time AS rank FROM listings l
                \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
                ORDER BY l.time DESC, l.row DESC LIMIT ?
                """,
            arguments: arguments + [limit + 1]
        )
        return page(of: rows)
    }

    private func ranked(_ match: String, in database: Database) throws -> CataloguePage {
        var outer = ""
        var arguments: StatementArguments = [match]
        arguments += self.arguments
        arguments += [Self.rankedMax, "{title identifier} : (\(match))"]
        if let cursor = query.cursor {
            outer = "WHERE (rank, -row) > (?, -?)"
            arguments += [Int64(clamping: cursor.rank), cursor.row]
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                WITH found AS MATERIALIZED (
                    SELECT l.id, l.row FROM texts JOIN listings l ON l.row = texts.rowid
                    WHERE \((["texts MATCH ?"] + conditions).joined(separator: " AND "))
                    ORDER BY texts.rowid DESC LIMIT ?
                ),
                titled AS MATERIALIZED (
                    SELECT rowid FROM texts
                    WHERE texts MATCH ? AND rowid >= (SELECT min(row) FROM found)
                )
                SELECT id, row, rank FROM (
                    SELECT id, row, row NOT IN (SELECT rowid FROM titled) AS rank FROM found
                ) \(outer) ORDER BY rank, row DESC LIMIT ?
                """,
            arguments: arguments + [limit + 1]
        )
        return page(of: rows)
    }

    private func page(of rows: [Row]) -> CataloguePage {
        let entries = rows.prefix(limit).compactMap { row in
            Bytes32(row["id"] as Data).map { digest in
                CataloguePage.Entry(
                    id: RecordID(digest),
                    cursor: CatalogueCursor(
                        rank: UInt64(clamping: row["rank"] as Int64),
                        row: row["row"]
                    )
                )
            }
        }
        let next = rows.count > limit ? entries.last?.cursor : nil
        return CataloguePage(entries: entries, next: next)
    }
}
