import Foundation
import GRDB
import Keys
import Market

extension CatalogueSearch {
    /// Counts the matches among the newest `rowsMax` listings that the words, the author or the
    /// category select by an index; the other conditions are checked for these alone.
    func count(rowsMax: Int, in database: Database) throws -> CatalogueCount {
        var sales = CatalogueSales()
        let isComplete = try visit(rowsMax: rowsMax, "NULL", in: database) {
            sales.append(from: $0)
        }
        return CatalogueCount(sales: sales.all, isComplete: isComplete)
    }

    /// Returns the properties of the matches that ``count(rowsMax:in:)`` counts.
    func properties(rowsMax: Int, in database: Database) throws -> CatalogueProperties {
        var sales = CatalogueSales()
        var names = CatalogueProperties.Names()
        var rows: [CatalogueProperties.Row] = []
        let columns = "l.category, l.method, l.delivery, l.currency, l.author, l.price"
        let isComplete = try visit(rowsMax: rowsMax, columns, in: database) { row in
            sales.append(from: row)
            rows.append(
                CatalogueProperties.Row(
                    category: names.categories.number(of: row[4]),
                    method: names.methods.number(of: row[5]),
                    delivery: names.deliveries.number(of: row[6]),
                    currency: names.currencies.number(of: row[7]),
                    seller: names.sellers.number(of: row[8]),
                    storedPrice: row[9]
                )
            )
        }
        return CatalogueProperties(
            rows: rows,
            sales: sales.all,
            names: names,
            isComplete: isComplete
        )
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
        let conditions = ["TRUE"] + conditions
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT (\(conditions.joined(separator: " AND "))), l.chain, l.contract, l.sale,
                    \(columns)
                    FROM (\(sql) LIMIT ?) found CROSS JOIN listings l ON l.row = found.row
                    """
            ),
            arguments: StatementArguments(arguments + selected + [rowsMax + 1])
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
    func selection(
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
}

/// The sales that rows name.
private struct CatalogueSales {
    private(set) var all: [SaleReference?] = []
    /// The columns of the contract of the last sale: most are of the same one.
    private var chain: StoredBytes?
    private var address: StoredBytes?
    private var contract: ContractReference?

    /// Adds the sale of a row that ``CatalogueSearch`` visits; `nil` if it names none.
    mutating func append(from row: Row) {
        let (chain, address) = (row[1] as StoredBytes?, row[2] as StoredBytes?)
        if chain != self.chain || address != self.address {
            (self.chain, self.address) = (chain, address)
            contract = nil
            if let id = chain.flatMap({ ChainID(stored: $0.bytes.data) }),
                let address = address.flatMap({ Address($0.bytes) })
            {
                contract = ContractReference(chain: id, address: address)
            }
        }
        guard let contract, let sale = (row[3] as StoredBytes?)?.digest else {
            all.append(nil)
            return
        }
        all.append(SaleReference(contract: contract, id: SaleID(sale)))
    }
}
