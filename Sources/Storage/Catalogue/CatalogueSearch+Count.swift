import Foundation
import GRDB
import Keys
import Market

extension CatalogueSearch {
    /// Counts the matches among the newest `rowsMax` listings that the words, the author or the
    /// category select by an index; the other conditions are checked for these alone.
    func count(rowsMax: Int, in database: Database) throws -> CatalogueCount {
        var sales: [SaleReference?] = []
        let isComplete = try visit(rowsMax: rowsMax, "NULL", in: database) {
            sales.append(Self.sale(in: $0))
        }
        return CatalogueCount(sales: sales, isComplete: isComplete)
    }

    /// Returns the properties of the matches that ``count(rowsMax:in:)`` counts.
    func properties(rowsMax: Int, in database: Database) throws -> CatalogueProperties {
        var names = CatalogueProperties.Names()
        var rows: [CatalogueProperties.Row] = []
        let columns = "l.category, l.method, l.delivery, l.currency, l.author, l.price"
        let isComplete = try visit(rowsMax: rowsMax, columns, in: database) { row in
            rows.append(
                CatalogueProperties.Row(
                    sale: Self.sale(in: row),
                    category: try names.number(of: row, 4, in: \.categories),
                    method: try names.number(of: row, 5, in: \.methods),
                    delivery: try names.number(of: row, 6, in: \.deliveries),
                    currency: try names.number(of: row, 7, in: \.currencies),
                    seller: try names.number(of: row, 8, in: \.sellers),
                    price: (row[9] as Data?).flatMap { Amount(bigEndian: $0) } ?? .zero
                )
            )
        }
        return CatalogueProperties(rows: rows, names: names, isComplete: isComplete)
    }

    /// Calls `body` with each match: whether it is one, the columns of its sale, and `columns`.
    ///
    /// - Returns: Whether all that could match was looked at.
    private func visit(
        rowsMax: Int,
        _ columns: String,
        in database: Database,
        _ body: (Row) throws -> Void
    ) throws -> Bool {
        guard let (sql, selected) = try selection(in: database) else { return true }
        var search = self
        if !CatalogueMatch.isNeeded(for: query), query.author != nil {
            search.filter("l.category = ?", query.category)
        }
        let conditions = ["TRUE"] + search.conditions
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT (\(conditions.joined(separator: " AND "))), l.chain, l.contract, l.sale,
                    \(columns)
                    FROM (\(sql) LIMIT ?) found CROSS JOIN listings l ON l.row = found.row
                    """
            ),
            arguments: StatementArguments(search.arguments + selected + [rowsMax + 1])
        )
        var seen = 0
        while let row = try rows.next() {
            seen += 1
            guard seen <= rowsMax else { break }
            if row[0] as Bool { try body(row) }
        }
        return seen <= rowsMax
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
        return (
            "SELECT rowid AS row FROM texts WHERE texts MATCH ? ORDER BY rowid DESC", [match.all]
        )
    }

    private func newest(_ condition: String) -> String {
        "SELECT row FROM listings \(condition) ORDER BY time DESC, row DESC"
    }

    private static func sale(in row: Row) -> SaleReference? {
        guard let chain = (row[1] as Data?).flatMap({ ChainID(stored: $0) }),
            let contract = (row[2] as Data?).flatMap({ Address([UInt8]($0)) }),
            let sale = (row[3] as Data?).flatMap({ Bytes32([UInt8]($0)) })
        else { return nil }
        return SaleReference(
            contract: ContractReference(chain: chain, address: contract),
            id: SaleID(sale)
        )
    }
}
