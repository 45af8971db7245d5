import Foundation
import GRDB
import Keys
import Market

extension CatalogueSearch {
    /// The matches among the rows that were looked at, the newest first.
    struct Found {
        var numbers: [Int64] = []
        var rows: [CatalogueProperties.Row] = []
        /// Whether all that could match was looked at.
        var isComplete = true
    }

    /// Counts the matches among the newest `rowsMax` listings that the words, the author or the
    /// category select by an index; the other conditions are checked for these alone.
    func count(rowsMax: Int, in database: Database) throws -> CatalogueCount {
        let found = try found(rowsMax: rowsMax, in: database)
        return CatalogueCount(
            sales: columns.values.sales(of: found.rows),
            placesOfPieces: found.rows.indices.filter { found.rows[$0].hasPieces },
            isComplete: found.isComplete
        )
    }

    /// Returns the properties of the matches that ``count(rowsMax:in:)`` counts.
    func properties(rowsMax: Int, in database: Database) throws -> CatalogueProperties {
        let found = try found(rowsMax: rowsMax, in: database)
        return CatalogueProperties(
            rows: found.rows,
            sales: columns.values.sales(of: found.rows),
            isComplete: found.isComplete,
            values: columns.values
        )
    }

    /// Looks at the newest `rowsMax` rows that an index selects.
    func found(rowsMax: Int, in database: Database) throws -> Found {
        guard let (sql, selected) = try selection(in: database) else { return Found() }
        var numbers = try Int64.fetchAll(
            try database.cachedStatement(sql: sql + " LIMIT ?"),
            arguments: StatementArguments(selected + [rowsMax + 1])
        )
        let isComplete = numbers.count <= rowsMax
        if !isComplete { numbers.removeLast(numbers.count - rowsMax) }
        let rows = try columns.rows(numbers, in: database)
        var found = Found(isComplete: isComplete)
        guard let filter = CatalogueFilter(query, columns.values) else { return found }
        found.numbers.reserveCapacity(numbers.count)
        found.rows.reserveCapacity(numbers.count)
        for (number, row) in zip(numbers, rows) where filter.matches(row) {
            found.numbers.append(number)
            found.rows.append(row)
        }
        return found
    }

    /// The rows to look at, the newest first, as SQL with its arguments; `nil` if nothing matches.
    private func selection(
        in database: Database
    ) throws -> (sql: String, arguments: [any DatabaseValueConvertible])? {
        guard CatalogueMatch.isNeeded(for: query) else {
            if let author = query.author {
                return (newest("WHERE author = ?"), [author.bytes.data])
            }
            return query.category.map { (newest("WHERE category = ?"), [$0]) } ?? (newest(""), [])
        }
        guard let match = try CatalogueMatch(query, in: database) else { return nil }
        return ("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid DESC", [match.all])
    }

    private func newest(_ condition: String) -> String {
        "SELECT row FROM listings \(condition) ORDER BY time DESC, row DESC"
    }
}
