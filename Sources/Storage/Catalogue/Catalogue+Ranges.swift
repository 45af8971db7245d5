import Foundation
import GRDB
package import Keys
package import Market

/// Reads ranges of the index, and counts its entries.
extension Catalogue {
    /// Returns at most `limit` listings with slots from `first` through `last`, in order.
    package func listings(
        from first: Bytes32,
        through last: Bytes32,
        limit: Int
    ) throws -> [RecordID] {
        try database.read { database in
            try Data.fetchAll(
                database,
                sql: "SELECT id FROM listings WHERE slot BETWEEN ? AND ? ORDER BY slot LIMIT ?",
                arguments: [first.bytes.data, last.bytes.data, limit]
            )
        }.compactMap { Bytes32($0).map(RecordID.init) }
    }

    /// Returns at most `limit` authors with addresses from `first` through `last`, in order.
    package func authors(
        from first: Address,
        through last: Address,
        limit: Int
    ) throws -> [Address] {
        try database.read { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT author FROM listings WHERE author BETWEEN ? AND ?
                    ORDER BY author LIMIT ?
                    """,
                arguments: [first.bytes.data, last.bytes.data, limit]
            )
        }.compactMap { Address([UInt8]($0)) }
    }

    /// The number of listings whose properties are in memory.
    package nonisolated var propertiesInMemory: Int { database.columns.count }

    /// Returns the number of listings in the index.
    package func count() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM listings") ?? 0 }
    }
}
