import Foundation
import GRDB
import Keys
import Market

extension CatalogueSearch {
    /// Counts the matches among the newest `rowsMax` listings that the words, the author or the
    /// category select by an index; the other conditions are checked for these alone.
    func count(rowsMax: Int, in database: Database) throws -> CatalogueCount {
        guard let selection = selection else { return CatalogueCount(sales: [], isComplete: true) }
        let (sql, selected) = selection
        var search = self
        if query.match == nil, query.author != nil {
            search.filter("l.category = ?", query.category)
        }
        let conditions = ["TRUE"] + search.conditions
        let rows = try Row.fetchCursor(
            try database.cachedStatement(
                sql: """
                    SELECT (\(conditions.joined(separator: " AND "))), l.chain, l.contract, l.sale
                    FROM (\(sql) LIMIT ?) found CROSS JOIN listings l ON l.row = found.row
                    """
            ),
            arguments: StatementArguments(search.arguments + selected + [rowsMax + 1])
        )
        var (seen, sales) = (0, [SaleReference?]())
        while let row = try rows.next() {
            seen += 1
            guard seen <= rowsMax else { break }
            if row[0] as Bool { sales.append(Self.sale(in: row)) }
        }
        return CatalogueCount(sales: sales, isComplete: seen <= rowsMax)
    }

    /// The rows to look at, the newest first, as SQL with its arguments; `nil` if nothing matches.
    private var selection: (sql: String, arguments: [any DatabaseValueConvertible])? {
        guard let match = query.match else {
            if let author = query.author {
                return (newest("WHERE author = ?"), [author.bytes.data])
            }
            return query.category.map { (newest("WHERE category = ?"), [$0]) } ?? (newest(""), [])
        }
        guard !match.isEmpty, let match = self.match(match) else { return nil }
        // Every text has the words of its title too.
        return ("SELECT rowid AS row FROM texts WHERE texts MATCH ? ORDER BY rowid DESC", [match])
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
