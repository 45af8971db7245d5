import GRDB
import GRDBSQLite
import Keys
import Market

/// A prepared statement that is run many times, with values bound where they lie.
///
/// GRDB's arguments are separate values, each of which is copied more than once.
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
        // Resetting reports the step's error again.
        let code = unsafe sqlite3_reset(statement.sqliteStatement)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    private func bind(_ bytes: UnsafeRawBufferPointer, at place: CInt) {
        let (start, count) = (bytes.baseAddress, CInt(bytes.count))
        _ = unsafe sqlite3_bind_blob(
            statement.sqliteStatement,
            place,
            start,
            count,
            Self.copies
        )
    }
}
