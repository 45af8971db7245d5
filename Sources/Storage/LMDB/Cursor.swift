import CLMDB

/// An LMDB cursor over one table, closed when it goes out of scope.
@safe
struct Cursor: ~Copyable {
    private let pointer: OpaquePointer

    init(_ handle: TransactionHandle, _ tree: MDB_dbi) throws(StorageError) {
        var pointer: OpaquePointer?
        try check(unsafe mdb_cursor_open(handle.pointer, tree, &pointer), .scan)
        unsafe self.pointer = try unwrapped(pointer, .scan)
    }

    deinit {
        unsafe mdb_cursor_close(pointer)
    }

    /// Moves to the first entry of the scan; `nil` if there is none.
    func enter(_ scan: Scan<some TableKey>) throws(StorageError) -> (MDB_val, MDB_val)? {
        switch (scan.start, scan.order) {
        case (.edge, .ascending):
            return try unsafe scan.prefix.isEmpty ? move(MDB_FIRST) : seek(scan.prefix)
        case (.edge, .descending):
            guard let end = successor(of: scan.prefix) else { return try unsafe move(MDB_LAST) }
            return try unsafe before(end)
        case (.at(let key), .ascending):
            return try unsafe seek(key)
        case (.at(let key), .descending):
            guard let found = try unsafe seek(key) else { return try unsafe move(MDB_LAST) }
            return unsafe bytes(of: found.0).elementsEqual(key) ? found : try move(MDB_PREV)
        case (.beyond(let key), .ascending):
            guard let found = try unsafe seek(key) else { return nil }
            return unsafe bytes(of: found.0).elementsEqual(key) ? try move(MDB_NEXT) : found
        case (.beyond(let key), .descending):
            return try unsafe before(key)
        }
    }

    func move(_ step: MDB_cursor_op) throws(StorageError) -> (MDB_val, MDB_val)? {
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(pointer, &key, &value, step)
        if code == MDB_NOTFOUND { return nil }
        try check(code, .scan)
        return unsafe (key, value)
    }

    private func before(_ key: [UInt8]) throws(StorageError) -> (MDB_val, MDB_val)? {
        try unsafe seek(key) == nil ? move(MDB_LAST) : move(MDB_PREV)
    }

    private func seek(_ start: [UInt8]) throws(StorageError) -> (MDB_val, MDB_val)? {
        var start = start
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        let code = unsafe start.withUnsafeMutableBytes { bytes in
            unsafe key = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
            return unsafe mdb_cursor_get(pointer, &key, &value, MDB_SET_RANGE)
        }
        if code == MDB_NOTFOUND { return nil }
        try check(code, .scan)
        return unsafe (key, value)
    }

    /// Returns the lowest key above all keys that begin with `prefix`; `nil` if there is none.
    private func successor(of prefix: [UInt8]) -> [UInt8]? {
        var end = prefix
        while let last = end.popLast() {
            if last < 0xFF { return end + [last + 1] }
        }
        return nil
    }
}

/// Unwraps an out-parameter that LMDB sets on success.
func unwrapped(
    _ pointer: OpaquePointer?,
    _ operation: StorageError.Operation
) throws(StorageError) -> OpaquePointer {
    guard let pointer = unsafe pointer else { throw .refused(operation, code: MDB_BAD_TXN) }
    return unsafe pointer
}
