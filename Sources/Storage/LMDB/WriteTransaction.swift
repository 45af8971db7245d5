import CLMDB

/// A write transaction, of which there is one at a time.
///
/// It ends once: by `commit()`, or by going out of scope, which aborts it.
package struct WriteTransaction: ~Copyable, ReadableTransaction {
    package let handle: TransactionHandle
    private var isOpen = true

    /// The number of the last recorded change; read from the feed when it is first needed.
    var cachedLastChange: UInt64?

    /// Begins a transaction, or a savepoint within `parent`.
    init(
        environment: OpaquePointer,
        parent: OpaquePointer? = nil,
        tables: TableHandles,
        limits: StoreLimits
    ) throws(StorageError) {
        var pointer: OpaquePointer?
        try check(unsafe mdb_txn_begin(environment, parent, 0, &pointer), .begin)
        handle = try unsafe TransactionHandle(
            pointer: unwrapped(pointer, .begin),
            tables: tables,
            limits: limits
        )
    }

    deinit {
        if isOpen { unsafe mdb_txn_abort(handle.pointer) }
    }

    /// Makes all changes durable, or part of the parent transaction.
    ///
    /// LMDB frees the transaction whether or not this succeeds, so nothing is left to abort.
    consuming func commit() throws(StorageError) {
        isOpen = false
        try check(unsafe mdb_txn_commit(handle.pointer), .commit)
    }

    /// Runs `body`; if it throws, its changes are undone and earlier ones stay.
    package mutating func savepoint<Value>(
        _ body: (inout WriteTransaction) throws -> Value
    ) throws -> Value {
        var child = try unsafe WriteTransaction(
            environment: unwrapped(mdb_txn_env(handle.pointer), .begin),
            parent: handle.pointer,
            tables: handle.tables,
            limits: limits
        )
        let value = try body(&child)
        let childLastChange = child.cachedLastChange
        try child.commit()
        cachedLastChange = childLastChange ?? cachedLastChange
        return value
    }

    /// Stores `value` under `key`; replaces an earlier value.
    package mutating func put<T: Table>(
        _ table: T.Type,
        _ key: T.Key,
        _ value: T.Value
    ) throws(StorageError) {
        _ = try put(table, key, value, flags: 0)
    }

    /// Stores `value` if `key` has no value yet; returns whether it did.
    package mutating func insert<T: Table>(
        _ table: T.Type,
        _ key: T.Key,
        _ value: T.Value
    ) throws(StorageError) -> Bool {
        try put(table, key, value, flags: UInt32(MDB_NOOVERWRITE))
    }

    /// Removes `key`; returns whether it existed.
    @discardableResult
    package mutating func remove<T: Table>(
        _ table: T.Type,
        _ key: T.Key
    ) throws(StorageError) -> Bool {
        let place = handle.tables.place(of: table)
        let code = try unsafe withKey(key, in: place) { key in
            unsafe mdb_del(handle.pointer, place.tree, &key, nil)
        }
        if code == MDB_NOTFOUND { return false }
        try check(code, .remove)
        return true
    }

    /// Removes the entries of a scan, at most `max` of them; returns how many it removed.
    @discardableResult
    package mutating func remove<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        max: Int = .max
    ) throws -> Int {
        let keys = try keys(table, scan, limit: max)
        for key in keys { try remove(table, key) }
        return keys.count
    }

    private mutating func put<T: Table>(
        _ table: T.Type,
        _ key: T.Key,
        _ value: T.Value,
        flags: UInt32
    ) throws(StorageError) -> Bool {
        let byteCount = value.storedByteCount
        let place = handle.tables.place(of: table)
        let code = try unsafe withKey(key, in: place) { key in
            var reserved = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
            let code = unsafe mdb_put(
                handle.pointer,
                place.tree,
                &key,
                &reserved,
                flags | UInt32(MDB_RESERVE)
            )
            guard code == MDB_SUCCESS else { return code }
            let buffer = unsafe UnsafeMutableRawBufferPointer(
                start: reserved.mv_data,
                count: reserved.mv_size
            )
            var writer = unsafe ByteWriter(buffer: buffer)
            value.write(to: &writer)
            precondition(
                writer.count == byteCount && !writer.isOverflown,
                "a value of \(T.name) said \(byteCount) bytes and wrote \(writer.count)"
            )
            return code
        }
        if code == MDB_KEYEXIST { return false }
        try check(code, .put)
        return true
    }
}
