import CLMDB

/// A snapshot of the store.
///
/// It never blocks a writer. Keep it short: as long as it is open, old pages cannot be reused.
package struct ReadTransaction: ~Copyable, ReadableTransaction {
    package let handle: TransactionHandle

    init(
        environment: OpaquePointer,
        tables: TableHandles,
        limits: StoreLimits
    ) throws(StorageError) {
        var pointer: OpaquePointer?
        try check(unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &pointer), .begin)
        handle = try unsafe TransactionHandle(
            pointer: unwrapped(pointer, .begin),
            tables: tables,
            limits: limits
        )
    }

    deinit {
        unsafe mdb_txn_abort(handle.pointer)
    }
}
