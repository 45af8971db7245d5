import Foundation
import GRDB
import GRDBSQLite
import Keys

/// At most 32 bytes of a column, such as an address, read without an allocation: a count of
/// properties reads tens of thousands of them.
struct StoredBytes: Hashable, Sendable, DatabaseValueConvertible, StatementColumnConvertible {
    private static let countMax = Bytes32.byteCount

    private let padded: Bytes32
    private let count: Int

    /// Copies the first 32 bytes of a column that is not `NULL`.
    init(sqliteStatement: SQLiteStatement, index: CInt) {
        var words = SIMD4<UInt64>()
        // SQLite's order: the pointer first, then the number of bytes that it has.
        let start = unsafe sqlite3_column_blob(sqliteStatement, index)
        let count = min(Int(unsafe sqlite3_column_bytes(sqliteStatement, index)), Self.countMax)
        if let start = unsafe start {
            unsafe withUnsafeMutableBytes(of: &words) {
                unsafe $0.baseAddress?.copyMemory(from: start, byteCount: count)
            }
        }
        self.count = count
        padded = Bytes32(
            words: words[0].bigEndian,
            words[1].bigEndian,
            words[2].bigEndian,
            words[3].bigEndian
        )
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.countMax,
            let padded = Bytes32(bytes + [UInt8](repeating: 0, count: Self.countMax - bytes.count))
        else { return nil }
        (self.padded, count) = (padded, bytes.count)
    }

    var bytes: [UInt8] { Array(padded.bytes.prefix(count)) }

    /// The bytes if they are 32.
    var digest: Bytes32? { count == Self.countMax ? padded : nil }

    var databaseValue: DatabaseValue { bytes.data.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> StoredBytes? {
        Data.fromDatabaseValue(value).flatMap { StoredBytes([UInt8]($0)) }
    }
}
