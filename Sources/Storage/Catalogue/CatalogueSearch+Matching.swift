import Foundation
import GRDB
import Keys
import Market

extension CatalogueSearch {
    /// The maximum number of listings that are asked about at a time.
    static let matchedMax = 500

    /// Returns those of some listings that the query finds, wherever they would be in its result.
    func matching(_ ids: [RecordID], in database: Database) throws -> [RecordID] {
        var rows: [Int64: RecordID] = [:]
        let find = try database.cachedStatement(sql: "SELECT row FROM listings WHERE id = ?")
        for id in ids {
            guard let row = try Int64.fetchOne(find, arguments: [id.digest.bytes.data]) else {
                continue
            }
            rows[row] = id
        }
        let found = try selected(Array(rows.keys), in: database)
            .map { CatalogueCursor(rank: 0, row: $0) }
        let wanted = Set(try matches(among: found, in: database).map(\.row))
        return ids.filter { id in rows.contains { $0.value == id && wanted.contains($0.key) } }
    }

    /// Returns those of the given rows that match the query's words and properties.
    private func selected(_ rows: [Int64], in database: Database) throws -> [Int64] {
        let marks = rows.map { _ in "?" }.joined(separator: ",")
        if CatalogueMatch.isNeeded(for: query) {
            guard let match = try CatalogueMatch(query, in: database) else { return [] }
            return try Int64.fetchAll(
                database,
                sql: "SELECT rowid FROM texts WHERE texts MATCH ? AND rowid IN (\(marks))",
                arguments: StatementArguments([match.all]) + StatementArguments(rows)
            )
        }
        var conditions = ["row IN (\(marks))"]
        var arguments = StatementArguments(rows)
        if let author = query.author {
            conditions.append("author = ?")
            arguments += [author.bytes.data]
        }
        if let category = query.category {
            conditions.append("category = ?")
            arguments += [category]
        }
        return try Int64.fetchAll(
            database,
            sql: "SELECT row FROM listings \(Self.filter(conditions))",
            arguments: arguments
        )
    }
}
