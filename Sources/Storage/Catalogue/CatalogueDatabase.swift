import GRDB
import Glibc
import Keys
import Market

/// The SQLite file of the search index, which is removed and rebuilt if anything is wrong with it.
struct CatalogueDatabase: Sendable {
    /// The number of the tables' form, raised whenever they change; any other number in the file
    /// means that it is rebuilt.
    private static let schemaNumber = 14

    private let pool: DatabasePool
    /// The properties of the listings in the file.
    let columns = CatalogueColumns()

    /// Opens the file at `path`; creates it again if it is missing, damaged or of another form.
    ///
    /// - Throws: ``StorageError`` if the system refuses the file.
    init(path: String, pagesMax: Int?) throws {
        do {
            do {
                pool = try Self.open(path, pagesMax)
            } catch let error as DatabaseError where error.isDamage {
                try Self.remove(path)
                pool = try Self.open(path, pagesMax)
            }
            if try pool.read(Self.isForeign) { try pool.write { try Self.create(in: $0) } }
        } catch let error as DatabaseError {
            if let known = Self.storageError(error, path) { throw known }
            throw error
        }
    }

    /// Returns advice for an error of opening; `nil` for all other errors.
    private static func storageError(_ error: DatabaseError, _ path: String) -> StorageError? {
        switch error.resultCode {
        case .SQLITE_FULL: .diskFull(.open)
        case .SQLITE_NOMEM: .noMemory(.open)
        case .SQLITE_IOERR: fileError(path) ?? .diskFull(.open)
        case .SQLITE_READONLY, .SQLITE_PERM: fileError(path) ?? .readOnly(folder: path)
        case .SQLITE_CANTOPEN: fileError(path)
        default: nil
        }
    }

    /// Returns the system's reason to refuse one of the files; SQLite does not give it.
    private static func fileError(_ path: String) -> StorageError? {
        for (suffix, mode) in [("", O_CREAT), ("-wal", 0), ("-shm", 0)] {
            let name = path + suffix
            let file = unsafe Glibc.open(name, O_RDWR | O_CLOEXEC | mode, 0o600)
            if file >= 0 {
                Glibc.close(file)
            } else if suffix.isEmpty || errno != ENOENT {
                return systemError(errno, .open, folder: path, file: name)
            }
        }
        return nil
    }

    /// Removes the file, and the files that SQLite keeps beside it.
    static func remove(_ path: String) throws {
        for suffix in ["", "-wal", "-shm"] {
            if unsafe unlink(path + suffix) != 0, errno != ENOENT {
                throw systemError(errno, .remove, folder: path)
            }
        }
    }

    func close() throws { try pool.close() }

    /// Whether both are the same open file.
    func isSame(as other: CatalogueDatabase) -> Bool { pool === other.pool }

    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.read(body)
    }

    /// Reads on a queue of the database, so that no task's thread waits for it.
    func readElsewhere<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.read(body)
    }

    /// Runs a search in the same way.
    func read<Value: Sendable>(
        _ query: CatalogueQuery,
        _ body: @escaping @Sendable (CatalogueSearch, Database) throws -> Value
    ) async throws -> Value {
        try await readElsewhere { [columns] in try body(CatalogueSearch(query, columns), $0) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.write(body)
    }

    /// Removes all entries, faster than one by one.
    ///
    /// Later rows have other numbers, because a reader may still use the earlier ones.
    func empty() throws {
        try pool.write { database in
            let last = try Int64.fetchOne(
                database,
                sql: "SELECT seq FROM sqlite_sequence WHERE name = 'listings'"
            )
            try Self.create(in: database)
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('listings', ?)",
                arguments: [last ?? 0]
            )
        }
        columns.removeAll()
    }

    /// Runs a write of very many entries, whose keys are in no order: during it SQLite keeps 16 MB
    /// of the file in memory instead of 2.
    func writeMany<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try pool.write { database in
            try database.execute(sql: "PRAGMA cache_size = -16000")
            // If this fails, the cache only stays larger than needed.
            defer { try? database.execute(sql: "PRAGMA cache_size = -2000") }
            return try body(database)
        }
    }

    private static func open(_ path: String, _ pagesMax: Int?) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "catalogue"
        configuration.maximumReaderCount = 4
        if let pagesMax {
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA max_page_count = \(pagesMax)")
            }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        _ = unsafe chmod(path, 0o600)
        return pool
    }

    private static let tables = [
        "vocabulary", "stems", "parts", "sellers", "texts", "listings", "state",
    ]

    /// Whether the file has another form: another number, or tables and indexes that are not as
    /// this program makes them.
    private static func isForeign(_ database: Database) throws -> Bool {
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") == schemaNumber else {
            return true
        }
        let own = try DatabaseQueue().write { fresh in
            try create(in: fresh)
            return try form(of: fresh)
        }
        return try form(of: database) != own
    }

    /// Returns the statements that made the tables and indexes, without those of SQLite's own
    /// tables.
    private static func form(of database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT sql FROM sqlite_master
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'texts_%'
                AND name NOT LIKE 'parts_%'
                ORDER BY name
                """
        )
    }

    private static func create(in database: Database) throws {
        for table in tables + ["titles", "places"] {
            try database.execute(sql: "DROP TABLE IF EXISTS \(table)")
        }
        try database.execute(
            sql: """
                CREATE TABLE state (number INTEGER NOT NULL);
                INSERT INTO state VALUES (-1);
                CREATE TABLE listings (
                    row INTEGER PRIMARY KEY AUTOINCREMENT,
                    id BLOB NOT NULL UNIQUE,
                    slot BLOB NOT NULL,
                    author BLOB NOT NULL,
                    category TEXT NOT NULL,
                    chain BLOB NOT NULL,
                    currency BLOB NOT NULL,
                    price BLOB NOT NULL,
                    method TEXT NOT NULL,
                    delivery TEXT NOT NULL,
                    reach TEXT NOT NULL,
                    time INTEGER NOT NULL,
                    ends INTEGER NOT NULL,
                    contract BLOB,
                    sale BLOB,
                    latitude INTEGER,
                    longitude INTEGER,
                    pieces INTEGER NOT NULL
                );
                CREATE INDEX listings_by_time ON listings (time);
                CREATE INDEX listings_by_category ON listings (category, time);
                CREATE INDEX listings_by_author ON listings (author, time);
                CREATE INDEX listings_by_slot ON listings (slot);
                CREATE INDEX listings_by_price ON listings (currency, price);
                CREATE INDEX listings_by_end ON listings (ends) WHERE ends < \(Int64.max);
                CREATE TABLE vocabulary (word TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
                CREATE TABLE stems (
                    stem TEXT NOT NULL,
                    word TEXT NOT NULL,
                    PRIMARY KEY (stem, word)
                ) WITHOUT ROWID;
                CREATE VIRTUAL TABLE parts USING fts5 (word, \(CatalogueVocabulary.partOptions));
                CREATE TABLE sellers (
                    word TEXT NOT NULL,
                    author BLOB NOT NULL,
                    id BLOB NOT NULL,
                    PRIMARY KEY (word, author)
                ) WITHOUT ROWID;
                CREATE INDEX sellers_by_id ON sellers (id);
                CREATE VIRTUAL TABLE texts USING fts5 (words, \(CatalogueTerms.options));
                INSERT INTO texts (texts, rank) VALUES ('hashsize', 8388608);
                PRAGMA user_version = \(schemaNumber);
                """
        )
    }
}

extension DatabaseError {
    /// Whether the disk or the file is full; an I/O error counts too, because that is its usual
    /// cause.
    var isLackOfRoom: Bool { resultCode == .SQLITE_FULL || resultCode == .SQLITE_IOERR }

    /// Whether the file itself is damaged, so that rebuilding it helps.
    var isDamage: Bool {
        resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB
            || resultCode == .SQLITE_FORMAT || resultCode == .SQLITE_SCHEMA
    }

    /// Whether SQLite refused one row, and the transaction continues without it.
    var isOfOneRow: Bool {
        switch resultCode {
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_RANGE:
            true
        default: false
        }
    }

    /// Whether the file was closed, because another caller replaces it.
    var isClosed: Bool { resultCode == .SQLITE_MISUSE }
}

extension Error {
    /// Whether the same search may succeed later: it was cancelled, or the machine lacked
    /// something.
    package var mayPassLater: Bool {
        guard let error = self as? DatabaseError else { return self is CancellationError }
        return !error.isOfOneRow
    }
}
