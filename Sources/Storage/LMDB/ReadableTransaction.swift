import CLMDB

/// A transaction that can be read: a read or a write transaction.
package protocol ReadableTransaction: ~Copyable {
    var handle: TransactionHandle { get }
}

/// LMDB's pointer to an open transaction, and the handles of its tables.
///
/// It never outlives its transaction: only the two transaction types create and hold one.
@safe
package struct TransactionHandle {
    let pointer: OpaquePointer
    let tables: TableHandles
    let limits: StoreLimits
}

extension ReadableTransaction where Self: ~Copyable {
    /// How much the store keeps, as it was opened with.
    package var limits: StoreLimits { handle.limits }

    /// The value of `key`, decoded in place; `nil` if there is none.
    package func get<T: Table>(_ table: T.Type, _ key: T.Key) throws(StorageError) -> T.Value? {
        try withStored(table, key) { (reader) throws(FormError) in
            try T.value(of: key, from: &reader)
        }
    }

    package func contains<T: Table>(_ table: T.Type, _ key: T.Key) throws(StorageError) -> Bool {
        try withStored(table, key) { (_) throws(FormError) in } != nil
    }

    /// Passes the stored bytes to `body` without a copy, to decode only a part of a value.
    package func withStored<T: Table, Result>(
        _ table: T.Type,
        _ key: T.Key,
        _ body: (inout ByteReader) throws(FormError) -> Result
    ) throws(StorageError) -> Result? {
        var found = unsafe MDB_val()
        let handle = handle
        let place = handle.tables.place(of: table)
        let code = try unsafe withKey(key, in: place) { (key) in
            unsafe mdb_get(handle.pointer, place.tree, &key, &found)
        }
        if code == MDB_NOTFOUND { return nil }
        try check(code, .get)
        return try unsafe decode(table, bytes(of: found), body)
    }

    /// Visits keys and values in order until `visit` returns `false`.
    package func scan<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        _ visit: (T.Key, T.Value) throws -> Bool
    ) throws {
        try unsafe walk(table, scan) { key, value in
            let key = try unsafe decode(table, key) { (reader) throws(FormError) in
                try T.Key(from: &reader)
            }
            let value = try unsafe decode(table, value) { (reader) throws(FormError) in
                try T.value(of: key, from: &reader)
            }
            return try visit(key, value)
        }
    }

    /// Visits only the keys, in order, until `visit` returns `false`.
    package func scanKeys<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        _ visit: (T.Key) throws -> Bool
    ) throws {
        try unsafe walk(table, scan) { key, _ in
            try unsafe visit(
                decode(table, key) { (reader) throws(FormError) in try T.Key(from: &reader) }
            )
        }
    }

    /// Visits stored keys and values without decoding or copying them.
    package func scanStored<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        _ visit: (inout ByteReader, inout ByteReader) throws -> Bool
    ) throws {
        try unsafe walk(table, scan) { key, value in
            var key = unsafe ByteReader(bytes: key)
            var value = unsafe ByteReader(bytes: value)
            return try visit(&key, &value)
        }
    }

    /// Returns the first entry of a scan.
    package func first<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>
    ) throws -> (key: T.Key, value: T.Value)? {
        try entries(table, scan, limit: 1).first
    }

    /// How many entries the table has; costs nothing if it has its own tree, else a walk.
    package func count<T: Table>(_ table: T.Type) throws(StorageError) -> Int {
        let place = handle.tables.place(of: table)
        if place.prefix.isEmpty {
            var state = MDB_stat()
            try check(unsafe mdb_stat(handle.pointer, place.tree, &state), .get)
            return state.ms_entries
        }
        let cursor = try Cursor(handle, place.tree)
        var entry = try unsafe cursor.enter(Scan<T.Key>.all().behind(place.prefix))
        var count = 0
        while let (key, _) = unsafe entry, unsafe bytes(of: key).starts(with: place.prefix) {
            count += 1
            unsafe entry = try cursor.move(MDB_NEXT)
        }
        return count
    }

    private func walk<T: Table>(
        _ table: T.Type,
        _ scan: Scan<T.Key>,
        _ visit: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        let place = handle.tables.place(of: table)
        let scan = scan.behind(place.prefix)
        let cursor = try Cursor(handle, place.tree)
        var entry = try unsafe cursor.enter(scan)
        while let (key, value) = unsafe entry {
            let whole = unsafe bytes(of: key)
            guard unsafe whole.starts(with: scan.prefix) else { return }
            let own = unsafe whole.dropFirst(place.prefix.count)
            guard try unsafe visit(UnsafeRawBufferPointer(rebasing: own), bytes(of: value)) else {
                return
            }
            unsafe entry = try cursor.move(scan.order == .ascending ? MDB_NEXT : MDB_PREV)
        }
    }
}

/// Returns the bytes that an LMDB value points to.
func bytes(of value: MDB_val) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
}

/// Decodes a stored key or value; if it is malformed, the store is damaged.
func decode<T: Table, Result>(
    _ table: T.Type,
    _ stored: UnsafeRawBufferPointer,
    _ body: (inout ByteReader) throws(FormError) -> Result
) throws(StorageError) -> Result {
    var reader = unsafe ByteReader(bytes: stored)
    do { return try body(&reader) } catch { throw .corrupt(.value(table: T.name)) }
}

/// Encodes `key` on the stack for the duration of `body`.
func withKey<Result>(
    _ key: some TableKey,
    in place: TablePlace,
    _ body: (inout MDB_val) -> Result
) throws(StorageError) -> Result {
    let result: Result? = unsafe withUnsafeTemporaryAllocation(
        byteCount: Environment.keyByteCountMax,
        alignment: 8
    ) { buffer in
        var writer = unsafe ByteWriter(buffer: buffer)
        writer.append(place.prefix)
        key.write(to: &writer)
        if writer.isOverflown { return nil }
        var value = unsafe MDB_val(mv_size: writer.count, mv_data: buffer.baseAddress)
        return unsafe body(&value)
    }
    guard let result else { throw .keyTooLong(byteCountMax: Environment.keyByteCountMax) }
    return result
}
