import GRDB
import GRDBSQLite
import Keys
import Market

/// A prepared statement that is run many times; its values are bound and read in place.
///
/// GRDB's arguments and results are values of their own, each of which is copied more than once.
struct BoundStatement {
    /// SQLite copies bound values, so that they may be released before the statement runs.
    private static let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let statement: Statement

    init(_ sql: String, in database: Database) throws {
        statement = try database.cachedStatement(sql: sql)
    }

    /// Binds a value to the parameter at `place`, counted from 1.
    func bind(_ number: Int64, at place: CInt) {
        _ = unsafe sqlite3_bind_int64(statement.sqliteStatement, place, number)
    }

    func bind(_ text: String, at place: CInt) {
        var text = text
        _ = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                let (start, count) = (bytes.baseAddress, CInt(bytes.count))
                return unsafe sqlite3_bind_text(
                    statement.sqliteStatement,
                    place,
                    start,
                    count,
                    Self.copies
                )
            }
        }
    }

    func bind(_ bytes: Bytes32, at place: CInt) {
        unsafe bytes.withBytes { unsafe bind($0, at: place) }
    }

    func bind(_ address: Address, at place: CInt) {
        let words = address.words
        let bytes = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian)
        unsafe withUnsafeBytes(of: bytes) { unsafe bind($0, at: place) }
    }

    func bind(_ chain: ChainID, at place: CInt) {
        unsafe withUnsafeBytes(of: chain.number.bigEndian) { unsafe bind($0, at: place) }
    }

    func bindNull(at place: CInt) {
        _ = unsafe sqlite3_bind_null(statement.sqliteStatement, place)
    }

    /// Runs the statement, which returns no rows.
    func run() throws {
        _ = unsafe sqlite3_step(statement.sqliteStatement)
        try reset()
    }

    /// Runs the statement, and returns the first row's number; `nil` if there is no row.
    func firstNumber() throws -> Int64? {
        let isFound = unsafe sqlite3_step(statement.sqliteStatement) == SQLITE_ROW
        let number = unsafe isFound ? sqlite3_column_int64(statement.sqliteStatement, 0) : nil
        try reset()
        return number
    }

    /// Runs the statement, and returns the first row's 32 bytes; `nil` if there is no row.
    func firstBytes() throws -> Bytes32? {
        var bytes: Bytes32?
        if unsafe sqlite3_step(statement.sqliteStatement) == SQLITE_ROW {
            let start = unsafe sqlite3_column_blob(statement.sqliteStatement, 0)
            let count = unsafe Int(sqlite3_column_bytes(statement.sqliteStatement, 0))
            bytes = unsafe Bytes32(UnsafeRawBufferPointer(start: start, count: count))
        }
        try reset()
        return bytes
    }

    private func reset() throws {
        // Resetting reports the step's error again.
        let code = unsafe sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at place: CInt) {
        let (start, count) = (bytes.baseAddress, CInt(bytes.count))
        _ = unsafe sqlite3_bind_blob(statement.sqliteStatement, place, start, count, Self.copies)
    }
}
