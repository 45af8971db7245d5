import CLMDB
import Glibc
import Synchronization

/// One LMDB environment: a folder on disk, mapped into memory.
///
/// The C pointer is safe to share: LMDB allows any thread to use it, and with `MDB_NOTLS` a read
/// transaction may move between threads.
@safe
package final class Environment: Sendable {
    /// The maximum number of bytes of a key, which is LMDB's limit as Debian builds it.
    package static let keyByteCountMax = 511
    package static let readersMax = 512
    /// The default size of the map; it takes address space, not disk space.
    package static let mapBytesDefault = 64 << 30

    private nonisolated(unsafe) let pointer: OpaquePointer
    private let lock: FolderLock
    private let tables: TableHandles
    private let limits: StoreLimits
    /// How many pages were in use when dead readers were last looked for.
    private let checkedPages: Mutex<Int>
    /// By how many pages the file grows before they are looked for again.
    private static let growthPages = 1_024

    /// Opens or creates the store in `folder`; creates the folder if its parent exists.
    ///
    /// - Parameters:
    ///   - folder: The folder of `data.mdb`; if created, readable by this user only.
    ///   - mapBytes: The size up to which the store may grow; rounded up to whole pages.
    ///   - schema: All tables of the store, and the number of their form.
    ///   - limits: How much the store keeps.
    /// - Throws: ``StorageError`` for a fault of the folder, its files or its schema; no data was
    ///   changed then.
    package init(
        folder: String,
        mapBytes: Int = mapBytesDefault,
        schema: Schema,
        limits: StoreLimits = StoreLimits()
    ) throws(StorageError) {
        self.limits = limits
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw systemError(errno, .open, folder: folder)
        }
        lock = try FolderLock(folder: folder)
        try DataFile.checkLength(folder: folder)
        try ReaderTable.allocate(folder: folder)
        var pointer: OpaquePointer?
        try check(unsafe mdb_env_create(&pointer), .open)
        let environment = try unsafe unwrapped(pointer, .open)
        do {
            self.tables = try unsafe Self.open(environment, folder, mapBytes, schema)
        } catch {
            unsafe mdb_env_close(environment)
            throw error
        }
        unsafe self.pointer = environment
        checkedPages = Mutex(0)
        try forgetDeadReaders()
    }

    deinit {
        unsafe mdb_env_close(pointer)
    }

    /// Runs `body` on a snapshot.
    package func read<Value>(_ body: (borrowing ReadTransaction) throws -> Value) throws -> Value {
        let transaction = try unsafe ReadTransaction(
            environment: pointer,
            tables: tables,
            limits: limits
        )
        return try body(transaction)
    }

    /// Runs `body` in a write transaction, and commits it durably unless `body` throws.
    ///
    /// Waits for other writes to end. If `isScarce`, there is little room, and sweeps are short.
    package func write<Value>(
        isScarce: Bool = false,
        _ body: (inout WriteTransaction) throws -> Value
    ) throws -> Value {
        var limits = limits
        if isScarce { limits.sweepEntriesMax = limits.scarceSweepEntriesMax }
        var transaction = try unsafe WriteTransaction(
            environment: pointer,
            tables: tables,
            limits: limits
        )
        let value = try body(&transaction)
        try transaction.commit()
        // If a file with enough free pages grows, the cause is a dead reader.
        if checkedPages.withLock({ usedPages >= $0 + Self.growthPages }) {
            // The write is durable; dead readers are looked for again after more growth, and from
            // outside.
            _ = try? forgetDeadReaders()
        }
        return value
    }

    /// Frees the snapshots of processes that were killed while they read, such as during an export.
    ///
    /// While LMDB takes them for alive, no page that was in use when they read can be reused.
    ///
    /// - Returns: How many there were.
    @discardableResult
    package func forgetDeadReaders() throws(StorageError) -> Int {
        var count: Int32 = 0
        try check(unsafe mdb_reader_check(pointer, &count), .begin)
        let pages = usedPages
        checkedPages.withLock { $0 = pages }
        return Int(count)
    }

    /// The bytes of the data file in use, including free pages within it.
    package var usedBytes: Int { usedPages * DataFile.pageByteCount }

    /// The bytes up to which the data file may grow.
    package var mapBytes: Int { unsafe state.me_mapsize }

    /// The bytes of the free pages within the data file.
    ///
    /// Those that an open snapshot still needs count too. Reads one entry for each commit whose
    /// pages were not reused yet.
    package func freeBytesWithin() throws -> Int {
        try read { transaction in
            // LMDB's own list: its first tree, whose values begin with how many pages they list.
            let cursor = try Cursor(transaction.handle, 0)
            var pages = 0
            var entry = try unsafe cursor.move(MDB_FIRST)
            while let (_, value) = unsafe entry {
                pages += unsafe bytes(of: value).loadUnaligned(as: Int.self)
                unsafe entry = try cursor.move(MDB_NEXT)
            }
            return pages * DataFile.pageByteCount
        }
    }

    /// The number of the last commit that changed something.
    var commitCount: Int { unsafe state.me_last_txnid }

    private var usedPages: Int { unsafe state.me_last_pgno + 1 }

    private var state: MDB_envinfo {
        var info = unsafe MDB_envinfo()
        unsafe mdb_env_info(pointer, &info)
        return unsafe info
    }

    private static func open(
        _ environment: OpaquePointer,
        _ folder: String,
        _ mapBytes: Int,
        _ schema: Schema
    ) throws(StorageError) -> TableHandles {
        let page = DataFile.pageByteCount
        let size = (mapBytes + page - 1) / page * page
        try check(unsafe mdb_env_set_mapsize(environment, size), .open)
        try check(unsafe mdb_env_set_maxdbs(environment, UInt32(schema.trees.count + 1)), .open)
        try check(unsafe mdb_env_set_maxreaders(environment, UInt32(readersMax)), .open)
        let code = unsafe mdb_env_open(environment, folder, UInt32(MDB_NOTLS), 0o600)
        if code != MDB_SUCCESS {
            // The data file was opened before.
            throw systemError(code, .open, folder: folder, file: folder + "/lock.mdb")
        }

        let numbers = try unsafe places(in: [.own(SchemaNumbers.self)], of: environment)
        var transaction = try unsafe WriteTransaction(
            environment: environment,
            tables: numbers,
            limits: StoreLimits()
        )
        try schema.accept(in: &transaction)
        try transaction.commit()
        return try unsafe places(in: schema.trees, of: environment)
    }

    private static func places(
        in trees: [Tree],
        of environment: OpaquePointer
    ) throws(StorageError) -> TableHandles {
        var places: [ObjectIdentifier: TablePlace] = [:]
        let transaction = try unsafe WriteTransaction(
            environment: environment,
            tables: TableHandles([:]),
            limits: StoreLimits()
        )
        for tree in trees {
            var handle: MDB_dbi = 0
            let pointer = unsafe transaction.handle.pointer
            try check(unsafe mdb_dbi_open(pointer, tree.name, UInt32(MDB_CREATE), &handle), .open)
            for (number, table) in tree.tables.enumerated() {
                let prefix = tree.isShared ? [UInt8(number)] : []
                places[ObjectIdentifier(table)] = TablePlace(tree: handle, prefix: prefix)
            }
        }
        try transaction.commit()
        return TableHandles(places)
    }
}
